import { Button } from '@blueprintjs/core';
import { ChevronRight, History } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { auditLabel } from '../../platform/model/audit-kinds.ts';
import { Time } from '../../platform/ui/display/badges.tsx';
import { formatExact } from '../../platform/ui/display/formats.ts';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import type { AuditItem, AuditStore } from './audit.store.ts';

const ACTOR_NOTES = { person: '', token: 'API token', superadmin: 'superadmin', operator: '', system: '' } as const;

/** `from: developer · to: admin`. */
const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return value === null ? 'none' : String(value);
};

function EntryDetails({ attributes }: { attributes: AuditItem['attributes'] }) {
  const { at, actor_id, actor_type, agent, details, kind } = attributes;
  const facts: [string, string][] = [
    ['Time', formatExact(at)],
    ['Kind', kind],
    ['Who', `${actor_type}${actor_id === null ? '' : ` ${actor_id}`}`],
    ['Program', agent ?? ''],
    ...Object.entries(details).map(([key, value]): [string, string] => [key.replaceAll('_', ' '), textOf(value)]),
  ];
  return (
    <dl className="audit-facts">
      {facts
        .filter(([, text]) => text !== '')
        .map(([name, text]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{text}</dd>
          </div>
        ))}
    </dl>
  );
}

function Entry({ attributes }: { attributes: AuditItem['attributes'] }) {
  const { at, kind, subject, actor, actor_type, address, device } = attributes;
  const note = ACTOR_NOTES[actor_type];
  return (
    <li className="audit-entry">
      <details>
        <summary>
          <ChevronRight aria-hidden={true} />
          <span className="what">
            <span className={kind === 'sign-in.failed' ? 'strong failed' : 'strong'}>{auditLabel(kind)}</span>
            {subject !== '' && <span className="t2"> {subject}</span>}
          </span>
          <span className="who">
            {actor}
            {note !== '' && <span className="muted small"> {note}</span>}
          </span>
          <span className="muted small from">{[address, device].filter((part) => part !== null).join(' · ')}</span>
          <span className="muted small when">
            <Time value={at} />
          </span>
        </summary>
        <EntryDetails attributes={attributes} />
      </details>
    </li>
  );
}

interface AuditListProps {
  store: AuditStore;
  onClear: () => void;
  /** May say for how long entries are kept. */
  mayChange: boolean;
}

/** Entries, newest first, each with its details below. */
export const AuditList = observer(function AuditList({ store, onClear, mayChange }: AuditListProps) {
  const { rows, error, nextCursor, retentionDays } = store;
  if (error !== undefined) {
    return <ErrorState title="The audit log could not be read" error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={8} rowHeight={44} label="Audit log" />;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<History size={20} />}
        title={store.isFiltered ? 'No entry matches' : 'Nothing happened yet'}
        actions={store.isFiltered ? <Button text="Show everything" onClick={onClear} /> : undefined}
      >
        Entries are kept for {retentionDays} days.
      </EmptyState>
    );
  }
  return (
    <div className="list-scroll">
      <ul className="audit-entries" aria-label="Audit log">
        {rows.map((item) => (
          <Entry key={item._id} attributes={item.attributes} />
        ))}
      </ul>
      <p className="audit-end muted small">
        {nextCursor === null ? (
          <>
            That is all: entries are kept for {retentionDays} days.
            {mayChange && (
              <>
                {' '}
                <Link to="/settings/security">Change this</Link>
              </>
            )}
          </>
        ) : (
          <Button text="Show older entries" loading={store.isLoadingMore} onClick={() => void store.loadMore()} />
        )}
      </p>
    </div>
  );
});
