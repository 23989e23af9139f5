import { Button } from '@blueprintjs/core';
import { Download, GitRepo, Search, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS, REPOSITORY_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../platform/ui/data/uploads-port.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { EmptyState } from '../../platform/ui/feedback/placeholders.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { OptionSelect } from '../../platform/ui/forms/option-select.tsx';
import { type OnView, useAddressView } from '../../platform/ui/page/use-address-view.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import type { RepositoryItem } from './parts/repository-display.tsx';
import { REPOSITORY_VIEW, RepositoriesStore, type RepositoryView } from './repositories.store.ts';
import { RepositoryPage } from './repository-page.tsx';
import { RepositoryTable } from './repository-table.tsx';

const useRepositories = () => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [view, onView] = useAddressView(REPOSITORY_VIEW);
  const [store] = useState(() => new RepositoriesStore(api));
  useEffect(() => store.show(view), [store, view]);
  useEffect(() => {
    void store.loadTags();
    const reload = () => {
      void store.load();
      void store.loadTags();
    };
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
  if (rows.length === 0 && (view.search !== '' || view.tags.length > 0)) {
    return (
      <EmptyState
        icon={<Search size={20} />}
        title={view.search === '' ? 'No repository has these tags' : `No repository matches “${view.search}”`}
        actions={
          <Button
            text={view.search === '' ? 'Clear the tags' : 'Clear the search'}
            onClick={() => onView({ search: '', tags: [], page: 0 })}
          />
        }
      />
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<GitRepo size={20} />}
        title="No repository yet"
        actions={
          <>
            {can(role, 'repositories.write') && (
              <Link className="bp6-button bp6-intent-primary" to="/manage-repositories">
                Import repositories
              </Link>
            )}
            <Button text="Upload reports" onClick={() => uploads.open()} />
          </>
        }
      >
        Import them from your source control. One also appears with the first report uploaded for it.
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

const Actions = observer(function Actions({ store }: { store: RepositoriesStore }) {
  const uploads = useService(UPLOADS);
  const toasts = useService(TOASTS);
  const role = useService(SESSION).user?.role;
  // Source of the text: specification §8 "Report download failure"
  const download = () => void store.download().catch(() => toasts.show('Failed to download file', { tone: 'problem' }));
  return (
    <>
      <Button
        icon={<Download />}
        text="CSV"
        title="The repositories of this list as a CSV file"
        disabled={store.total === 0}
        loading={store.isDownloading}
        onClick={download}
      />
      {can(role, 'repositories.write') && (
        <Link className="bp6-button" to="/manage-repositories">
          Import repositories
        </Link>
      )}
      <Button intent="primary" icon={<Upload />} text="Upload reports" onClick={() => uploads.open()} />
    </>
  );
});

/** Repositories that have any of some tags. */
const TagFilter = observer(function TagFilter({
  store,
  onView,
}: {
  store: RepositoriesStore;
  onView: OnView<RepositoryView>;
}) {
  const { tags } = store.view;
  const options = [...new Set([...store.knownTags, ...tags])].map((tag) => ({ value: tag, label: tag }));
  if (options.length === 0) return null;
  return (
    <OptionSelect
      label="Tags"
      options={options}
      selected={tags}
      onChange={(chosen) => onView({ tags: chosen, page: 0 })}
      isMultiple
      isLabelFixed={tags.length > 2}
    />
  );
});

/** Repositories and applications, with what is open in each. */
export const RepositoriesScreen = () => {
  const { store, onView } = useRepositories();
  const [toDelete, setToDelete] = useState<RepositoryItem>();
  return (
    <>
      <RepositoryPage
        store={store}
        onView={onView}
        action={<Actions store={store} />}
        filters={<TagFilter store={store} onView={onView} />}
      >
        {(rows) => <Body rows={rows} view={store.view} onView={onView} onDelete={setToDelete} />}
      </RepositoryPage>
      <DeleteDialog store={store} item={toDelete} onClose={() => setToDelete(undefined)} />
    </>
  );
};
