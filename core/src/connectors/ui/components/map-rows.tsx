import { Button } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import type { MapPair } from '../form-faults.ts';

export interface MapRowsProps {
  pairs: readonly MapPair[];
  isDisabled: boolean;
  onChange: (pairs: MapPair[]) => void;
}

const EMPTY: MapPair = { key: '', value: '' };

/** Pairs of texts, one row each. */
export function MapRows({ pairs, isDisabled, onChange }: MapRowsProps) {
  const shown = pairs.length === 0 ? [EMPTY] : pairs;
  const change = (index: number, part: Partial<MapPair>) =>
    onChange(shown.map((pair, at) => (at === index ? { ...pair, ...part } : pair)));
  return (
    <div className="map-rows">
      {shown.map(({ key, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own while they are typed
        <div className="row" key={index}>
          <input
            className="bp6-input"
            aria-label={`Name ${index + 1}`}
            placeholder="Name"
            disabled={isDisabled}
            value={key}
            onChange={(event) => change(index, { key: event.target.value })}
          />
          <span aria-hidden="true">=</span>
          <input
            className="bp6-input"
            aria-label={`Value ${index + 1}`}
            placeholder="Value"
            disabled={isDisabled}
            value={value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <Button
            variant="minimal"
            size="small"
            icon={<Cross size={14} />}
            aria-label={`Remove row ${index + 1}`}
            disabled={isDisabled}
            onClick={() => onChange(shown.filter((_pair, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={<Add size={14} aria-hidden={true} />}
        text="Add row"
        disabled={isDisabled}
        onClick={() => onChange([...shown, EMPTY])}
      />
    </div>
  );
}
