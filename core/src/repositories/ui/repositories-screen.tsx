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
import { t } from '../../platform/ui/language/translate.ts';
import { type OnView, useAddressView } from '../../platform/ui/page/use-address-view.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { PeopleStore } from '../../team/ui/index.ts';
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
      toasts.show(t('{name} deleted', { name }), { tone: 'done' });
      onClose();
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <ActionDialog
      isOpen={item !== undefined}
      title={t('Delete repository {name}', { name })}
      consequence={t('Its findings, verdicts, components and scans go with it. This cannot be undone.')}
      actionLabel={t('Delete repository')}
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

const isNarrowed = ({ search, tags, owners }: RepositoryView) => search !== '' || tags.length + owners.length > 0;

const emptyTitle = ({ search, tags, owners }: RepositoryView): string => {
  if (search !== '') return t('No repository matches “{search}”', { search });
  if (tags.length > 0 && owners.length > 0) return t('No repository has these tags and owners');
  return tags.length > 0 ? t('No repository has these tags') : t('No repository has these owners');
};

const Body = observer(function Body({ rows, view, onView, onDelete }: BodyProps) {
  const uploads = useService(UPLOADS);
  const role = useService(SESSION).user?.role;
  if (rows.length === 0 && isNarrowed(view)) {
    return (
      <EmptyState
        icon={<Search size={20} />}
        title={emptyTitle(view)}
        actions={
          <Button
            text={view.search === '' ? t('Clear the filters') : t('Clear the search')}
            onClick={() => onView({ search: '', tags: [], owners: [], page: 0 })}
          />
        }
      />
    );
  }
  if (rows.length === 0 && !can(role, 'organization.read-all')) {
    return (
      <EmptyState
        icon={<GitRepo size={20} />}
        title={t('You own no repository')}
        actions={
          <Link className="bp6-button" to="/findings">
            {t('Findings assigned to you')}
          </Link>
        }
      >
        {t('Repositories are listed here once you are their owner. An admin or security operator sets it.')}
      </EmptyState>
    );
  }
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<GitRepo size={20} />}
        title={t('No repository yet')}
        actions={
          <>
            {can(role, 'repositories.write') && (
              <Link className="bp6-button bp6-intent-primary" to="/manage-repositories">
                {t('Import repositories')}
              </Link>
            )}
            <Button text={t('Upload reports')} onClick={() => uploads.open()} />
          </>
        }
      >
        {t('Import them from your source control. One also appears with the first report uploaded for it.')}
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
  const download = () =>
    void store.download().catch(() => toasts.show(t('Failed to download file'), { tone: 'problem' }));
  return (
    <>
      <Button
        icon={<Download />}
        text={t('CSV')}
        title={t('The repositories of this list as a CSV file')}
        disabled={store.total === 0}
        loading={store.isDownloading}
        onClick={download}
      />
      {can(role, 'repositories.write') && (
        <Link className="bp6-button" to="/manage-repositories">
          {t('Import repositories')}
        </Link>
      )}
      <Button intent="primary" icon={<Upload />} text={t('Upload reports')} onClick={() => uploads.open()} />
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
      label={t('Tags')}
      options={options}
      selected={tags}
      onChange={(chosen) => onView({ tags: chosen, page: 0 })}
      isMultiple
      isLabelFixed={tags.length > 2}
    />
  );
});

/** Repositories that belong to any of some people. A developer sees the own ones anyway. */
const OwnerFilter = observer(function OwnerFilter({
  store,
  onView,
}: {
  store: RepositoriesStore;
  onView: OnView<RepositoryView>;
}) {
  const api = useService(API);
  const mayChoose = can(useService(SESSION).user?.role, 'organization.read-all');
  const [people] = useState(() => new PeopleStore(api));
  useEffect(() => {
    if (mayChoose) void people.loadMembers();
  }, [people, mayChoose]);
  const { members } = people;
  if (!mayChoose || members === undefined || members.length === 0) return null;
  return (
    <OptionSelect
      label={t('Owner')}
      options={members}
      selected={store.view.owners}
      onChange={(owners) => onView({ owners, page: 0 })}
      isMultiple
      isLabelFixed={store.view.owners.length > 2}
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
        filters={
          <>
            <TagFilter store={store} onView={onView} />
            <OwnerFilter store={store} onView={onView} />
          </>
        }
      >
        {(rows) => <Body rows={rows} view={store.view} onView={onView} onDelete={setToDelete} />}
      </RepositoryPage>
      <DeleteDialog store={store} item={toDelete} onClose={() => setToDelete(undefined)} />
    </>
  );
};
