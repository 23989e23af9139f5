import { Button } from '@blueprintjs/core';
import { ArrowLeft, Trash, Upload } from '@blueprintjs/icons';
import { SEVERITIES } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useNavigate } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { SEVERITY_LABELS } from '../../../platform/model/severity.ts';
import { visibleText } from '../../../platform/model/visible-text.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { ApiError } from '../../../platform/ui/data/api-error.ts';
import { LIVE_EVENTS, REPOSITORY_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../../platform/ui/data/uploads-port.ts';
import { SeverityShape, StatusDot, Time } from '../../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { PageError } from '../../../shell/ui/routing/guards.ts';
import { findingsOf, findingsOfSeverity, type Repository, sourceOf, stateOf } from '../parts/repository-display.tsx';
import { LinkSource } from './link-source.tsx';
import { type RepositoryEvent, RepositoryStore } from './repository.store.ts';
import { RepositorySettings } from './repository-settings.tsx';
import './repository-detail.css';

/** Open findings by severity; each figure leads to its rows. */
function Figures({ id, counts }: { id: string; counts: Repository['counts'] }) {
  return (
    <nav className="kpis" aria-label={t('Open findings')}>
      {SEVERITIES.map((severity) => (
        <Link key={severity} to={findingsOfSeverity(id, severity)}>
          <span className="f">{formatNumber(counts[severity])}</span>
          <span className="k row">
            <SeverityShape severity={severity} /> {t(SEVERITY_LABELS[severity])}
          </span>
        </Link>
      ))}
    </nav>
  );
}

const Branches = observer(function Branches({ store }: { store: RepositoryStore }) {
  return (
    <section className="bp6-card repository-branches" aria-label={t('Branches')}>
      <h2>{t('Branches')}</h2>
      <table className="mini">
        <thead>
          <tr>
            <th>{t('Branch')}</th>
            <th>{t('Open findings')}</th>
            <th className="num">{t('Last scan')}</th>
          </tr>
        </thead>
        <tbody>
          {store.branches.map(({ _id, attributes: { name, is_default, last_scan, counts } }) => (
            <tr key={_id}>
              <td>
                <span className="row">
                  <Link
                    className="trunc"
                    title={name}
                    to={
                      is_default ? findingsOf(store.id) : `${findingsOf(store.id)}&branch=${encodeURIComponent(name)}`
                    }
                  >
                    {name}
                  </Link>
                  {is_default && <span className="sig">{t('Default')}</span>}
                </span>
              </td>
              <td className="tn">{formatNumber(SEVERITIES.reduce((sum, one) => sum + counts[one], 0))}</td>
              <td className="num">
                {last_scan === null ? <span className="muted">{t('Never')}</span> : <Time value={last_scan} />}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
});

const FIELD_LABELS: Readonly<Record<string, string>> = {
  nickname: msg('Name'),
  repository_branch: msg('Default branch'),
  owner: msg('Owner'),
  tags: msg('Tags'),
  exposure: msg('Exposure'),
  data_class: msg('Data class'),
  schedule: msg('Schedule'),
  workflow_pr: msg('Pull request with a pipeline'),
  source: msg('Repository at its source control'),
};

/** What a field without a value says. */
const NOTHING: Readonly<Record<string, string>> = { schedule: msg('as the organisation'), owner: msg('nobody') };

const eventWords = ({ field, from, to }: RepositoryEvent): string => {
  if (field === 'added') return t('Added');
  const nothing = NOTHING[field] ?? msg('not set');
  const value = (text: string | null): string => (text === null || text === 'unknown' ? t(nothing) : visibleText(text));
  return `${t(FIELD_LABELS[field] ?? field)}: ${value(from)} → ${value(to)}`;
};

const FEW = 6;

const History = observer(function History({ store }: { store: RepositoryStore }) {
  const [isWhole, setIsWhole] = useState(false);
  const { events } = store;
  return (
    <section className="bp6-card repository-history" aria-label={t('History')}>
      <h2>{t('History')}</h2>
      {events.length === 0 && <p className="muted">{t('Nothing was changed yet.')}</p>}
      <ol className="hist">
        {(isWhole ? events : events.slice(0, FEW)).map((event, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries of one moment differ by their place only
          <li key={`${event.at}-${index}`}>
            <div className="grow">
              <p className="wrap-any">{eventWords(event)}</p>
              <p className="small muted">
                {event.by ?? 'Breakwater'} · <Time value={event.at} />
              </p>
            </div>
          </li>
        ))}
      </ol>
      {!isWhole && events.length > FEW && (
        <Button
          size="small"
          variant="minimal"
          text={t('Show all {count}', { count: events.length })}
          onClick={() => setIsWhole(true)}
        />
      )}
    </section>
  );
});

function DeleteAction({ store, name }: { store: RepositoryStore; name: string }) {
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const [isAsking, setIsAsking] = useState(false);
  const remove = async () => {
    try {
      await store.remove();
      toasts.show(t('{name} deleted', { name }), { tone: 'done' });
      void navigate('/Repositories'); // no text: an address
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <>
      <Button icon={<Trash />} text={t('Delete')} onClick={() => setIsAsking(true)} />
      <ActionDialog
        isOpen={isAsking}
        title={t('Delete repository {name}', { name })}
        consequence={t('Its findings, verdicts, components and scans go with it. This cannot be undone.')}
        actionLabel={t('Delete repository')}
        isDestructive
        isBusy={store.isDeleting}
        onAction={() => void remove()}
        onClose={() => setIsAsking(false)}
      />
    </>
  );
}

/** Only an address that a browser may open; a clone address of ssh is none. */
const webAddress = (url: string): string | undefined =>
  /^https?:\/\//i.test(url) ? url.replace(/\.git$/, '') : undefined;

function Origin({ store, repository }: { store: RepositoryStore; repository: Repository }) {
  const role = useService(SESSION).user?.role;
  const { source_control, url, repository_branch } = repository;
  const address = webAddress(url);
  const state = stateOf(repository);
  return (
    <div className="row wrap repository-origin small">
      <StatusDot tone={state.tone}>{t(state.word)}</StatusDot>
      <span className="muted">{sourceOf(repository)}</span>
      <code className="muted">{repository_branch}</code>
      {address !== undefined && (
        <a className="wrap-any" href={address} target="_blank" rel="noreferrer noopener">
          {url}
        </a>
      )}
      {address === undefined && url !== '' && <code className="muted wrap-any">{url}</code>}
      {repository.is_sample && <span className="sig">{t('Sample')}</span>}
      {source_control === 'git' && !repository.is_sample && can(role, 'repositories.write') && (
        <LinkSource id={store.id} name={repository.nickname} onLinked={() => void store.load()} />
      )}
    </div>
  );
}

const useRepository = (id: string): RepositoryStore => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [store] = useState(() => new RepositoryStore(api, id));
  useEffect(() => {
    const reload = () => void store.load();
    reload();
    const stops = [...REPOSITORY_EVENTS.map((kind) => events.on(kind, reload)), events.onReconnect(reload)];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return store;
};

export interface RepositoryDetailProps {
  id: string;
  /** What other slices keep of it: trend, scans, components. */
  children: ReactNode;
}

/** One repository: how it stands, and what is set of it. */
export const RepositoryDetail = observer(function RepositoryDetail({ id, children }: RepositoryDetailProps) {
  const uploads = useService(UPLOADS);
  const role = useService(SESSION).user?.role;
  const store = useRepository(id);
  const { repository, error } = store;
  if (error instanceof ApiError && error.code === 'repository_not_found')
    throw new PageError(404, t('Repository not found'));
  if (error !== undefined && repository === undefined) {
    return <ErrorState title={t('The repository could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (repository === undefined) return <SkeletonRows rows={8} rowHeight={52} label={t('The repository')} />;
  const name = repository.nickname;
  return (
    <div className="canvas repository-page">
      <div className="repository-back small">
        <Link to="/Repositories">
          <ArrowLeft size={12} aria-hidden={true} /> {t('Repositories')}
        </Link>
      </div>
      <PageHead title={name}>
        {can(role, 'repositories.delete') && <DeleteAction store={store} name={name} />}
        <Link className="bp6-button" to={findingsOf(id)}>
          {t('Findings')}
        </Link>
        <Button
          intent="primary"
          icon={<Upload />}
          text={t('Upload reports')}
          onClick={() => uploads.open({ kind: 'existing', id, name })}
        />
      </PageHead>
      <Origin store={store} repository={repository} />
      <div className="page">
        <Figures id={id} counts={repository.counts} />
        <div className="pgrid">
          <div className="repository-main">
            {children}
            <Branches store={store} />
          </div>
          <div className="repository-side">
            <RepositorySettings store={store} repository={repository} />
            <History store={store} />
          </div>
        </div>
      </div>
    </div>
  );
});
