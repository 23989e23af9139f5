import { Button } from '@blueprintjs/core';
import { ChevronRight, History } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { Link } from 'react-router-dom';
import { auditLabel } from '../../platform/model/audit-kinds.ts';
import { msg } from '../../platform/model/message.ts';
import { Time } from '../../platform/ui/display/badges.tsx';
import { deviceText } from '../../platform/ui/display/device-text.ts';
import { formatExact } from '../../platform/ui/display/formats.ts';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import type { AuditItem, AuditStore } from './audit.store.ts';

const ACTOR_NOTES = {
  person: '',
  token: msg('API token'),
  superadmin: msg('Superadmin'),
  operator: '',
  system: '',
} as const;

/** `from: developer · to: admin`. */
const textOf = (value: unknown): string => {
  if (Array.isArray(value)) return value.map(String).join(', ');
  return value === null ? t('none') : String(value);
};

function EntryDetails({ attributes }: { attributes: AuditItem['attributes'] }) {
  const { at, actor_id, actor_type, agent, details, kind } = attributes;
  const facts: [string, string][] = [
    [t('Time'), formatExact(at)],
    [t('Kind'), kind],
    [t('Who'), `${actor_type}${actor_id === null ? '' : ` ${actor_id}`}`],
    [t('Program'), agent ?? ''],
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
            <span className={kind === 'sign-in.failed' ? 'strong failed' : 'strong'}>{t(auditLabel(kind))}</span>
            {subject !== '' && <span className="t2"> {subject}</span>}
          </span>
          <span className="who">
            {actor}
            {note !== '' && <span className="muted small"> {t(note)}</span>}
          </span>
          <span className="muted small from">
            {[address, device === null ? null : deviceText(device)].filter((part) => part !== null).join(' · ')}
          </span>
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
    return <ErrorState title={t('The audit log could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={8} rowHeight={44} label={t('Audit log')} />;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<History size={20} />}
        title={store.isFiltered ? t('No entry matches') : t('Nothing happened yet')}
        actions={store.isFiltered ? <Button text={t('Show everything')} onClick={onClear} /> : undefined}
      >
        {plural(retentionDays ?? 0, 'Entries are kept for {count} day.', 'Entries are kept for {count} days.')}
      </EmptyState>
    );
  }
  return (
    <div className="list-scroll">
      <ul className="audit-entries" aria-label={t('Audit log')}>
        {rows.map((item) => (
          <Entry key={item._id} attributes={item.attributes} />
        ))}
      </ul>
      <p className="audit-end muted small">
        {nextCursor === null ? (
          <>
            {plural(
              retentionDays ?? 0,
              'That is all: entries are kept for {count} day.',
              'That is all: entries are kept for {count} days.',
            )}
            {mayChange && (
              <>
                {' '}
                <Link to="/settings/security">{t('Change this')}</Link>
              </>
            )}
          </>
        ) : (
          <Button text={t('Show older entries')} loading={store.isLoadingMore} onClick={() => void store.loadMore()} />
        )}
      </p>
    </div>
  );
});
