import { Checkbox, InputGroup } from '@blueprintjs/core';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { formatNumber } from '../../../platform/ui/number-format.ts';
import { SEVERITY_LABELS } from '../../../platform/ui/severity-badge.tsx';
import { Skeleton } from '../../../platform/ui/skeleton.tsx';
import { FINDING_STATUSES } from '../../model/states.ts';
import { FACET_KEYS, selectedValues, toggleOpen, toggleValue } from '../filter-facets.ts';
import { toolName } from '../finding-text.ts';
import { type Filters, type FindingView, isOpenStatus, VISIBILITY_KEYS } from '../finding-view.ts';
import type { FacetKey, FacetOption, FindingsStore } from '../findings.store.ts';
import { FILTER_LABELS, STATUS_WORDS } from '../words.ts';
import { VisibilityFields } from './visibility-fields.tsx';

/** From here on a list of options gets its own search. */
const SEARCHABLE_FROM = 9;

const WORDS: Record<string, string> = { ...SEVERITY_LABELS, ...STATUS_WORDS };

const optionLabel = (key: FacetKey, option: FacetOption): string => {
  if (key === 'severity' || key === 'status') return WORDS[option.value] ?? option.label;
  if (key === 'cwe') return option.label.startsWith('CWE') ? option.label : `CWE-${option.value} ${option.label}`;
  return key === 'tool' ? toolName(option.label) : option.label;
};

const FIXED_ORDER: Partial<Record<FacetKey, readonly string[]>> = { severity: SEVERITIES, status: FINDING_STATUSES };

/** Severities worst first, statuses as work goes on; the rest as the server sends it, most frequent first. */
const inOrder = (key: FacetKey, options: readonly FacetOption[]): readonly FacetOption[] => {
  const order = FIXED_ORDER[key];
  return order === undefined ? options : options.toSorted((a, b) => order.indexOf(a.value) - order.indexOf(b.value));
};

interface OptionListProps {
  facet: FacetKey;
  options: readonly FacetOption[];
  view: FindingView;
  onChange: (filters: Filters) => void;
}

function OptionList({ facet, options, view, onChange }: OptionListProps) {
  const [query, setQuery] = useState('');
  const selected = selectedValues(view.filters, facet);
  const missing = selected.filter((value) => !options.some((option) => option.value === value));
  const all = [...inOrder(facet, options), ...missing.map((value) => ({ value, label: value, count: 0 }))];
  const shown = all.filter((option) => optionLabel(facet, option).toLowerCase().includes(query.trim().toLowerCase()));
  return (
    <>
      {all.length >= SEARCHABLE_FROM && (
        <InputGroup
          type="search"
          placeholder="Search..."
          aria-label={`Search ${FILTER_LABELS[facet === 'verdict' ? 'status' : facet]}`}
          value={query}
          onValueChange={setQuery}
        />
      )}
      <ul className="facet-options">
        {facet === 'status' && (
          <li>
            <Checkbox
              checked={isOpenStatus(view.filters.status)}
              label="All open"
              onChange={() => onChange(toggleOpen(view.filters))}
            />
          </li>
        )}
        {shown.map((option) => (
          <li key={option.value}>
            <Checkbox
              checked={selected.includes(option.value)}
              onChange={() => onChange(toggleValue(view.filters, facet, option.value))}
              labelElement={<span className="trunc">{optionLabel(facet, option)}</span>}
            />
            <span className="num muted small">{formatNumber(option.count)}</span>
          </li>
        ))}
      </ul>
      {shown.length === 0 && <p className="muted">{query === '' ? 'No options.' : 'No results for the query'}</p>}
    </>
  );
}

export interface FilterPanelProps {
  store: FindingsStore;
  onChange: (filters: Filters) => void;
}

const SECTIONS = [...FACET_KEYS, 'more'] as const;
type Section = (typeof SECTIONS)[number];

const sectionLabel = (section: Section): string => (section === 'more' ? 'Visibility' : FILTER_LABELS[section]);

const activeCount = (filters: Filters, section: Section): number => {
  if (section === 'status' && isOpenStatus(filters.status)) return 1;
  if (section !== 'more') return selectedValues(filters, section).length;
  const keys = [...VISIBILITY_KEYS, 'kev'] as const;
  return keys.filter((key) => filters[key] !== undefined && filters[key] !== 'show').length;
};

/** Every filter with its options and counts: which filter at the left, its options at the right. */
export const FilterPanel = observer(function FilterPanel({ store, onChange }: FilterPanelProps) {
  const [section, setSection] = useState<Section>('severity');
  const options = section === 'more' ? undefined : store.facets.get(section);
  useEffect(() => {
    if (section !== 'more' && options === undefined) void store.loadFacet(section);
  }, [store, section, options]);
  return (
    <div className="facets">
      <ul className="facet-names" aria-label="Filters">
        {SECTIONS.map((one) => {
          const count = activeCount(store.view.filters, one);
          return (
            <li key={one}>
              <button type="button" aria-pressed={one === section} onClick={() => setSection(one)}>
                <span className="trunc grow">{sectionLabel(one)}</span>
                {count > 0 && <span className="pill">{count}</span>}
              </button>
            </li>
          );
        })}
      </ul>
      <fieldset className="facet-body">
        <legend className="sr">{sectionLabel(section)}</legend>
        {section === 'more' && <VisibilityFields filters={store.view.filters} onChange={onChange} />}
        {section !== 'more' && options !== undefined && (
          <OptionList key={section} facet={section} options={options} view={store.view} onChange={onChange} />
        )}
        {section !== 'more' && options === undefined && (
          <div className="facet-wait">
            <Skeleton width="70%" />
            <Skeleton width="50%" />
            <Skeleton width="60%" />
          </div>
        )}
      </fieldset>
    </div>
  );
});
