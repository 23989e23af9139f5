import { Button } from '@blueprintjs/core';
import { CloudUpload, Search } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { SearchField } from '../../platform/ui/forms/search-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead, Pager } from '../../platform/ui/page/page-layout.tsx';
import { useAddressView } from '../../platform/ui/page/use-address-view.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { AddDialog } from './add-dialog.tsx';
import { JudgePublished } from './judge-published.tsx';
import { PublishDialog } from './publish-dialog.tsx';
import { PAGE_SIZE, PUBLISHED_VIEW, type PublishedItem, PublishedStore } from './published.store.ts';
import { PublishedCard } from './published-card.tsx';
import '../../platform/ui/display/approval.css';

type Asked = 'add' | 'edit' | 'unpublish' | 'remove';

interface ManageProps {
  store: PublishedStore;
  item: PublishedItem;
}

/** What is asked before something is taken away. */
function TakeAway({ store, item, what, onClose }: ManageProps & { what: 'unpublish' | 'remove'; onClose: () => void }) {
  const toasts = useService(TOASTS);
  const [isBusy, setIsBusy] = useState(false);
  const { title } = item.attributes;
  const isRemoval = what === 'remove';
  const act = async () => {
    setIsBusy(true);
    try {
      await (isRemoval ? store.remove(item._id) : store.unpublish(item._id));
    } catch (failure) {
      toasts.showError(failure);
    } finally {
      onClose();
    }
  };
  return (
    <ActionDialog
      isOpen={true}
      title={
        isRemoval
          ? t('Take {connector} out of the catalogue', { connector: title })
          : t('Unpublish {connector}', { connector: title })
      }
      consequence={
        isRemoval
          ? t('Its card disappears for your organisation. Findings that came through it stay.')
          : t('Nobody can add it any more. Who has it keeps it.')
      }
      actionLabel={isRemoval ? t('Take out') : t('Unpublish')}
      isDestructive={true}
      isBusy={isBusy}
      onAction={() => void act()}
      onClose={onClose}
    />
  );
}

const actionsOf = ({ is_own, state, added, version }: PublishedItem['attributes']): Asked[] => [
  ...(state === 'published' && added?.version !== version ? (['add'] as const) : []),
  ...(added === null ? [] : (['remove'] as const)),
  ...(is_own && state === 'published' ? (['edit', 'unpublish'] as const) : []),
];

/** What an admin does with one. */
const Manage = observer(function Manage({ store, item }: ManageProps) {
  const [asked, setAsked] = useState<Asked>();
  const close = () => setAsked(undefined);
  const { title, added } = item.attributes;
  const labels: Record<Asked, string> = {
    add: added === null ? t('Add') : t('Update'),
    remove: t('Take out'),
    edit: t('New version'),
    unpublish: t('Unpublish'),
  };
  return (
    <>
      {actionsOf(item.attributes).map((action) => (
        <Button
          key={action}
          variant={action === 'unpublish' || action === 'remove' ? 'minimal' : 'solid'}
          text={labels[action]}
          aria-label={t('{action}: {name}', { action: labels[action], name: title })}
          onClick={() => setAsked(action)}
        />
      ))}
      {asked === 'add' && <AddDialog store={store} item={item} onClose={close} />}
      {asked === 'edit' && <PublishDialog store={store} item={item} onClose={close} />}
      {(asked === 'unpublish' || asked === 'remove') && (
        <TakeAway store={store} item={item} what={asked} onClose={close} />
      )}
    </>
  );
});

const Body = observer(function Body({
  store,
  mayWrite,
  onClear,
}: {
  store: PublishedStore;
  mayWrite: boolean;
  onClear: () => void;
}) {
  const { items, error, view } = store;
  const mayJudge = can(useService(SESSION).user?.role, 'platform.write');
  if (error !== undefined)
    return (
      <ErrorState
        title={t('The published connectors could not be read')}
        error={error}
        onRetry={() => void store.load()}
      />
    );
  if (items === undefined) return <SkeletonRows rows={6} rowHeight={64} label={t('Published connectors')} />;
  if (items.length === 0) {
    const isAll = view.search === '' && view.page === 1;
    return (
      <EmptyState
        icon={isAll ? <CloudUpload size={20} /> : <Search size={20} />}
        title={isAll ? t('No connector is published yet') : t('No published connector matches')}
        actions={isAll ? undefined : <Button text={t('Show everything')} onClick={onClear} />}
      >
        {isAll &&
          t(
            'A connector without code is two files. Whoever writes one can publish it here, for their organisation or for all.',
          )}
      </EmptyState>
    );
  }
  return (
    <div className="offer-cards">
      {items.map((item) => (
        <PublishedCard
          key={item._id}
          item={item}
          actions={
            <>
              {mayWrite && <Manage store={store} item={item} />}
              {mayJudge && <JudgePublished store={store} item={item} />}
            </>
          }
        />
      ))}
    </div>
  );
});

/** `/connector/published`: connectors of other organisations and of one's own. */
export const PublishedScreen = observer(function PublishedScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const mayWrite = can(user?.role, 'connectors.write');
  const [view, onView] = useAddressView(PUBLISHED_VIEW);
  const [store] = useState(() => new PublishedStore(api));
  const [isPublishing, setIsPublishing] = useState(false);
  useEffect(() => store.show(view), [store, view]);
  useEffect(() => store.dispose, [store]);
  const onSearch = useCallback((search: string) => onView({ search, page: 1 }, true), [onView]);
  return (
    <div className="list-page">
      <PageHead title={t('Published connectors')}>
        <Link className="small" to="/connector/providers">
          {t('Show all connectors')}
        </Link>
        {mayWrite && <Link to="/connector/builder">{t('Build a connector')}</Link>}
        {mayWrite && (
          <Button
            intent="primary"
            icon={<CloudUpload aria-hidden={true} />}
            text={t('Publish a connector')}
            onClick={() => setIsPublishing(true)}
          />
        )}
      </PageHead>
      <search className="fbar">
        <SearchField
          label={t('Search published connectors')}
          placeholder={t('Search name or publisher')}
          search={view.search}
          onSearch={onSearch}
        />
      </search>
      <div className="list-body">
        <div className="canvas">
          <div className="page">
            <Body store={store} mayWrite={mayWrite} onClear={() => onView({ search: '', page: 1 })} />
            <Pager
              page={view.page - 1}
              pageSize={PAGE_SIZE}
              total={store.total}
              onPage={(page) => onView({ page: page + 1 })}
            />
          </div>
        </div>
      </div>
      {isPublishing && <PublishDialog store={store} onClose={() => setIsPublishing(false)} />}
    </div>
  );
});
