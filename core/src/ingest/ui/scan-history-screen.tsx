import { Button } from '@blueprintjs/core';
import { History, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useParams, useSearchParams } from 'react-router-dom';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../platform/ui/data/uploads-port.ts';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { PageHead, Pager } from '../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { PAGE_SIZE, parsePage, ScanHistoryStore, type ScanRow } from './scan-history.store.ts';
import { ROLE_REASON, ScanHistoryRow, UndoDialog } from './scan-history-row.tsx';
import { SCAN_COMPLETED, SCAN_FAILED, SCAN_PROGRESS } from './upload-transport.ts';
import './scan-history.css';

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
    return <ErrorState title={t('The imports could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={6} rowHeight={92} label={t('Imports')} />;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<History size={20} />}
        title={t('No import yet')}
        actions={<Button text={t('Upload reports')} onClick={onUpload} />}
      >
        {t('Every report uploaded or pulled for this repository is listed here.')}
      </EmptyState>
    );
  }
  return (
    <div className="list-scroll">
      {!mayManage && (
        <p className="scan-note small muted">{t('Download and undo: {reason}', { reason: t(ROLE_REASON) })}</p>
      )}
      <ul className="scans" aria-label={t('Imports')}>
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
      <PageHead title={name === '' ? t('Imports') : t('Imports of {name}', { name })}>
        <Button intent="primary" icon={<Upload />} text={t('Upload reports')} disabled={name === ''} onClick={upload} />
      </PageHead>
      <div className="fbar">
        <Link to="/Repositories">{t('Repositories')}</Link>
        {store.rows !== undefined && (
          <span className="fcount" role="status">
            {plural(store.total, '{count} import', '{count} imports')}
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
