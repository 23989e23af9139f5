import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { Time } from '../../platform/ui/display/badges.tsx';
import { formatDate, formatFixed, formatNumber } from '../../platform/ui/display/formats.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import type { Health } from '../api/routes.ts';
import { MAX_FEED_AGE_DAYS } from '../model/health.ts';

type Part<K extends keyof Health> = Exclude<Health[K], null | string>;

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </>
);

const MEGABYTE = 1024 * 1024;

export function DatabaseFacts({ part }: { part: Part<'database'> }) {
  const { version, size_bytes, connections, max_connections } = part;
  return (
    <dl className="kv">
      <Fact name={t('Version')}>{version}</Fact>
      <Fact name={t('Size')}>{t('{size} MB', { size: formatFixed(size_bytes / MEGABYTE, 1) })}</Fact>
      <Fact name={t('Connections')}>
        {t('{used} of {most}', { used: formatNumber(connections), most: formatNumber(max_connections) })}
      </Fact>
    </dl>
  );
}

export function QueueFacts({ part: { waiting_since, jobs, imports } }: { part: Part<'queue'> }) {
  return (
    <>
      <dl className="kv">
        <Fact name={t('Oldest waiting job')}>
          {waiting_since === null ? t('none') : <Time value={waiting_since} />}
        </Fact>
        <Fact name={t('Imports')}>
          {plural(imports.unfinished, '{count} not finished', '{count} not finished')}
          {imports.oldest_at !== null && (
            <>
              {' · '}
              <Time value={imports.oldest_at} />
            </>
          )}
        </Fact>
      </dl>
      {jobs.length > 0 && (
        <table className="health-table">
          <thead>
            <tr>
              <th>{t('Job')}</th>
              <th className="num">{t('Waiting')}</th>
              <th className="num">{t('Running')}</th>
              <th className="num">{t('Given up')}</th>
            </tr>
          </thead>
          <tbody>
            {jobs.map(({ name, waiting, active, failed }) => (
              <tr key={name}>
                <td className="mono small">{name}</td>
                <td className="num">{formatNumber(waiting)}</td>
                <td className="num">{formatNumber(active)}</td>
                <td className={failed > 0 ? 'num health-failed' : 'num'}>{formatNumber(failed)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      )}
    </>
  );
}

export function RollupFacts({ part: { checked_at, clients, differences } }: { part: Part<'rollups'> }) {
  if (checked_at === null) return <p>{t('The first check is next night.')}</p>;
  return (
    <>
      <dl className="kv">
        <Fact name={t('Last check')}>
          <Time value={checked_at} />
        </Fact>
        <Fact name={t('Organisations')}>{formatNumber(clients)}</Fact>
        <Fact name={t('Differences')}>{formatNumber(differences)}</Fact>
      </dl>
      {differences > 0 && (
        <p>
          <Words of="<a>npm run admin -- rebuild-rollups</a> makes them right." a={(text) => <code>{text}</code>} />
        </p>
      )}
    </>
  );
}

export function FeedFacts({ part: { status, items } }: { part: Part<'feeds'> }) {
  const isOld = status !== 'ok' && items.every(({ failure }) => failure === null);
  return (
    <>
      <dl className="kv">
        {items.map(({ id, title, data_date, checked_at, failure }) => (
          <Fact key={id} name={title}>
            {data_date === null ? t('none') : formatDate(data_date)}
            {checked_at !== null && (
              <span className="muted small">
                {' · '}
                {t('checked')} <Time value={checked_at} />
              </span>
            )}
            {failure !== null && <div className="health-failed">{failure}</div>}
          </Fact>
        ))}
      </dl>
      {isOld && (
        <p>
          <Words
            of="A list is missing or older than {days} days. <a>Reference data</a> takes a newer one."
            days={MAX_FEED_AGE_DAYS}
            a={(text) => <Link to="/settings/reference-data">{text}</Link>}
          />
        </p>
      )}
    </>
  );
}

export function MailFacts({ part: { is_configured, waiting, failed } }: { part: Part<'mail'> }) {
  return (
    <>
      <dl className="kv">
        <Fact name={t('Waiting')}>{formatNumber(waiting)}</Fact>
        <Fact name={t('Failed today')}>{formatNumber(failed)}</Fact>
      </dl>
      {!is_configured && <p className="muted">{t('No mail server is configured: mails stay in the outbox.')}</p>}
    </>
  );
}

export function ScannerFacts({ part: { items } }: { part: Part<'scanners'> }) {
  const installed = items.filter(({ version }) => version !== null);
  const missing = items.filter(({ version }) => version === null);
  return (
    <>
      <dl className="kv">
        {installed.map(({ id, title, version }) => (
          <Fact key={id} name={title}>
            <span className="mono small">{version}</span>
          </Fact>
        ))}
      </dl>
      {missing.length > 0 && (
        <details>
          <summary>{plural(missing.length, '{count} is not installed', '{count} are not installed')}</summary>
          <p className="muted small">{missing.map(({ title }) => title).join(', ')}</p>
        </details>
      )}
    </>
  );
}
