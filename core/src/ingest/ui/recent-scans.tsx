import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { StatusDot, Time } from '../../platform/ui/display/badges.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { ScanHistoryStore, type ScanRow } from './scan-history.store.ts';
import { SCAN_STATES, stateText } from './scan-history-row.tsx';
import { isImported, SCAN_COMPLETED, SCAN_FAILED, SCAN_PROGRESS } from './upload-transport.ts';

const FEW = 5;

function Outcome({ attributes: scan }: ScanRow) {
  if (!isImported(scan)) return <span className="muted trunc">{scan.detail === null ? '' : t(scan.detail)}</span>;
  const { counts } = scan;
  return <span className="tn">{t('{new} new, {closed} closed', { new: counts.new, closed: counts.closed })}</span>;
}

const useRecentScans = (repositoryId: string): ScanHistoryStore => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [store] = useState(() => new ScanHistoryStore(api, repositoryId));
  useEffect(() => {
    const reload = () => void store.load();
    reload();
    const stops = [
      events.on(SCAN_PROGRESS, ({ scan_id, percentage }) => store.advance(scan_id, percentage)),
      ...[SCAN_COMPLETED, SCAN_FAILED].map((kind) => events.on(kind, reload)),
      events.onReconnect(reload),
    ];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return store;
};

const Rows = observer(function Rows({ store }: { store: ScanHistoryStore }) {
  const { rows, error } = store;
  if (error !== undefined) {
    return <ErrorState title={t('The scans could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={3} rowHeight={34} label={t('Scans')} />;
  if (rows.length === 0) return <p className="muted">{t('No report was imported yet.')}</p>;
  return (
    <table className="mini recent-scans">
      <thead>
        <tr>
          <th>{t('Tool')}</th>
          <th>{t('State')}</th>
          <th>{t('Outcome')}</th>
          <th className="num">{t('When')}</th>
        </tr>
      </thead>
      <tbody>
        {rows.slice(0, FEW).map((row) => {
          const { attributes: scan } = row;
          const { tone } = SCAN_STATES[scan.status];
          return (
            <tr key={row._id}>
              <td className="trunc">
                {store.toolTitle(scan.tool)}
                {scan.branch !== null && <span className="muted"> · {scan.branch}</span>}
              </td>
              <td>
                <StatusDot tone={tone}>{stateText(scan)}</StatusDot>
              </td>
              <td>
                <Outcome {...row} />
              </td>
              <td className="num">
                <Time value={scan.created_at} />
              </td>
            </tr>
          );
        })}
      </tbody>
    </table>
  );
});

/** The latest imports of a repository, and the way to all of them. */
export const RecentScans = observer(function RecentScans({ repositoryId }: { repositoryId: string }) {
  const store = useRecentScans(repositoryId);
  return (
    <section className="bp6-card" aria-label={t('Scans')}>
      <div className="row card-head">
        <h2 className="grow">{t('Scans')}</h2>
        <Link className="small" to={`/Repositories/${repositoryId}/scans`}>
          {store.total < 2 ? t('History') : plural(store.total, 'All {count} scan', 'All {count} scans')}
        </Link>
      </div>
      <Rows store={store} />
    </section>
  );
});
