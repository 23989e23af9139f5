import { FormGroup, InputGroup, MultiSlider } from '@blueprintjs/core';
import { useEffect, useId, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { FILTERS } from '../../model/filter-catalogue.ts';
import { COLUMN_FILTERS, DATE_KEYS, type Filters, type RangeFilter } from '../data/finding-view.ts';

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
        <FormGroup key={key} label={t(FILTERS[key].label)} labelFor={`${id}-${key}`}>
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
        <FormGroup key={key} label={t(FILTERS[key].label)} labelFor={`${id}-${key}`}>
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

const LABELS: Record<RangeFilter, { from: string; to: string }> = {
  priority: { from: msg('Priority from'), to: msg('Priority up to') },
  fixing_effort: { from: msg('Effort from'), to: msg('Effort up to') },
  cvssv3_score: { from: msg('CVSS from'), to: msg('CVSS up to') },
};

const withRange = (filters: Filters, name: RangeFilter, [low, high]: readonly [number, number]): Filters => {
  const next = { ...filters };
  const { min } = FILTERS[`${name}_gt`];
  const { max } = FILTERS[`${name}_lt`];
  if (low === min) delete next[`${name}_gt`];
  else next[`${name}_gt`] = low;
  if (high === max) delete next[`${name}_lt`];
  else next[`${name}_lt`] = high;
  return next;
};

interface FilterRangeProps {
  name: RangeFilter;
  filters: Filters;
  onChange: (filters: Filters) => void;
}

/** A range with two handles. The full range filters nothing. Source: specification §5. */
export function FilterRange({ name, filters, onChange }: FilterRangeProps) {
  const { min } = FILTERS[`${name}_gt`];
  const { max, isInteger } = FILTERS[`${name}_lt`];
  const low = filters[`${name}_gt`] ?? min;
  const high = filters[`${name}_lt`] ?? max;
  const [values, setValues] = useState<readonly [number, number]>([low, high]);
  useEffect(() => setValues([low, high]), [low, high]);
  const read = (next: number[]): readonly [number, number] => [next[0] ?? min, next[1] ?? max];
  return (
    <div className="filter-range">
      <MultiSlider
        min={min}
        max={max}
        stepSize={isInteger ? 1 : 0.1}
        labelStepSize={max / 2}
        onChange={(next) => setValues(read(next))}
        onRelease={(next) => onChange(withRange(filters, name, read(next)))}
      >
        <MultiSlider.Handle
          value={values[0]}
          intentAfter="primary"
          type="start"
          htmlProps={{ 'aria-label': t(LABELS[name].from) }}
        />
        <MultiSlider.Handle value={values[1]} type="end" htmlProps={{ 'aria-label': t(LABELS[name].to) }} />
      </MultiSlider>
    </div>
  );
}
