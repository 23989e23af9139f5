import { Link } from 'react-router-dom';
import { EpssBadge, FixBadge, KevBadge, SeverityBadge } from '../../../platform/ui/display/badges.tsx';
import { formatDate } from '../../../platform/ui/display/formats.ts';
import { locationOf, titleOf } from '../../model/finding-text.ts';
import type { FindingAttributes, FindingItem } from '../data/findings.store.ts';
import './findings.css';

export type PriorityRow = FindingItem;

interface PriorityListProps {
  rows: readonly PriorityRow[];
}

/** A short list by priority, for the dashboard: number, title, place, signals. */
export function PriorityList({ rows }: PriorityListProps) {
  return (
    <ol className="prio-list">
      {rows.map(({ _id, attributes }) => (
        <li key={_id}>
          <span className="prio tn">{attributes.priority}</span>
          <SeverityBadge severity={attributes.severity} />
          <span className="prio-what">
            <Link className="ttl trunc" to={`/findings/finding-details/${_id}`}>
              {titleOf(attributes)}
            </Link>
            <span className="loc trunc">{locationOf(attributes)}</span>
          </span>
          <span className="row prio-signals">
            <FindingSignals finding={attributes} />
          </span>
        </li>
      ))}
    </ol>
  );
}

interface FindingSignalsProps {
  finding: Pick<
    FindingAttributes,
    'kev' | 'kev_date_added' | 'estimated_epss' | 'epss_percentile' | 'epss_date' | 'fixed_version'
  >;
}

/** KEV, EPSS and Fix, strongest first. */
export function FindingSignals({ finding }: FindingSignalsProps) {
  return (
    <>
      {finding.kev && <KevBadge addedOn={finding.kev_date_added} />}
      {finding.estimated_epss !== null && (
        <EpssBadge probability={finding.estimated_epss} percentile={finding.epss_percentile} date={finding.epss_date} />
      )}
      {finding.fixed_version !== null && <FixBadge version={finding.fixed_version} />}
    </>
  );
}

/** The last day in time (UTC), and whether it is past. */
export function DueDate({ date }: { date: string }) {
  const isOverdue = date < new Date().toISOString().slice(0, 10);
  return (
    <>
      <span className={isOverdue ? 'strong' : undefined}>{formatDate(date)}</span>
      {isOverdue && <span className="muted small"> overdue</span>}
    </>
  );
}
