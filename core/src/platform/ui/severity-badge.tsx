import type { Severity } from '@breakwater/sdk';

/** Worst first: the fixed order of lists, legends and stacked charts. */
export const SEVERITY_LABELS: Record<Severity, string> = {
  critical: 'Critical',
  high: 'High',
  medium: 'Medium',
  low: 'Low',
  informational: 'Informational',
};

const PATHS: Record<Exclude<Severity, 'informational'>, string> = {
  critical: 'M3.6 0h4.8L12 3.6v4.8L8.4 12H3.6L0 8.4V3.6z',
  high: 'M6 .6 12 11.4H0z',
  medium: 'M6 0l6 6-6 6-6-6z',
  low: 'M1.5 1.5h9v9h-9z',
};

const classOf = (severity: Severity): string => `sev-${severity === 'informational' ? 'info' : severity}`;

export interface SeverityShapeProps {
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

export interface SeverityBadgeProps {
  severity: Severity;
  /** Drops the word where there is no room; it stays for assistive technology. */
  isShapeOnly?: boolean;
}

/** Severity as shape, colour and word. */
export function SeverityBadge({ severity, isShapeOnly = false }: SeverityBadgeProps) {
  const label = SEVERITY_LABELS[severity];
  return (
    <span className={`sev ${classOf(severity)}`} title={isShapeOnly ? label : undefined}>
      <SeverityShape severity={severity} />
      {isShapeOnly ? <span className="sr">{label}</span> : label}
    </span>
  );
}
