import { FormGroup, InputGroup } from '@blueprintjs/core';
import { useId } from 'react';
import { COLUMN_FILTERS, DATE_KEYS, type Filters } from '../finding-view.ts';
import { FILTER_LABELS } from '../words.ts';

interface FieldsProps {
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** First and last day. */
export function FilterDates({ filters, onChange }: FieldsProps) {
  const id = useId();
  return (
    <div className="filter-pair">
      {DATE_KEYS.map((key) => (
        <FormGroup key={key} label={FILTER_LABELS[key]} labelFor={`${id}-${key}`}>
          <InputGroup
            id={`${id}-${key}`}
            type="date"
            value={filters[key] ?? ''}
            onValueChange={(date) => {
              const next = { ...filters };
              if (date === '') delete next[key];
              else next[key] = date;
              onChange(next);
            }}
          />
        </FormGroup>
      ))}
    </div>
  );
}

/** First and last column of the place. */
export function FilterColumns({ filters, onChange }: FieldsProps) {
  const id = useId();
  return (
    <div className="filter-pair">
      {COLUMN_FILTERS.map((key) => (
        <FormGroup key={key} label={FILTER_LABELS[key]} labelFor={`${id}-${key}`}>
          <InputGroup
            id={`${id}-${key}`}
            type="number"
            min={0}
            value={filters[key]?.toString() ?? ''}
            onValueChange={(text) => {
              const next = { ...filters };
              if (/^\d{1,9}$/.test(text)) next[key] = Number(text);
              else delete next[key];
              onChange(next);
            }}
          />
        </FormGroup>
      ))}
    </div>
  );
}
