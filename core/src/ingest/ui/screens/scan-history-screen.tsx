import { Button } from '@blueprintjs/core';
import { History, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/api-client.ts';
import { EmptyState } from '../../../platform/ui/empty-state.tsx';
import { ErrorState } from '../../../platform/ui/error-state.tsx';
import { LIVE_EVENTS } from '../../../platform/ui/live-events.ts';
import { formatAmount } from '../../../platform/ui/number-format.ts';
import { PageHead } from '../../../platform/ui/page-head.tsx';
import { Pager } from '../../../platform/ui/pager.tsx';
import { useService } from '../../../platform/ui/services.tsx';
import { SkeletonRows } from '../../../platform/ui/skeleton.tsx';
import { UPLOADS } from '../../../platform/ui/uploads-port.ts';
import { SESSION } from '../../../shell/ui/session-port.ts';
import { ROLE_REASON, ScanHistoryRow } from '../components/scan-history-row.tsx';
import { UndoDialog } from '../components/undo-dialog.tsx';
import { SCAN_COMPLETED, SCAN_FAILED, SCAN_PROGRESS } from '../scan-events.ts';
import { PAGE_SIZE, parsePage, ScanHistoryStore, type ScanRow } from '../scan-history.store.ts';
import '../scan-history.css';

const useHistory = (repositoryId: string) => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [params, setParams] = useSearchParams();
  const [store] = useState(() => new ScanHistoryStore(api, repositoryId));
  const page = parsePage(params);
  useEffect(() => store.show(page), [store, page]);
  useEffect(() => {
    const reload = () => void store.load();
    const stops = [
      events.on(SCAN_PROGRESS, ({ scan_id, percentage }) => store.advance(scan_id, percentage)),
      events.on(SCAN_COMPLETED, reload),
      events.on(SCAN_FAILED, reload),
      events.onReconnect(reload),
    ];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  const onPage = (next: number) => setParams(next === 0 ? {} : { page: String(next) });
  return { store, onPage };
};

interface BodyProps {
  store: ScanHistoryStore;
  mayManage: boolean;
  onUpload: () => void;
  onUndo: (row: ScanRow) => void;
}

const Body = observer(function Body({ store, mayManage, onUpload, onUndo }: BodyProps) {
  const { rows, error } = store;
  if (error !== undefined) {
    return <ErrorState title="The imports could not be read" error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={6} rowHeight={92} label="Imports" />;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<History size={20} />}
        title="No import yet"
        actions={<Button text="Upload reports" onClick={onUpload} />}
      >
        Every report uploaded or pulled for this repository is listed here.
      </EmptyState>
    );
  }
  return (
    <div className="list-scroll">
      {!mayManage && <p className="scan-note small muted">Download and undo: {ROLE_REASON}</p>}
      <ul className="scans" aria-label="Imports">
        {rows.map((row) => (
          <ScanHistoryRow key={row._id} store={store} row={row} mayManage={mayManage} onUndo={onUndo} />
        ))}
      </ul>
    </div>
  );
});

const ScanHistory = observer(function ScanHistory({ repositoryId }: { repositoryId: string }) {
  const uploads = useService(UPLOADS);
  const role = useService(SESSION).user?.role;
  const { store, onPage } = useHistory(repositoryId);
  const [toUndo, setToUndo] = useState<ScanRow>();
  const name = store.repositoryName ?? '';
  const upload = () => uploads.open({ kind: 'existing', id: repositoryId, name });
  return (
    <div className="list-page">
      <PageHead title={name === '' ? 'Imports' : `Imports of ${name}`}>
        <Button intent="primary" icon={<Upload />} text="Upload reports" disabled={name === ''} onClick={upload} />
      </PageHead>
      <div className="fbar">
        <Link to="/Repositories">Repositories</Link>
        {store.rows !== undefined && (
          <span className="fcount" role="status">
            {formatAmount(store.total, 'import')}
          </span>
        )}
        <Pager page={store.page} pageSize={PAGE_SIZE} total={store.total} onPage={onPage} />
      </div>
      <div className="list-body">
        <Body store={store} mayManage={can(role, 'scans.manage')} onUpload={upload} onUndo={setToUndo} />
      </div>
      <UndoDialog store={store} scan={toUndo} onClose={() => setToUndo(undefined)} />
    </div>
  );
});

/** What was imported into one repository, when and by whom, with what became of it. */
export function ScanHistoryScreen() {
  const { id = '' } = useParams();
  return <ScanHistory key={id} repositoryId={id} />;
}
