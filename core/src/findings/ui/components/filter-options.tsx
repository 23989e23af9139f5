import { Checkbox } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { OptionList } from '../../../platform/ui/option-list.tsx';
import { SearchField } from '../../../platform/ui/search-field.tsx';
import { Skeleton } from '../../../platform/ui/skeleton.tsx';
import { type ListKey, selectedValues, toggleOpen, toggleValue } from '../filter-facets.ts';
import { shownOptions } from '../filter-options.ts';
import { type Filters, isOpenStatus } from '../finding-view.ts';
import type { FacetOption, FindingsStore } from '../findings.store.ts';
import { FILTER_LABELS } from '../words.ts';

/** From here on a list of options gets its own search. */
const SEARCHABLE_FROM = 9;

export interface FilterOptionsProps {
  store: FindingsStore;
  field: ListKey;
  onChange: (filters: Filters) => void;
  /** More values than one answer holds: the server searches them. */
  isLong?: boolean;
  hasFocus?: boolean;
}

/** Options that the server searches, by the words typed; undefined while no word is typed. */
const useFound = (store: FindingsStore, field: ListKey) => {
  const [text, setText] = useState('');
  const [found, setFound] = useState<FacetOption[]>();
  const onSearch = useCallback((words: string) => setText(words), []);
  const { filters } = store.view;
  // biome-ignore lint/correctness/useExhaustiveDependencies: other filters give other counts
  useEffect(() => {
    if (text === '') {
      setFound(undefined);
      return undefined;
    }
    const abort = new AbortController();
    void store.searchFacet(field, text, abort.signal).then((options) => {
      if (!abort.signal.aborted) setFound(options);
    });
    return () => abort.abort();
  }, [store, field, text, filters]);
  return { text, found, onSearch };
};

/** Values of one filter with counts, to choose several of. */
export const FilterOptions = observer(function FilterOptions(props: FilterOptionsProps) {
  const { store, field, onChange, isLong = false, hasFocus = false } = props;
  const { filters } = store.view;
  const options = store.facets.get(field);
  const { text, found, onSearch } = useFound(store, field);
  useEffect(() => {
    if (options === undefined) void store.loadFacet(field);
  }, [store, field, options]);
  const label = FILTER_LABELS[field];
  const selected = selectedValues(filters, field);
  const shown = found ?? options;
  const isSearchable = !isLong && (options?.length ?? 0) >= SEARCHABLE_FROM;
  return (
    <>
      {isLong && <SearchField label={`Search ${label}`} placeholder="Search..." search={text} onSearch={onSearch} />}
      {field === 'status' && (
        <Checkbox
          checked={isOpenStatus(filters.status)}
          label="All open"
          onChange={() => onChange(toggleOpen(filters))}
        />
      )}
      {shown === undefined ? (
        <div className="facet-wait">
          <Skeleton width="70%" />
          <Skeleton width="50%" />
        </div>
      ) : (
        <OptionList
          key={isSearchable ? 'searchable' : 'short'}
          label={label}
          options={shownOptions(field, shown, found === undefined ? selected : [])}
          selected={selected}
          isMultiple={true}
          isFilterable={isSearchable}
          hasFocus={hasFocus}
          onPick={(value) => onChange(toggleValue(filters, field, value))}
        />
      )}
    </>
  );
});
