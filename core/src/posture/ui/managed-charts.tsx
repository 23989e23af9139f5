import { Dashboard } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useMemo, useState } from 'react';
import { API } from '../../platform/ui/data/api-client.ts';
import { type InsidePaths, insideClient } from '../../platform/ui/data/inside-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { readBoard } from '../api/board-routes.ts';
import { foundChart, owaspChart, PLAIN_CHART_KEYS, PLAIN_CHARTS } from '../api/chart-routes.ts';
import { managedChartPath } from '../api/managed-routes.ts';
import { findingsChart, totalFindingsChart } from '../api/routes.ts';
import { useChartsAddress } from './board-controls.tsx';
import { ChartPlaceContext } from './chart-place.ts';
import { DashboardStore } from './dashboard.store.ts';
import { DashboardCharts } from './dashboard-charts.tsx';
import './posture.css';

const CHARTS = [
  foundChart,
  owaspChart,
  findingsChart,
  totalFindingsChart,
  readBoard,
  ...PLAIN_CHART_KEYS.map((key) => PLAIN_CHARTS[key]),
];

const INSIDE: InsidePaths = new Map(CHARTS.map(({ path }): [string, string] => [path, managedChartPath(path)]));

interface ManagedChartsProps {
  clientId: string;
  /** List of findings that figures lead to. */
  findingsPath: string;
  banner: ReactNode;
}

const Body = observer(function Body({ store }: { store: DashboardStore }) {
  if (store.error !== undefined) {
    return (
      <ErrorState title={t('The charts could not be read')} error={store.error} onRetry={() => void store.load()} />
    );
  }
  if (store.totals === undefined) return <SkeletonRows rows={6} rowHeight={64} label={t('Charts')} />;
  if (!store.totals.hasData) {
    return (
      <EmptyState icon={<Dashboard size={20} />} title={t('Nothing to count yet')}>
        {t('This client has not imported a report.')}
      </EmptyState>
    );
  }
  return <DashboardCharts store={store} />;
});

/** The charts of a client as its own people see them, for a superadmin to read. */
export function ManagedCharts({ clientId, findingsPath, banner }: ManagedChartsProps) {
  const api = useService(API);
  const [store] = useState(() => new DashboardStore(insideClient(api, clientId, INSIDE), { hasTop: false }));
  useChartsAddress(store);
  const place = useMemo(() => ({ path: findingsPath }), [findingsPath]);
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  return (
    <ChartPlaceContext value={place}>
      <div className="canvas">
        {banner}
        <PageHead title={t('Charts')} />
        <div className="page">
          <Body store={store} />
        </div>
      </div>
    </ChartPlaceContext>
  );
}
