import { formatExact, formatTime } from './time-format.ts';

export interface TimeProps {
  /** ISO date or time. */
  value: string;
}

/** A moment: relative under a day, else the date; exact in the title. */
export function Time({ value }: TimeProps) {
  return (
    <time dateTime={value} title={formatExact(value)}>
      {formatTime(value)}
    </time>
  );
}
