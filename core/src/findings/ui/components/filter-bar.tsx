import { Button } from '@blueprintjs/core';
import { Filter } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, type RefObject, Suspense, useCallback, useState } from 'react';
import { FilterChip } from '../../../platform/ui/filter-chip.tsx';
import { formatNumber } from '../../../platform/ui/number-format.ts';
import { SearchField } from '../../../platform/ui/search-field.tsx';
import { useIsNarrow } from '../../../platform/ui/use-media.ts';
import { filterChips, withoutFilter, withoutFilters } from '../filter-chips.ts';
import type { Filters, FindingView } from '../finding-view.ts';
import type { FindingsStore } from '../findings.store.ts';
import { GroupMenu } from './group-menu.tsx';
import { QuickFilters } from './quick-filters.tsx';
import { SortMenu } from './sort-menu.tsx';

// Most people filter by the quick ones; the rest comes when it is asked for.
const LazyFilterDialog = lazy(async () => ({ default: (await import('./filter-dialog.tsx')).FilterDialog }));

export interface FilterBarProps {
  store: FindingsStore;
  searchRef: RefObject<HTMLInputElement | null>;
  onView: (view: FindingView, isTyping?: boolean) => void;
}

/** The way to every filter. */
const AllFilters = observer(function AllFilters({ store, onView }: Omit<FilterBarProps, 'searchRef'>) {
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
            onClear={() => onView(withoutFilters(store.view))}
          />
        </Suspense>
      )}
    </>
  );
});

/** Search, Filter, and one chip for each active filter. */
export const FilterBar = observer(function FilterBar({ store, searchRef, onView }: FilterBarProps) {
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
        <AllFilters store={store} onView={onView} />
        <GroupMenu view={view} onView={onView} />
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
        {chips.length > 0 && (
          <button type="button" className="link" onClick={() => onView(withoutFilters(view))}>
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
