import { HTMLSelect } from '@blueprintjs/core';
import { useId } from 'react';
import { VISIBILITIES, type Visibility } from '../../model/states.ts';
import { type Filters, VISIBILITY_KEYS } from '../finding-view.ts';
import { FILTER_LABELS } from '../words.ts';

const KEYS = ['kev', ...VISIBILITY_KEYS] as const;
const WORDS: Record<Visibility, string> = { show: 'Show', hide: 'Hide', only: 'Only these' };

interface FieldProps {
  name: (typeof KEYS)[number];
  filters: Filters;
  onChange: (filters: Filters) => void;
}

function VisibilityField({ name, filters, onChange }: FieldProps) {
  const id = useId();
  const handleChange = (value: string) => {
    const chosen = VISIBILITIES.find((one) => one === value) ?? 'show';
    const next = { ...filters };
    if (chosen === 'show') delete next[name];
    else next[name] = chosen;
    onChange(next);
  };
  return (
    <div className="row visibility">
      <label className="grow" htmlFor={id}>
        {FILTER_LABELS[name]}
      </label>
      <HTMLSelect
        id={id}
        value={filters[name] ?? 'show'}
        onChange={(event) => handleChange(event.currentTarget.value)}
        options={VISIBILITIES.map((value) => ({ value, label: WORDS[value] }))}
      />
    </div>
  );
}

export interface VisibilityFieldsProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** Hide, show or only: groups of findings that a list may leave out. */
export function VisibilityFields({ filters, onChange }: VisibilityFieldsProps) {
  return KEYS.map((name) => <VisibilityField key={name} name={name} filters={filters} onChange={onChange} />);
}
