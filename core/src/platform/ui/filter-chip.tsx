import { SmallCross } from '@blueprintjs/icons';

export interface FilterChipProps {
  label: string;
  value: string;
  onRemove: () => void;
}

/** One active filter: "Severity **critical, high**" with its own way out. */
export function FilterChip({ label, value, onRemove }: FilterChipProps) {
  return (
    <span className="chip">
      {label} <b>{value}</b>
      <button type="button" aria-label={`Remove filter ${label} ${value}`} onClick={onRemove}>
        <SmallCross size={16} aria-hidden={true} />
      </button>
    </span>
  );
}
