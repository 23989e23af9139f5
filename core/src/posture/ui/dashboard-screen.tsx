import { Button } from '@blueprintjs/core';
import { LabTest, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useDeferredValue, useEffect, useMemo, useState } from 'react';
import { Link, useLoaderData, useSearchParams } from 'react-router-dom';
import { repositoriesOf } from '../../findings/ui/index.ts';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS, REPOSITORY_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../platform/ui/data/uploads-port.ts';
import { Time } from '../../platform/ui/display/badges.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { FINDINGS_SCOPE, type Scope, scopedPath } from '../../shell/ui/navigation/scope.store.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { ArrangeBar, ArrangeButton, useChartsAddress } from './board-controls.tsx';
import { type ChartPlace, ChartPlaceContext, useFindingsHref } from './chart-place.ts';
import { DashboardStore } from './dashboard.store.ts';
import { DashboardCharts } from './dashboard-charts.tsx';
import { DashboardPrefetch } from './dashboard-prefetch.ts';
import { DashboardScope, soleScope } from './dashboard-scope.tsx';
import { DashboardTop } from './dashboard-top.tsx';
import { FirstRun } from './first-run.tsx';
import { SetUpList } from './set-up-list.tsx';
import './posture.css';

interface StoreProps {
  store: DashboardStore;
}

/** Says that sample data is here, and takes it away. */
const SampleBanner = observer(function SampleBanner({ store }: StoreProps) {
  const toasts = useService(TOASTS);
  const role = useService(SESSION).user?.role;
  const [isAsking, setIsAsking] = useState(false);
  if (store.totals?.hasSample !== true) return null;
  const mayRemove = can(role, 'repositories.write');
  const remove = async () => {
    try {
      await store.removeSample();
      toasts.show(t('Sample data removed'), { tone: 'done' });
    } catch (error) {
      toasts.showError(error);
    } finally {
      setIsAsking(false);
    }
  };
  return (
    <div className="bp6-callout callout-n sample-banner">
      <LabTest aria-hidden={true} />
      <span className="grow">{t('Sample data of OWASP Juice Shop is part of these figures.')}</span>
      {mayRemove && <Button size="small" text={t('Remove sample data')} onClick={() => setIsAsking(true)} />}
      <ActionDialog
        isOpen={isAsking}
        title={t('Remove sample data')}
        consequence={t('The sample application goes with its findings, components and history. Your own data stays.')}
        actionLabel={t('Remove sample data')}
        isDestructive
        isBusy={store.isSampleBusy}
        onAction={() => void remove()}
        onClose={() => setIsAsking(false)}
      />
    </div>
  );
});

const Figures = observer(function Figures({ store }: StoreProps) {
  const uploads = useService(UPLOADS);
  // the cards come a moment after what stands above them
  const hasCards = useDeferredValue(true, false);
  return (
    <>
      <PageHead
        title={t('Dashboard')}
        aside={
          store.updatedAt !== undefined && (
            <span className="muted small">
              <Words of="Updated {time}" time={<Time value={store.updatedAt} />} />
            </span>
          )
        }
      >
        <ArrangeButton board={store.board} />
        <Button intent="primary" icon={<Upload />} text={t('Upload reports')} onClick={() => uploads.open()} />
      </PageHead>
      <div className="page">
        <SampleBanner store={store} />
        <DashboardScope store={store} />
        <Headline store={store} />
        <DashboardTop store={store} />
        {hasCards && (
          <>
            <ArrangeBar board={store.board} />
            <DashboardCharts store={store} />
            <SetUpList store={store} />
          </>
        )}
      </div>
    </>
  );
});

/** What the address narrows the figures to. */
const usePlace = (): ChartPlace => {
  const [params] = useSearchParams();
  const address = new URLSearchParams([...params].filter(([key]) => key.startsWith('repository'))).toString();
  return useMemo(() => ({ scope: repositoriesOf(new URLSearchParams(address)) }), [address]);
};

const useDashboard = ({ scope = {} }: ChartPlace): DashboardStore => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const begun: unknown = useLoaderData();
  const [first] = useState(() => (begun instanceof DashboardPrefetch ? begun : undefined));
  const [store] = useState(() => first?.store ?? new DashboardStore(api));
  // before the period: its charts are read at once
  useEffect(() => store.setScope(scope), [store, scope]);
  useChartsAddress(store);
  useEffect(() => {
    void (first?.loadCards() ?? store.load());
    const stops = [
      ...REPOSITORY_EVENTS.map((kind) => events.on(kind, store.refresh)),
      events.onReconnect(store.refresh),
    ];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [first, store, events]);
  return store;
};

/** Where things stand; on a fresh start, where to begin. */
export const DashboardScreen = observer(function DashboardScreen() {
  const place = usePlace();
  const store = useDashboard(place);
  const toasts = useService(TOASTS);
  const addSample = () => {
    store.addSample().catch((error: unknown) => toasts.showError(error));
  };
  if (store.totals === undefined) {
    return (
      <div className="canvas">
        {store.error === undefined ? (
          <SkeletonRows rows={6} rowHeight={64} label={t('The dashboard')} />
        ) : (
          <ErrorState
            title={t('The dashboard could not be read')}
            error={store.error}
            onRetry={() => void store.load()}
          />
        )}
      </div>
    );
  }
  return (
    <div className="canvas">
      {store.totals.hasData ? (
        <ChartPlaceContext value={place}>
          <Figures store={store} />
        </ChartPlaceContext>
      ) : (
        <div className="page first-run">
          <FirstRun store={store} onSample={addSample} />
          <SetUpList store={store} />
        </div>
      )}
    </div>
  );
});

const REPOSITORIES = '/Repositories'; // no text: an address

/** The repositories that the figures are about. */
const repositoriesHref = (scope: Scope | undefined): string =>
  scope?.kind === 'repository' ? `${REPOSITORIES}/${scope.value}` : scopedPath(REPOSITORIES, { tag: 'tag' }, scope);

/** The five figures on top; each is a link to what it counts. */
const Headline = observer(function Headline({ store }: { store: DashboardStore }) {
  const { totals, bySeverity, charts } = store;
  const findingsHref = useFindingsHref();
  const scope = soleScope(charts.scope);
  if (totals === undefined) return null;
  const figures = [
    { label: t('Open findings'), value: totals.open, to: findingsHref() },
    { label: t('Known exploited'), value: totals.kev, to: findingsHref({ kev: 'only' }) },
    { label: t('Critical'), value: bySeverity.critical, to: findingsHref({ severity: ['critical'] }) },
    { label: t('Repositories'), value: totals.repositories, to: repositoriesHref(scope) },
    { label: t('Components'), value: totals.components, to: scopedPath('/sbom-findings', FINDINGS_SCOPE, scope) },
  ];
  return (
    <nav className="kpis" aria-label={t('Figures')}>
      {figures.map(({ label, value, to }) => (
        <Link key={label} to={to}>
          <span className="f">{formatNumber(value)}</span>
          <span className="k">{label}</span>
        </Link>
      ))}
    </nav>
  );
});
