import { Button } from '@blueprintjs/core';
import { GitRepo, Search, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS, REPOSITORY_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../platform/ui/data/uploads-port.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { EmptyState } from '../../platform/ui/feedback/placeholders.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { type OnView, useAddressView } from '../../platform/ui/page/use-address-view.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { REPOSITORY_VIEW, RepositoriesStore, type RepositoryItem, type RepositoryView } from './repositories.store.ts';
import { RepositoryPage } from './repository-page.tsx';
import { RepositoryTable } from './repository-table.tsx';

const useRepositories = () => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [view, onView] = useAddressView(REPOSITORY_VIEW);
  const [store] = useState(() => new RepositoriesStore(api));
  useEffect(() => store.show(view), [store, view]);
  useEffect(() => {
    const reload = () => void store.load();
    const stops = [...REPOSITORY_EVENTS.map((kind) => events.on(kind, reload)), events.onReconnect(reload)];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return { store, onView };
};

interface DeleteProps {
  store: RepositoriesStore;
  item: RepositoryItem | undefined;
  onClose: () => void;
}

/** Asks before a repository goes with everything in it. */
const DeleteDialog = observer(function DeleteDialog({ store, item, onClose }: DeleteProps) {
  const toasts = useService(TOASTS);
  const name = item?.attributes.nickname ?? '';
  const remove = async () => {
    if (item === undefined) return;
    try {
      await store.remove(item._id);
      toasts.show(`${name} deleted`, { tone: 'done' });
      onClose();
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <ActionDialog
      isOpen={item !== undefined}
      title={`Delete repository ${name}`}
      consequence="Its findings, verdicts, components and scans go with it. This cannot be undone."
      actionLabel="Delete repository"
      isDestructive
      isBusy={store.isDeleting}
      onAction={() => void remove()}
      onClose={onClose}
    />
  );
});

interface BodyProps {
  rows: RepositoryItem[];
  view: RepositoryView;
  onView: OnView<RepositoryView>;
  onDelete: (item: RepositoryItem) => void;
}

const Body = observer(function Body({ rows, view, onView, onDelete }: BodyProps) {
  const uploads = useService(UPLOADS);
  const role = useService(SESSION).user?.role;
  if (rows.length === 0 && view.search !== '') {
    return (
      <EmptyState
        icon={<Search size={20} />}
        title={`No repository matches “${view.search}”`}
        actions={<Button text="Clear the search" onClick={() => onView({ search: '', page: 0 })} />}
      />
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<GitRepo size={20} />}
        title="No repository yet"
        actions={<Button text="Upload reports" onClick={() => uploads.open()} />}
      >
        A repository appears with the first report uploaded for it.
      </EmptyState>
    );
  }
  return (
    <div className="list-scroll">
      <RepositoryTable
        rows={rows}
        view={view}
        onView={onView}
        actions={{
          mayDelete: can(role, 'repositories.delete'),
          onUpload: ({ _id, attributes }) => uploads.open({ kind: 'existing', id: _id, name: attributes.nickname }),
          onDelete,
        }}
      />
    </div>
  );
});

/** Repositories and applications, with what is open in each. */
export const RepositoriesScreen = () => {
  const uploads = useService(UPLOADS);
  const { store, onView } = useRepositories();
  const [toDelete, setToDelete] = useState<RepositoryItem>();
  return (
    <>
      <RepositoryPage
        store={store}
        onView={onView}
        action={<Button intent="primary" icon={<Upload />} text="Upload reports" onClick={() => uploads.open()} />}
      >
        {(rows) => <Body rows={rows} view={store.view} onView={onView} onDelete={setToDelete} />}
      </RepositoryPage>
      <DeleteDialog store={store} item={toDelete} onClose={() => setToDelete(undefined)} />
    </>
  );
};
