import { CATEGORIES, isCategoryKey } from '@breakwater/sdk';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { StatusDot, Time } from '../../platform/ui/display/badges.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { fieldTitles, hostOf } from './form-fields.ts';
import type { PluginItem, PluginVersion } from './installed.store.ts';

function State({ item }: { item: PluginItem }) {
  const { is_offered, reason, enabled, source } = item.attributes;
  if (!is_offered)
    return (
      <StatusDot tone="bad">
        {reason === '' ? t('Disabled by the operator') : t('Disabled by the operator: {reason}', { reason })}
      </StatusDot>
    );
  // for whoever runs the installation, how many use it says more than whether their own organisation does
  if (enabled === null) return source === undefined ? <StatusDot tone="off">{t('Not enabled')}</StatusDot> : null;
  const { version, more, is_held } = enabled;
  if (version === null) return <StatusDot tone="bad">{t('No version that you approved is left')}</StatusDot>;
  if (more !== null && !is_held)
    return (
      <StatusDot tone="warn">
        {t('{version} runs: a newer one asks for more and waits for an admin', { version })}
      </StatusDot>
    );
  if (is_held)
    return <StatusDot tone="warn">{t('{version} runs, and newer ones do not follow', { version })}</StatusDot>;
  return <StatusDot tone="ok">{t('Enabled, {version}', { version })}</StatusDot>;
}

/** One card of it before it is enabled: what it can do, and what its form asks for. */
function Connector({ connector, open }: { connector: PluginVersion['connectors'][number]; open: string | undefined }) {
  const { title, category, description } = connector;
  const fields = [...fieldTitles(connector).values()];
  return (
    <li>
      <p>
        {open === undefined ? <strong>{title}</strong> : <Link to={open}>{title}</Link>}{' '}
        <span className="muted small">{t(isCategoryKey(category) ? CATEGORIES[category] : category)}</span>
      </p>
      <p className="t2">{description}</p>
      <p className="muted small">
        {fields.length === 0
          ? t('Its form asks for nothing.')
          : t('Its form asks for: {fields}', { fields: fields.join(', ') })}
      </p>
    </li>
  );
}

const openAt = (item: PluginItem, { id, category }: PluginVersion['connectors'][number]): string | undefined => {
  const own = item.attributes.enabled?.connectors[id];
  return own === undefined ? undefined : `/connector/providers?open=${encodeURIComponent(`${category}/${own}`)}`;
};

/** A plugin: whose it is, its cards, and what it may do. None of its code ran for this. */
export function PluginCard({ item, actions }: { item: PluginItem; actions: ReactNode }) {
  const { versions, source, organisations } = item.attributes;
  const [newest] = versions;
  if (newest === undefined) return null;
  const { version, publisher, tier, kind, hosts, installed_at, connectors } = newest;
  return (
    <section className="bp6-card offer-card" aria-label={item._id}>
      <div className="row">
        <h2 className="grow trunc mono" title={item._id}>
          {item._id}
        </h2>
        <span className="sig" title={t('Its build says that it passes the tests of this tier.')}>
          {tier}
        </span>
      </div>
      <p className="muted small">
        {kind === 'code'
          ? t('By {publisher}, with code that runs in a process of its own', { publisher })
          : t('By {publisher}, without code', { publisher })}
      </p>
      <p className="muted small">
        <Words of="Version {version}, {time}" version={version} time={<Time value={installed_at} />} />
      </p>
      <ul className="plugin-connectors">
        {connectors.map((connector) => (
          <Connector key={connector.id} connector={connector} open={openAt(item, connector)} />
        ))}
      </ul>
      <p className="mono small offer-hosts" title={t('Hosts that it talks to')}>
        {hosts.map((host) => hostOf(newest, host)).join(', ')}
      </p>
      {source !== undefined && (
        <p className="muted small">
          <span className="mono">{source}</span>
          {' · '}
          {plural(organisations ?? 0, '{count} organisation uses it', '{count} organisations use it')}
        </p>
      )}
      <State item={item} />
      <div className="row offer-actions">{actions}</div>
    </section>
  );
}
