import { CATEGORIES, isCategoryKey } from '@breakwater/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { StatusDot, Time } from '../../platform/ui/display/badges.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { SENDING_NAMES } from '../model/publication.ts';
import type { PublishedItem } from './published.store.ts';

type Attributes = PublishedItem['attributes'];

function State({ state, reason, visibility, added, version }: Attributes) {
  if (state === 'revoked')
    return (
      <StatusDot tone="bad">
        {reason === '' ? t('Revoked by the operator') : t('Revoked by the operator: {reason}', { reason })}
      </StatusDot>
    );
  if (state === 'unpublished') return <StatusDot tone="off">{t('Not offered any more')}</StatusDot>;
  if (added !== null && added.version !== version)
    return (
      <StatusDot tone="warn">
        {t('You have {version}: a newer one waits for an admin', { version: added.version })}
      </StatusDot>
    );
  if (added !== null) return <StatusDot tone="ok">{t('In your catalogue')}</StatusDot>;
  return visibility === 'private' ? <StatusDot tone="neutral">{t('Seen by your organisation only')}</StatusDot> : null;
}

function Publisher({ publisher, is_own }: Attributes) {
  if (is_own) return <span>{t('Published by your organisation')}</span>;
  return (
    <span>
      {t('Published by {publisher}', { publisher: publisher.name })}{' '}
      <span
        className="sig"
        title={publisher.verified ? t('The operator has checked this name') : t('Nobody has checked this name')}
      >
        {publisher.verified ? t('Verified') : t('Not verified')}
      </span>
    </span>
  );
}

/** One published connector: what it is, whose, and what it talks to. */
export function PublishedCard({ item, actions }: { item: PublishedItem; actions: ReactNode }) {
  const { attributes } = item;
  const { title, category, description, hosts, sends, version, published_at, added } = attributes;
  return (
    <section className="bp6-card offer-card" aria-label={title}>
      <div className="row">
        <h2 className="grow trunc" title={title}>
          {title}
        </h2>
        <span className="muted small">{t(isCategoryKey(category) ? CATEGORIES[category] : category)}</span>
      </div>
      <p className="t2">{description}</p>
      <p className="muted small">
        <Publisher {...attributes} />
      </p>
      <p className="muted small">
        <Words of="Version {version}, {time}" version={version} time={<Time value={published_at} />} />
      </p>
      <p className="mono small offer-hosts" title={t('Hosts that it talks to')}>
        {hosts.join(', ')}
      </p>
      {sends.length > 0 && <p className="muted small">{sends.map((one) => t(SENDING_NAMES[one])).join(' · ')}</p>}
      <State {...attributes} />
      <div className="row offer-actions">
        {added !== null && (
          <Link
            className="bp6-button"
            to={`/connector/providers?open=${encodeURIComponent(`${category}/${added.connector}`)}`}
          >
            {t('Open its card')}
          </Link>
        )}
        {actions}
      </div>
    </section>
  );
}
