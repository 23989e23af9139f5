import { Link } from 'react-router-dom';
import { SeverityBadge } from '../../../platform/ui/severity-badge.tsx';
import { placeOf, titleOf } from '../finding-text.ts';
import type { FindingItem } from '../findings.store.ts';
import '../findings.css';
import { FindingSignals } from './finding-signals.tsx';

export type PriorityRow = FindingItem;

export interface PriorityListProps {
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
            <span className="loc trunc">{placeOf(attributes)}</span>
          </span>
          <span className="row prio-signals">
            <FindingSignals finding={attributes} />
          </span>
        </li>
      ))}
    </ol>
  );
}
