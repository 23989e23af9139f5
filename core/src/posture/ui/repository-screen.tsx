import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { lazy, type ReactNode, Suspense, useEffect, useMemo, useState } from 'react';
import { Link, useNavigate, useParams } from 'react-router-dom';
import { findingsHref, openFilters } from '../../findings/ui/index.ts';
import { loadRecentScans } from '../../ingest/ui/index.ts';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { INVENTORY_EVENTS, LIVE_EVENTS, REPOSITORY_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { SeverityShape } from '../../platform/ui/display/badges.tsx';
import { formatDate, formatNumber } from '../../platform/ui/display/formats.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { Skeleton, SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { loadRepositoryDetail } from '../../repositories/ui/index.ts';
import { countComponents } from '../../sbom/ui/index.ts';
import { loadRepositoryScan, requestPostureScan } from '../../scanning/ui/index.ts';
import {
  loadRepositoryPosture,
  loadRepositoryWebhook,
  loadWorkflowPullRequest,
} from '../../source-control/ui/index.ts';
import { findingsChart } from '../api/routes.ts';
import { ChartCard } from './charts/chart-card.tsx';
import { columnsOption } from './charts/chart-options.ts';
import './posture.css';

const RepositoryDetail = lazy(async () => ({ default: await loadRepositoryDetail() }));
const RecentScans = lazy(async () => ({ default: await loadRecentScans() }));
const RepositoryPosture = lazy(async () => ({ default: await loadRepositoryPosture() }));
const RepositoryWebhook = lazy(async () => ({ default: await loadRepositoryWebhook() }));
const WorkflowPullRequest = lazy(async () => ({ default: await loadWorkflowPullRequest() }));
const RepositoryScan = lazy(async () => ({ default: await loadRepositoryScan() }));

interface Chart {
  series: readonly { name: string; data: number[] }[];
  dates: string[];
}

interface Reading<T> {
  value?: T;
  error?: unknown;
}

/** Reads something of the repository, and again whenever something may have changed it. @param read the same function at each call */
function useReading<T>(
  read: (signal: AbortSignal) => Promise<T>,
  kinds: typeof REPOSITORY_EVENTS | typeof INVENTORY_EVENTS,
): Reading<T> & { retry: () => void } {
  const events = useService(LIVE_EVENTS);
  const [reading, setReading] = useState<Reading<T>>({});
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: another attempt is an occasion
  useEffect(() => {
    const call = new LatestCall();
    const load = () =>
      void call.run(
        read,
        (value) => setReading({ value }),
        (error) => setReading({ error }),
      );
    load();
    const stops = [...kinds.map((kind) => events.on<unknown>(kind, load)), events.onReconnect(load)];
    return () => {
      for (const stop of stops) stop();
      call.dispose();
    };
  }, [read, events, kinds, attempt]);
  return { ...reading, retry: () => setAttempt(attempt + 1) };
}

const countsOf = (chart: Chart, severity: Severity): number[] =>
  chart.series.find(({ name }) => name.toLowerCase() === severity)?.data ?? chart.dates.map(() => 0);

function TrendTable({ chart }: { chart: Chart }) {
  const rows = chart.dates.map((date, index) => ({ date, index })).reverse();
  return (
    <table className="mini">
      <thead>
        <tr>
          <th>{t('Day')}</th>
          {SEVERITIES.map((severity) => (
            <th key={severity} className="num" title={t(SEVERITY_LABELS[severity])}>
              {severity === 'informational' ? t('Info') : t(SEVERITY_LABELS[severity])}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {rows.map(({ date, index }) => (
          <tr key={date}>
            <td>{formatDate(date)}</td>
            {SEVERITIES.map((severity) => (
              <td key={severity} className="num">
                {formatNumber(countsOf(chart, severity)[index] ?? 0)}
              </td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Open findings of the repository at the end of each of twelve weeks. */
function Trend({ id }: { id: string }) {
  const api = useService(API);
  const navigate = useNavigate();
  const filters = useMemo(() => ({ ...openFilters(), repository: [id] }), [id]);
  const read = useMemo(
    () => async (signal: AbortSignal) =>
      (await api.call(findingsChart, { query: { filters, period: '12w' }, signal })).data,
    [api, filters],
  );
  const { value: chart, error, retry } = useReading(read, REPOSITORY_EVENTS);
  const instead: ReactNode =
    error !== undefined ? (
      <ErrorState title={t('The trend could not be read')} error={error} onRetry={retry} />
    ) : chart === undefined ? (
      <Skeleton width="60%" />
    ) : undefined;
  return (
    <ChartCard
      title={t('Trend')}
      sub={t('Open findings at the end of each week')}
      instead={instead}
      table={chart === undefined ? null : <TrendTable chart={chart} />}
      legend={
        <div className="legend">
          {SEVERITIES.map((severity) => (
            <span key={severity}>
              <SeverityShape severity={severity} /> {t(SEVERITY_LABELS[severity])}
            </span>
          ))}
        </div>
      }
      option={(tokens, description) =>
        columnsOption({
          labels: (chart?.dates ?? []).map((date) => formatDate(date)),
          series: SEVERITIES.map((severity) => ({
            name: t(SEVERITY_LABELS[severity]),
            data: chart === undefined ? [] : countsOf(chart, severity),
            colors: [tokens.severity[severity]],
          })),
          tokens,
          description,
        })
      }
      onChoose={({ seriesIndex }) => {
        const severity = SEVERITIES[seriesIndex];
        if (severity !== undefined) void navigate(findingsHref({ repository: [id], severity: [severity] }));
      }}
    />
  );
}

/** How large the inventory is, and the way to it. */
function Components({ id }: { id: string }) {
  const api = useService(API);
  const read = useMemo(() => (signal: AbortSignal) => countComponents(api, { repository: id }, signal), [api, id]);
  const { value: count, error, retry } = useReading(read, INVENTORY_EVENTS);
  return (
    <section className="bp6-card" aria-label={t('Components')}>
      <div className="row card-head">
        <h2 className="grow">{t('Components')}</h2>
        {count !== undefined && count > 0 && (
          <Link className="small" to={`/sbom-findings?repository=${id}`}>
            {t('Inventory')}
          </Link>
        )}
      </div>
      {error !== undefined && <ErrorState title={t('The inventory could not be read')} error={error} onRetry={retry} />}
      {count === 0 && <p className="muted">{t('No inventory was imported yet. Upload a CycloneDX or SPDX file.')}</p>}
      {count !== undefined && count > 0 && (
        <p>{plural(count, '{count} component in the inventory.', '{count} components in the inventory.')}</p>
      )}
    </section>
  );
}

/** The page of one repository: what it keeps itself, and what findings, imports and inventory say of it. */
export function RepositoryScreen() {
  const { id = '' } = useParams();
  return (
    <Suspense fallback={<SkeletonRows rows={8} rowHeight={52} label={t('The repository')} />}>
      <RepositoryDetail key={id} id={id}>
        <Trend id={id} />
        <Suspense fallback={<SkeletonRows rows={3} rowHeight={34} label={t('Scans')} />}>
          <RepositoryScan repositoryId={id} />
          <RecentScans repositoryId={id} />
          <RepositoryPosture repositoryId={id} requestReading={requestPostureScan} />
          <RepositoryWebhook repositoryId={id} />
          <WorkflowPullRequest repositoryId={id} />
        </Suspense>
        <Components id={id} />
      </RepositoryDetail>
    </Suspense>
  );
}
