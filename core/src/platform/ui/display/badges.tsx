import { Wrench } from '@blueprintjs/icons';
import type { Severity } from '@breakwater/sdk';
import type { ReactNode } from 'react';
import { SEVERITY_LABELS } from '../../model/severity.ts';
import { t } from '../language/translate.ts';
import { formatDate, formatExact, formatPercent, formatTime } from './formats.ts';

const PATHS: Record<Exclude<Severity, 'informational'>, string> = {
  critical: 'M3.6 0h4.8L12 3.6v4.8L8.4 12H3.6L0 8.4V3.6z',
  high: 'M6 .6 12 11.4H0z',
  medium: 'M6 0l6 6-6 6-6-6z',
  low: 'M1.5 1.5h9v9h-9z',
};

const classOf = (severity: Severity): string => `sev-${severity === 'informational' ? 'info' : severity}`;

interface SeverityShapeProps {
  severity: Severity;
  size?: number;
}

/** The shape alone, in the severity's colour: for legends and places under 60 px. */
export function SeverityShape({ severity, size = 10 }: SeverityShapeProps) {
  return (
    <svg className={classOf(severity)} width={size} height={size} viewBox="0 0 12 12" aria-hidden="true">
      {severity === 'informational' ? (
        <circle cx="6" cy="6" r="4.6" fill="none" stroke="var(--c)" strokeWidth="2" />
      ) : (
        <path d={PATHS[severity]} fill="var(--c)" />
      )}
    </svg>
  );
}

interface SeverityBadgeProps {
  severity: Severity;
  /** Drops the word where there is no room; it stays for assistive technology. */
  isShapeOnly?: boolean;
}

/** Severity as shape, colour and word. */
export function SeverityBadge({ severity, isShapeOnly = false }: SeverityBadgeProps) {
  const label = t(SEVERITY_LABELS[severity]);
  return (
    <span className={`sev ${classOf(severity)}`} title={isShapeOnly ? label : undefined}>
      <SeverityShape severity={severity} />
      {isShapeOnly ? <span className="sr">{label}</span> : label}
    </span>
  );
}

interface KevBadgeProps {
  /** Day the CVE was added to the catalogue, where known. */
  addedOn?: string | null;
}

/** Known to be exploited: the strongest mark on a row. */
export function KevBadge({ addedOn }: KevBadgeProps) {
  const title =
    addedOn === undefined || addedOn === null
      ? t('In the catalogue of known exploited vulnerabilities')
      : t('In the catalogue of known exploited vulnerabilities since {date}', { date: formatDate(addedOn) });
  return (
    <span className="sig kev" title={title}>
      KEV
    </span>
  );
}

/** EPSS probability 0-1 as people read it: whole percent, open at both ends. */
export const formatEpss = (probability: number): string => {
  const percent = probability * 100;
  if (percent < 1) return `<${formatPercent(1)}`;
  if (percent > 99) return `>${formatPercent(99)}`;
  return formatPercent(percent);
};

interface EpssBadgeProps {
  /** Probability 0-1. */
  probability: number;
  percentile?: number | null;
  /** Date of the scores. */
  date?: string | null;
}

/** Probability of exploitation within 30 days. */
export function EpssBadge({ probability, percentile, date }: EpssBadgeProps) {
  const parts = [
    t('Probability of exploitation in the next 30 days: {percent}', { percent: formatPercent(probability * 100, 2) }),
  ];
  if (percentile !== undefined && percentile !== null)
    parts.push(t('higher than {percentile} of all', { percentile: formatEpss(percentile) }));
  if (date !== undefined && date !== null) parts.push(t('EPSS of {date}', { date: formatDate(date) }));
  return (
    <span className="sig" title={parts.join(', ')}>
      EPSS {formatEpss(probability)}
    </span>
  );
}

interface FixBadgeProps {
  version: string;
}

/** A version without the error exists. */
export function FixBadge({ version }: FixBadgeProps) {
  return (
    <span className="sig" title={t('Fixed in {version}', { version })}>
      <Wrench size={10} aria-hidden={true} />
      {/* a word of its own: a column has less room than the tab of the panel */}
      <span className="first-capital">{t('fix')}</span>
    </span>
  );
}

/** accent: open. ok: fixed, done. warn: reopened, changed. bad: failed. off: false positive or switched off. neutral: the rest. */
export type StatusTone = 'accent' | 'ok' | 'warn' | 'bad' | 'off' | 'neutral';

const CLASS_OF: Record<StatusTone, string> = {
  accent: 'acc',
  ok: 'ok',
  warn: 'warn',
  bad: 'bad',
  off: 'off',
  neutral: '',
};

interface StatusDotProps {
  tone: StatusTone;
  children: ReactNode;
}

/** A state as a shape, its colour, and its word. */
export function StatusDot({ tone, children }: StatusDotProps) {
  return (
    <span className={`st ${CLASS_OF[tone]}`}>
      <i aria-hidden="true" />
      {children}
    </span>
  );
}

interface TimeProps {
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
