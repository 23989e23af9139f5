import { Button, HTMLSelect } from '@blueprintjs/core';
import { Filter, SortDesc } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, type RefObject, Suspense, useCallback, useState } from 'react';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { SearchField } from '../../../platform/ui/forms/search-field.tsx';
import { FilterChip } from '../../../platform/ui/page/page-layout.tsx';
import { useIsNarrow } from '../../../platform/ui/page/use-media.ts';
import { MenuPopup } from '../../../platform/ui/popups/menu-popup.tsx';
import {
  type Filters,
  type FindingView,
  type SortField,
  type SortOrder,
  VIEW_GROUPS,
  type ViewBase,
  type ViewGroup,
} from '../data/finding-view.ts';
import type { FindingsStore } from '../data/findings.store.ts';
import { filterChips, isFiltered, withoutFilter, withoutFilters } from './filter-chips.ts';
import { QuickFilters } from './filter-options.tsx';

// Most people filter by the quick ones; the rest comes when it is asked for.
const LazyFilterDialog = lazy(async () => ({ default: (await import('./filter-dialog.tsx')).FilterDialog }));

interface FilterBarProps {
  store: FindingsStore;
  base: ViewBase;
  /** Inside another client: no fixes are known there. */
  isReadOnly: boolean;
  searchRef: RefObject<HTMLInputElement | null>;
  onView: (view: FindingView, isTyping?: boolean) => void;
}

/** The way to every filter. */
const AllFilters = observer(function AllFilters({
  store,
  base,
  onView,
}: Omit<FilterBarProps, 'searchRef' | 'isReadOnly'>) {
  // undefined until it was opened once; then it stays, so that it can leave the way it came
  const [isOpen, setIsOpen] = useState<boolean>();
  return (
    <>
      <Button icon={<Filter />} text="All filters" onClick={() => setIsOpen(true)} />
      {isOpen !== undefined && (
        <Suspense fallback={null}>
          <LazyFilterDialog
            store={store}
            isOpen={isOpen}
            onClose={() => setIsOpen(false)}
            onChange={(filters: Filters) => onView({ ...store.view, filters })}
            onClear={() => onView(withoutFilters(store.view, base))}
          />
        </Suspense>
      )}
    </>
  );
});

/** Search, Filter, and one chip for each active filter. */
export const FilterBar = observer(function FilterBar({ store, base, isReadOnly, searchRef, onView }: FilterBarProps) {
  const { view } = store;
  const isNarrow = useIsNarrow();
  const chips = filterChips(view, store.nameOf);
  const onSearch = useCallback((search: string) => onView({ ...store.view, search }, true), [onView, store]);
  return (
    <>
      <search className="fbar">
        <SearchField
          label="Search findings"
          placeholder="Search title, path, CVE"
          search={view.search}
          inputRef={searchRef}
          hint={<kbd className="only-l">/</kbd>}
          onSearch={onSearch}
        />
        <QuickFilters store={store} onChange={(filters) => onView({ ...store.view, filters })} />
        <AllFilters store={store} base={base} onView={onView} />
        <GroupMenu view={view} isReadOnly={isReadOnly} onView={onView} />
        {isNarrow && <SortMenu view={view} onView={onView} />}
      </search>
      <div className="fbar chips">
        {chips.map((chip) => (
          <FilterChip
            key={chip.key}
            label={chip.label}
            value={chip.value}
            onRemove={() => onView(withoutFilter(view, chip.key))}
          />
        ))}
        {isFiltered(view, base) && (
          <button type="button" className="link" onClick={() => onView(withoutFilters(view, base))}>
            Clear all
          </button>
        )}
        <ListCount store={store} />
      </div>
    </>
  );
});

/** "91 of 108": what matches, of what the same view holds without the narrowing filters. */
const ListCount = observer(function ListCount({ store }: { store: FindingsStore }) {
  const { total } = store;
  if (total === undefined && store.list.length === 0) return null;
  const of = store.isNarrowed ? ` of ${formatNumber(store.scopeTotal ?? 0)}` : total === 1 ? ' finding' : ' findings';
  return (
    <span className="fcount" role="status">
      {total === undefined ? (
        'Counting…'
      ) : (
        <>
          <b>{formatNumber(total)}</b>
          {of}
        </>
      )}
    </span>
  );
});

const WORDS = {
  ...{ vulnerability: 'Vulnerability', component: 'Component', file: 'File', rule: 'Rule', fix: 'Fix' },
} as const satisfies Record<ViewGroup, string>;

interface GroupMenuProps {
  view: FindingView;
  isReadOnly: boolean;
  onView: (view: FindingView) => void;
}

/** What the list is put together by. */
function GroupMenu({ view, isReadOnly, onView }: GroupMenuProps) {
  return (
    <HTMLSelect
      className="group-menu"
      aria-label="Group by"
      value={view.groupBy ?? ''}
      onChange={(event) => {
        const groupBy = VIEW_GROUPS.find((key) => key === event.currentTarget.value);
        onView({ ...view, groupBy });
      }}
    >
      <option value="">No grouping</option>
      {VIEW_GROUPS.filter((key) => key !== 'fix' || !isReadOnly).map((key) => (
        <option key={key} value={key}>
          Group by {WORDS[key].toLowerCase()}
        </option>
      ))}
    </HTMLSelect>
  );
}

const CHOICES: readonly { field: SortField; order: SortOrder; text: string }[] = [
  { field: 'priority', order: 'desc', text: 'Priority, highest first' },
  { field: 'severity', order: 'desc', text: 'Severity, worst first' },
  { field: 'estimated_epss', order: 'desc', text: 'EPSS, highest first' },
  { field: 'cvssv3_score', order: 'desc', text: 'CVSS, highest first' },
  { field: 'date', order: 'desc', text: 'Newest first' },
  { field: 'date', order: 'asc', text: 'Oldest first' },
];

interface SortMenuProps {
  view: FindingView;
  onView: (view: FindingView) => void;
}

/** Sorting where there is no header to click: on a phone. */
function SortMenu({ view, onView }: SortMenuProps) {
  const current = CHOICES.find((choice) => choice.field === view.sortField && choice.order === view.sort);
  const label = `Sort: ${current?.text ?? 'custom'}`;
  const items = CHOICES.map((choice) => ({
    text: choice.text,
    isChosen: choice === current,
    onPick: () => onView({ ...view, sortField: choice.field, sort: choice.order }),
  }));
  return (
    <MenuPopup label="Sort" items={items}>
      <Button variant="minimal" icon={<SortDesc />} aria-label={label} title={label} />
    </MenuPopup>
  );
}
