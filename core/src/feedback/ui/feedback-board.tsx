import { Button, HTMLSelect } from '@blueprintjs/core';
import { Lightbulb, Plus } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { msg } from '../../platform/model/message.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { SearchField } from '../../platform/ui/forms/search-field.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { PageHead, Pager } from '../../platform/ui/page/page-layout.tsx';
import { type OnView, useAddressView } from '../../platform/ui/page/use-address-view.ts';
import { FEEDBACK_SORTS, FEEDBACK_STATUS_LABELS, FEEDBACK_STATUSES, type FeedbackSort } from '../model/feedback.ts';
import { FEEDBACK_VIEW, FeedbackStore, type FeedbackView, PAGE_SIZE, type PostItem } from './feedback.store.ts';
import { AnswerDialog, NewPostDialog } from './post-dialogs.tsx';
import { PostRow } from './post-row.tsx';

const SORT_LABELS: Record<FeedbackSort, string> = { votes: msg('Most wanted first'), newest: msg('Newest first') };

interface FilterProps {
  store: FeedbackStore;
  onView: OnView<FeedbackView>;
}

const Filters = observer(function Filters({ store, onView }: FilterProps) {
  const { view, rows, total } = store;
  const onSearch = useCallback((search: string) => onView({ search, page: 0 }, true), [onView]);
  return (
    <search className="fbar feedback-filters">
      <SearchField label={t('Search posts')} placeholder={t('Search posts')} search={view.search} onSearch={onSearch} />
      <HTMLSelect
        aria-label={t('State')}
        value={view.status ?? ''}
        options={[
          { value: '', label: t('To be done') },
          ...FEEDBACK_STATUSES.map((value) => ({ value, label: t(FEEDBACK_STATUS_LABELS[value]) })),
          { value: 'all', label: t('All') },
        ]}
        onChange={({ currentTarget: { value } }) =>
          onView({ status: value === 'all' ? 'all' : FEEDBACK_STATUSES.find((one) => one === value), page: 0 })
        }
      />
      <HTMLSelect
        aria-label={t('Order')}
        value={view.sort}
        options={FEEDBACK_SORTS.map((value) => ({ value, label: t(SORT_LABELS[value]) }))}
        onChange={({ currentTarget: { value } }) =>
          onView({ sort: FEEDBACK_SORTS.find((one) => one === value) ?? 'votes', page: 0 })
        }
      />
      {rows !== undefined && (
        <span className="fcount" role="status">
          {plural(total, '{count} post', '{count} posts')}
        </span>
      )}
      <Pager page={view.page} pageSize={PAGE_SIZE} total={total} onPage={(page) => onView({ page })} />
    </search>
  );
});

interface BodyProps extends FilterProps {
  onAdd: () => void;
  onAnswer: (item: PostItem) => void;
  onRemove: (item: PostItem) => void;
}

const Body = observer(function Body({ store, onView, onAdd, onAnswer, onRemove }: BodyProps) {
  const toasts = useService(TOASTS);
  const { rows, error, isFiltered, isManaged } = store;
  if (error !== undefined) {
    return <ErrorState title={t('The posts could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={6} rowHeight={88} label={t('Feedback')} />;
  if (rows.length === 0) {
    const action = isFiltered ? (
      <Button text={t('Show everything')} onClick={() => onView({ status: 'all', search: '', page: 0 })} />
    ) : (
      !isManaged && <Button icon={<Plus aria-hidden={true} />} text={t('New post')} onClick={onAdd} />
    );
    return (
      <EmptyState
        icon={<Lightbulb size={20} />}
        title={isFiltered ? t('No post matches') : t('Nobody asked for anything yet')}
        actions={action === false ? undefined : action}
      >
        {isManaged
          ? t('What people of the organisations ask for comes here.')
          : t('Say what you miss, and vote for what others miss.')}
      </EmptyState>
    );
  }
  return (
    <ul className="list-scroll feedback-posts" aria-label={t('Feedback')}>
      {rows.map((item) => (
        <PostRow
          key={item._id}
          item={item}
          onVote={({ _id }, voted) =>
            void store.vote(_id, voted).catch((failure: unknown) => toasts.showError(failure))
          }
          onRemove={onRemove}
          onAnswer={onAnswer}
        />
      ))}
    </ul>
  );
});

interface RemoveDialogProps {
  store: FeedbackStore;
  item: PostItem;
  onClose: () => void;
}

function RemoveDialog({ store, item, onClose }: RemoveDialogProps) {
  const toasts = useService(TOASTS);
  const [isBusy, setIsBusy] = useState(false);
  const remove = async () => {
    setIsBusy(true);
    await store.remove(item._id).catch((failure: unknown) => toasts.showError(failure));
    onClose();
  };
  return (
    <ActionDialog
      isOpen={true}
      title={t('Delete "{title}"', { title: item.attributes.title })}
      consequence={plural(item.attributes.votes, 'Its {count} vote goes with it.', 'Its {count} votes go with it.')}
      actionLabel={t('Delete')}
      isDestructive={true}
      isBusy={isBusy}
      onAction={() => void remove()}
      onClose={onClose}
    />
  );
}

/** The built-in board: what people ask for, and how many want it. */
export const FeedbackBoard = observer(function FeedbackBoard({ isManaged }: { isManaged: boolean }) {
  const api = useService(API);
  const [shown, onView] = useAddressView(FEEDBACK_VIEW);
  const [store] = useState(() => new FeedbackStore(api, isManaged));
  const [isAdding, setIsAdding] = useState(false);
  const [answered, setAnswered] = useState<PostItem>();
  const [removed, setRemoved] = useState<PostItem>();
  useEffect(() => store.show(shown), [store, shown]);
  useEffect(() => store.dispose, [store]);
  const add = () => setIsAdding(true);
  return (
    <div className="list-page">
      <PageHead title={t('Feedback')}>
        {!isManaged && (
          <Button intent="primary" icon={<Plus aria-hidden={true} />} text={t('New post')} onClick={add} />
        )}
      </PageHead>
      <Filters store={store} onView={onView} />
      <div className="list-body">
        <Body store={store} onView={onView} onAdd={add} onAnswer={setAnswered} onRemove={setRemoved} />
      </div>
      {isAdding && <NewPostDialog store={store} onClose={() => setIsAdding(false)} />}
      {answered !== undefined && <AnswerDialog store={store} item={answered} onClose={() => setAnswered(undefined)} />}
      {removed !== undefined && <RemoveDialog store={store} item={removed} onClose={() => setRemoved(undefined)} />}
    </div>
  );
});
