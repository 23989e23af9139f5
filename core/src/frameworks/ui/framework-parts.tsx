import { SEVERITIES } from '@breakwater/sdk';
import { Link } from 'react-router-dom';
import { type Filters, findingsHref } from '../../findings/ui/index.ts';
import { msg } from '../../platform/model/message.ts';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { SeverityShape, StatusDot, type StatusTone } from '../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import { inSentence, t } from '../../platform/ui/language/translate.ts';
import type { FrameworkControl, FrameworkSummary } from '../api/routes.ts';

/** Where the pages of frameworks live: the own organisation's, or those inside a client. */
export interface FrameworksPlace {
  /** A client that a superadmin reads; the own organisation without it. */
  clientId?: string | undefined;
  /** Address of the page of all frameworks. */
  path: string;
  /** Address of the list that figures lead to. */
  findingsPath?: string | undefined;
}

const STATES = {
  assessed: { tone: 'neutral', label: msg('Assessed') },
  partly_assessed: { tone: 'warn', label: msg('Assessed in part') },
  not_assessed: { tone: 'off', label: msg('Not assessed') },
} as const satisfies Record<FrameworkControl['state'], { tone: StatusTone; label: string }>;

/** How far anything looks at a control. */
export function ControlStateBadge({ state }: { state: FrameworkControl['state'] }) {
  const { tone, label } = STATES[state];
  return <StatusDot tone={tone}>{t(label)}</StatusDot>;
}

interface OpenCountsProps {
  /** Value of the filter `control`. */
  filter: string;
  counts: FrameworkSummary['counts'];
  place: FrameworksPlace;
}

/** Open findings by severity, worst first; each figure leads to its rows. */
export function OpenCounts({ filter, counts, place }: OpenCountsProps) {
  return (
    <span className="fw-counts">
      {SEVERITIES.map((severity) => {
        const name = `${formatNumber(counts[severity])} ${inSentence(SEVERITY_LABELS[severity])}`;
        return (
          <Link
            key={severity}
            className={counts[severity] === 0 ? 'is-zero' : undefined}
            to={findingsHref({ control: [filter], severity: [severity] }, '', place.findingsPath)}
            title={name}
            aria-label={name}
          >
            <SeverityShape severity={severity} />
            <span className="num">{formatNumber(counts[severity])}</span>
          </Link>
        );
      })}
    </span>
  );
}

/** A list of all results, hiding none. */
const EVERYTHING: Filters = { status: [], false_positive: 'show', accepted_risk: 'show', is_duplicate: 'show' };

const DECIDED = [
  { key: 'mitigated', label: msg('Fixed') },
  { key: 'accepted_risk', label: msg('Risk accepted') },
  { key: 'false_positive', label: msg('False positive') },
] as const;

/** Exactly what is counted of each, open or not. */
const DECIDED_FILTERS: Readonly<Record<(typeof DECIDED)[number]['key'], Filters>> = {
  mitigated: { ...EVERYTHING, status: ['mitigated'] },
  accepted_risk: { ...EVERYTHING, accepted_risk: 'only' },
  false_positive: { ...EVERYTHING, false_positive: 'only' },
};

/** What is fixed, and what people decided; each figure leads to its rows. */
export function Decided({ control, place }: { control: FrameworkControl; place: FrameworksPlace }) {
  const shown = DECIDED.filter(({ key }) => control.decided[key] > 0);
  if (shown.length === 0) return <span className="muted small">{t('No decision')}</span>;
  return (
    <ul className="fw-decided">
      {shown.map(({ key, label }) => (
        <li key={key}>
          <Link to={findingsHref({ ...DECIDED_FILTERS[key], control: [control.filter] }, '', place.findingsPath)}>
            {t(label)} <span className="tn">{formatNumber(control.decided[key])}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}
