import { Checkbox } from '@blueprintjs/core';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { Skeleton } from '../../../platform/ui/feedback/skeleton.tsx';
import { OptionList } from '../../../platform/ui/forms/option-list.tsx';
import { SearchField } from '../../../platform/ui/forms/search-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { isOpenStatus } from '../../model/facet-labels.ts';
import { FILTERS } from '../../model/filter-catalogue.ts';
import { SEVERITY_LABELS, STATUS_OPTION_LABELS, toolLabel } from '../../model/labels.ts';
import { SLA_STATES } from '../../model/sla.ts';
import { FINDING_STATUSES } from '../../model/states.ts';
import type { Filters } from '../data/finding-view.ts';
import type { FacetKey, FacetOption, FindingsStore } from '../data/findings.store.ts';
import { type ListKey, selectedValues, toggleOpen, toggleValue } from './filter-facets.ts';

/** From here on a list of options gets its own search. */
const SEARCHABLE_FROM = 9;

interface FilterOptionsProps {
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
  const label = t(FILTERS[field].label);
  const selected = selectedValues(filters, field);
  const shown = found ?? options;
  const isSearchable = !isLong && (options?.length ?? 0) >= SEARCHABLE_FROM;
  return (
    <>
      {isLong && (
        <SearchField
          label={t('Search {filter}', { filter: label })}
          placeholder={t('Search...')}
          search={text}
          onSearch={onSearch}
        />
      )}
      {field === 'status' && (
        <Checkbox
          checked={isOpenStatus(filters.status)}
          label={t('All open')}
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

const CHOICE_LABELS: Record<string, string> = { ...SEVERITY_LABELS, ...STATUS_OPTION_LABELS };

/** Facets whose values are names, never words of ours. */
const NAMES: readonly FacetKey[] = [
  'repository',
  'branch',
  'component',
  'file',
  'resource',
  'tags',
  'repository_tag',
  'policy_name',
];

/** What a person reads for a value of a filter. */
const optionLabel = (key: FacetKey, option: Pick<FacetOption, 'value' | 'label'>): string => {
  if (key === 'severity' || key === 'status') return t(CHOICE_LABELS[option.value] ?? option.label);
  if (key === 'cwe') return option.label.startsWith('CWE') ? option.label : `CWE-${option.value} ${option.label}`;
  if (key === 'tool') return t(toolLabel(option.label));
  return NAMES.includes(key) ? option.label : t(option.label);
};

const FIXED_ORDER: Partial<Record<FacetKey, readonly string[]>> = {
  severity: SEVERITIES,
  status: FINDING_STATUSES,
  sla: SLA_STATES,
};

/** Severities worst first, statuses as work goes on; the rest as the server sends it, most frequent first. Chosen values are never missing. */
const shownOptions = (key: FacetKey, options: readonly FacetOption[], selected: readonly string[]): FacetOption[] => {
  const order = FIXED_ORDER[key];
  const sorted =
    order === undefined ? options : options.toSorted((a, b) => order.indexOf(a.value) - order.indexOf(b.value));
  const missing = selected.filter((value) => !options.some((option) => option.value === value));
  return [...sorted, ...missing.map((value) => ({ value, label: value, count: 0 }))].map((option) => ({
    ...option,
    label: optionLabel(key, option),
  }));
};
