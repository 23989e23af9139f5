import { Wrench } from '@blueprintjs/icons';
import { formatDate } from './time-format.ts';

export interface KevBadgeProps {
  /** Day the CVE was added to the catalogue, where known. */
  addedOn?: string | null;
}

/** Known to be exploited: the strongest mark on a row. */
export function KevBadge({ addedOn }: KevBadgeProps) {
  const since = addedOn === undefined || addedOn === null ? '' : ` since ${formatDate(addedOn)}`;
  return (
    <span className="sig kev" title={`In the catalogue of known exploited vulnerabilities${since}`}>
      KEV
    </span>
  );
}

/** EPSS probability 0-1 as people read it: whole percent, open at both ends. */
export const formatEpss = (probability: number): string => {
  const percent = probability * 100;
  if (percent < 1) return '<1%';
  if (percent > 99) return '>99%';
  return `${Math.round(percent)}%`;
};

export interface EpssBadgeProps {
  /** Probability 0-1. */
  probability: number;
  percentile?: number | null;
  /** Date of the scores. */
  date?: string | null;
}

/** Probability of exploitation within 30 days. */
export function EpssBadge({ probability, percentile, date }: EpssBadgeProps) {
  const parts = [`Probability of exploitation in the next 30 days: ${(probability * 100).toFixed(2)}%`];
  if (percentile !== undefined && percentile !== null) parts.push(`higher than ${formatEpss(percentile)} of all`);
  if (date !== undefined && date !== null) parts.push(`EPSS of ${formatDate(date)}`);
  return (
    <span className="sig" title={parts.join(', ')}>
      EPSS {formatEpss(probability)}
    </span>
  );
}

export interface FixBadgeProps {
  version: string;
}

/** A version without the fault exists. */
export function FixBadge({ version }: FixBadgeProps) {
  return (
    <span className="sig" title={`Fixed in ${version}`}>
      <Wrench size={10} aria-hidden={true} />
      Fix
    </span>
  );
}
