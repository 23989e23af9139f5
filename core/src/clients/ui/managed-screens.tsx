import { ArrowLeft, EyeOpen } from '@blueprintjs/icons';
import { lazy, Suspense, useEffect, useState } from 'react';
import { Link, Navigate, useParams } from 'react-router-dom';
import { loadManagedAudit } from '../../audit/ui/index.ts';
import { loadManagedFindings } from '../../findings/ui/index.ts';
import { type FrameworksPlace, loadManagedFramework, loadManagedFrameworks } from '../../frameworks/ui/index.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { ApiError, isAbort } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { loadManagedCharts } from '../../posture/ui/index.ts';
import { loadManagedRepositories } from '../../repositories/ui/index.ts';
import { PageError } from '../../shell/ui/routing/guards.ts';
import { getManagedClient } from '../api/managed-routes.ts';
import {
  MANAGED_CLIENTS,
  managedAudit,
  managedCharts,
  managedFindingPath,
  managedFindings,
  managedFrameworks,
  managedOverview,
  managedRepositories,
} from './managed-links.ts';
import { ManagedOverview } from './managed-overview.tsx';
import './managed-clients.css';

const LazyFindings = lazy(async () => ({ default: await loadManagedFindings() }));

/** The findings of a client, in the workbench of its own people. */
export function ManagedFindingsScreen() {
  const clientId = useParams().clientId?.toLowerCase();
  if (clientId === undefined) return <Navigate to={MANAGED_CLIENTS} replace={true} />;
  return (
    <Suspense fallback={<SkeletonRows rows={8} rowHeight={52} label={t('Findings')} />}>
      <LazyFindings
        key={clientId}
        clientId={clientId}
        listPath={managedFindings(clientId)}
        panelPath={managedFindingPath(clientId)}
        banner={<ClientBar clientId={clientId} current="findings" />}
      />
    </Suspense>
  );
}

const LazyRepositories = lazy(async () => ({ default: await loadManagedRepositories() }));

/** The repositories of a client, in the list of its own people. */
export function ManagedRepositoriesScreen() {
  const clientId = (useParams().clientId ?? '').toLowerCase();
  return (
    <Suspense fallback={<SkeletonRows rows={6} rowHeight={52} label={t('Repositories')} />}>
      <LazyRepositories
        key={clientId}
        clientId={clientId}
        findingsPath={managedFindings(clientId)}
        banner={<ClientBar clientId={clientId} current="repositories" />}
      />
    </Suspense>
  );
}

/** Plan, size and open work of a client. */
export function ManagedOverviewScreen() {
  const clientId = (useParams().clientId ?? '').toLowerCase();
  return (
    <ManagedOverview key={clientId} clientId={clientId} banner={<ClientBar clientId={clientId} current="overview" />} />
  );
}

const LazyAudit = lazy(async () => ({ default: await loadManagedAudit() }));

/** The audit log of a client. */
export function ManagedAuditScreen() {
  const clientId = (useParams().clientId ?? '').toLowerCase();
  return (
    <Suspense fallback={<SkeletonRows rows={8} rowHeight={44} label={t('Audit log')} />}>
      <LazyAudit key={clientId} clientId={clientId} banner={<ClientBar clientId={clientId} current="audit" />} />
    </Suspense>
  );
}

const LazyCharts = lazy(async () => ({ default: await loadManagedCharts() }));

/** The charts of a client. */
export function ManagedChartsScreen() {
  const clientId = (useParams().clientId ?? '').toLowerCase();
  return (
    <Suspense fallback={<SkeletonRows rows={8} rowHeight={52} label={t('Charts')} />}>
      <LazyCharts
        key={clientId}
        clientId={clientId}
        findingsPath={managedFindings(clientId)}
        banner={<ClientBar clientId={clientId} current="charts" />}
      />
    </Suspense>
  );
}

const LazyFrameworks = lazy(async () => ({ default: await loadManagedFrameworks() }));
const LazyFramework = lazy(async () => ({ default: await loadManagedFramework() }));

const frameworksOf = (clientId: string): FrameworksPlace => ({
  clientId,
  path: managedFrameworks(clientId),
  findingsPath: managedFindings(clientId),
});

/** The frameworks of a client, or one of them, as its own people see them. */
export function ManagedFrameworksScreen() {
  const { clientId: id = '', id: framework } = useParams();
  const clientId = id.toLowerCase();
  const Screen = framework === undefined ? LazyFrameworks : LazyFramework;
  return (
    <Suspense fallback={<SkeletonRows rows={8} rowHeight={52} label={t('Frameworks')} />}>
      <Screen
        key={clientId}
        place={frameworksOf(clientId)}
        banner={<ClientBar clientId={clientId} current="frameworks" />}
      />
    </Suspense>
  );
}

/** Name of a client. A client that is not there makes the page a 404; without another answer the name is left out. */
const useClientName = (clientId: string): string | undefined => {
  const api = useService(API);
  const [name, setName] = useState<string>();
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    setName(undefined);
    api.call(getManagedClient, { params: { id: clientId }, signal: abort.signal }).then(
      ({ data }) => setName(data.attributes.organization_name),
      (error: unknown) => {
        if (!isAbort(error) && error instanceof ApiError && error.code === 'client_not_found') setIsMissing(true);
      },
    );
    return () => abort.abort();
  }, [api, clientId]);
  if (isMissing) throw new PageError(404, t('There is no such client.'));
  return name;
};

interface ClientBarProps {
  clientId: string;
  /** What of the client is shown. */
  current: 'overview' | 'charts' | 'findings' | 'frameworks' | 'repositories' | 'audit';
}

/** Whose data this is, that it may only be read, and the way back. */
function ClientBar({ clientId, current }: ClientBarProps) {
  const name = useClientName(clientId);
  return (
    <div className="client-bar" role="note" aria-label={t('Inside a client')}>
      <Link className="row" to={MANAGED_CLIENTS}>
        <ArrowLeft aria-hidden={true} />
        {t('All clients')}
      </Link>
      <b className="trunc">{name ?? '…'}</b>
      <span className="row small" title={t('Nothing can be changed here, and every look is written down.')}>
        <EyeOpen size={14} aria-hidden={true} />
        {t('Read only')}
      </span>
      <span className="grow" />
      <nav className="row" aria-label={t('Of this client')}>
        <Link to={managedOverview(clientId)} aria-current={current === 'overview' ? 'page' : undefined}>
          {t('Overview')}
        </Link>
        <Link to={managedCharts(clientId)} aria-current={current === 'charts' ? 'page' : undefined}>
          {t('Charts')}
        </Link>
        <Link to={managedFindings(clientId)} aria-current={current === 'findings' ? 'page' : undefined}>
          {t('Findings')}
        </Link>
        <Link to={managedFrameworks(clientId)} aria-current={current === 'frameworks' ? 'page' : undefined}>
          {t('Frameworks')}
        </Link>
        <Link to={managedRepositories(clientId)} aria-current={current === 'repositories' ? 'page' : undefined}>
          {t('Repositories')}
        </Link>
        <Link to={managedAudit(clientId)} aria-current={current === 'audit' ? 'page' : undefined}>
          {t('Audit log')}
        </Link>
      </nav>
    </div>
  );
}
