import { Button, HTMLSelect } from '@blueprintjs/core';
import { Filter, SortDesc } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, type RefObject, Suspense, useCallback, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { SearchField } from '../../../platform/ui/forms/search-field.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { FilterChip } from '../../../platform/ui/page/page-layout.tsx';
import { useIsNarrow } from '../../../platform/ui/page/use-media.ts';
import { MenuPopup } from '../../../platform/ui/popups/menu-popup.tsx';
import { columnInfo } from '../../model/column-catalogue.ts';
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
import { shownText } from '../list/finding-cells.tsx';
import type { FindingColumns } from '../list/finding-columns.ts';
import { filterChips, isFiltered, withoutFilter, withoutFilters } from './filter-chips.ts';
import { QuickFilters } from './quick-filters.tsx';

// Most people filter by the quick ones; the rest comes when it is asked for.
const LazyFilterDialog = lazy(async () => ({ default: (await import('./filter-dialog.tsx')).FilterDialog }));

interface FilterBarProps {
  store: FindingsStore;
  columns: FindingColumns;
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
}: Omit<FilterBarProps, 'columns' | 'searchRef' | 'isReadOnly'>) {
  // undefined until it was opened once; then it stays, so that it can leave the way it came
  const [isOpen, setIsOpen] = useState<boolean>();
  return (
    <>
      <Button icon={<Filter />} text={t('All filters')} onClick={() => setIsOpen(true)} />
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
export const FilterBar = observer(function FilterBar(props: FilterBarProps) {
  const { store, columns, base, isReadOnly, searchRef, onView } = props;
  const { view } = store;
  const isNarrow = useIsNarrow();
  const chips = filterChips(view, store.nameOf);
  const onSearch = useCallback((search: string) => onView({ ...store.view, search }, true), [onView, store]);
  return (
    <>
      <search className="fbar">
        <SearchField
          label={t('Search findings')}
          placeholder={t('Search title, path, CVE')}
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
            {t('Reset')}
          </button>
        )}
        {!isNarrow && <SameInEveryRow columns={columns} />}
        <ListCount store={store} />
      </div>
    </>
  );
});

/** What the columns that stepped back say, which is not lost with them. */
const SameInEveryRow = observer(function SameInEveryRow({ columns }: Pick<FilterBarProps, 'columns'>) {
  const said = columns.quiet.flatMap(({ key, text }) =>
    text === undefined || shownText(key, text) === '' ? [] : [`${t(columnInfo(key).label)} ${shownText(key, text)}`],
  );
  if (said.length === 0) return null;
  const words = t('In every row: {values}', { values: said.join(' · ') });
  return (
    <span className="muted small trunc" title={words}>
      {words}
    </span>
  );
});

/** "91 of 108": what matches, of what the same view holds without the narrowing filters. */
const ListCount = observer(function ListCount({ store }: { store: FindingsStore }) {
  const { total } = store;
  if (total === undefined && store.list.length === 0) return null;
  return (
    <span className="fcount" role="status">
      {total === undefined ? (
        t('Counting…')
      ) : (
        <>
          <b>{formatNumber(total)}</b>{' '}
          {store.isNarrowed ? t('of {total}', { total: store.scopeTotal ?? 0 }) : plural(total, 'finding', 'findings')}
        </>
      )}
    </span>
  );
});

const GROUPINGS = {
  fix: msg('Group by fix'),
  component: msg('Group by component'),
  vulnerability: msg('Group by vulnerability'),
  rule: msg('Group by rule'),
  file: msg('Group by file'),
  repository: msg('Group by repository'),
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
      aria-label={t('Group by')}
      value={view.groupBy ?? ''}
      onChange={(event) => {
        const groupBy = VIEW_GROUPS.find((key) => key === event.currentTarget.value);
        onView({ ...view, groupBy });
      }}
    >
      <option value="">{t('No grouping')}</option>
      {VIEW_GROUPS.filter((key) => key !== 'fix' || !isReadOnly).map((key) => (
        <option key={key} value={key}>
          {t(GROUPINGS[key])}
        </option>
      ))}
    </HTMLSelect>
  );
}

const CHOICES: readonly { field: SortField; order: SortOrder; text: string }[] = [
  { field: 'priority', order: 'desc', text: msg('Priority, highest first') },
  { field: 'severity', order: 'desc', text: msg('Severity, worst first') },
  { field: 'estimated_epss', order: 'desc', text: msg('EPSS, highest first') },
  { field: 'cvssv3_score', order: 'desc', text: msg('CVSS, highest first') },
  { field: 'first_seen', order: 'desc', text: msg('Found here, newest first') },
  { field: 'first_seen', order: 'asc', text: msg('Found here, oldest first') },
  { field: 'date', order: 'desc', text: msg('Reported since, newest first') },
  { field: 'date', order: 'asc', text: msg('Reported since, oldest first') },
];

interface SortMenuProps {
  view: FindingView;
  onView: (view: FindingView) => void;
}

/** Sorting where there is no header to click: on a phone. */
function SortMenu({ view, onView }: SortMenuProps) {
  const current = CHOICES.find((choice) => choice.field === view.sortField && choice.order === view.sort);
  const label = t('Sort: {order}', { order: t(current?.text ?? msg('custom')) });
  const items = CHOICES.map((choice) => ({
    text: t(choice.text),
    isChosen: choice === current,
    onPick: () => onView({ ...view, sortField: choice.field, sort: choice.order }),
  }));
  return (
    <MenuPopup label={t('Sort')} items={items}>
      <Button variant="minimal" icon={<SortDesc />} aria-label={label} title={label} />
    </MenuPopup>
  );
}
