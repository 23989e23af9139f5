import { Button, HTMLSelect } from '@blueprintjs/core';
import { Envelope, Notifications, Tick, Trash } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type KeyboardEvent, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../platform/model/message.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { Time } from '../../platform/ui/display/badges.tsx';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { plural, sentenceText, t } from '../../platform/ui/language/translate.ts';
import { PageHead, Pager } from '../../platform/ui/page/page-layout.tsx';
import { type OnView, useAddressView } from '../../platform/ui/page/use-address-view.ts';
import { isInnerLink, NOTIFICATION_LABELS, NOTIFICATION_TYPES } from '../model/notification-types.ts';
import { NOTIFICATION_EVENTS } from './events.ts';
import {
  NOTIFICATIONS_VIEW,
  type NotificationItem,
  NotificationsStore,
  type NotificationsView,
  PAGE_SIZE,
  SHOWN_STATUSES,
} from './notifications.store.ts';
import './notifications.css';

const STATUS_LABELS = { unread: msg('Unread'), read: msg('Read'), all: msg('All') } as const;
const typeOptions = () => [
  { value: '', label: t('All types') },
  ...NOTIFICATION_TYPES.map((value) => ({ value, label: t(NOTIFICATION_LABELS[value]) })),
];

/** Row that follows when this one goes, else the one before: where the focus moves to. */
const neighbourOf = (row: Element | null): HTMLElement | null => {
  const next = row?.nextElementSibling ?? row?.previousElementSibling ?? null;
  return next?.querySelector<HTMLElement>('[data-row]') ?? null;
};

/** In the reader's language; what a person wrote, and rows of earlier releases, as they stand. */
const textsOf = ({ title = '', message = '', said }: NotificationItem['attributes']) => ({
  title: said === undefined ? t(title) : sentenceText(said.title),
  message: said?.message === undefined ? message && t(message) : sentenceText(said.message),
});

interface RowProps {
  item: NotificationItem;
  onMark: (item: NotificationItem) => void;
  onRemove: (item: NotificationItem) => void;
}

function NotificationRow({ item, onMark, onRemove }: RowProps) {
  const { link = null, status, date, notification_type, ...texts } = item.attributes;
  const { title, message } = textsOf(texts);
  const isUnread = status === 'unread';
  const act = (element: Element, action: (item: NotificationItem) => void) => {
    neighbourOf(element.closest('li'))?.focus();
    action(item);
  };
  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const row = event.currentTarget.closest('li');
    const move = (to: Element | null | undefined) => to?.querySelector<HTMLElement>('[data-row]')?.focus();
    const keys: Record<string, () => void> = {
      j: () => move(row?.nextElementSibling),
      arrowdown: () => move(row?.nextElementSibling),
      k: () => move(row?.previousElementSibling),
      arrowup: () => move(row?.previousElementSibling),
      r: () => act(event.currentTarget, onMark),
      delete: () => act(event.currentTarget, onRemove),
    };
    const run = keys[event.key.toLowerCase()];
    if (run === undefined) return;
    event.preventDefault();
    run();
  };
  const open = link !== null && isInnerLink(link) ? link : undefined;
  const common = { 'data-row': true, className: 'ttl', onKeyDown: handleKey };
  return (
    <li className={isUnread ? 'notification is-unread' : 'notification'}>
      <div className="notification-text">
        {open === undefined ? (
          // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the list act on it
          <span {...common} tabIndex={0} role="note">
            {title}
          </span>
        ) : (
          <Link {...common} to={open} onClick={() => isUnread && onMark(item)}>
            {title}
          </Link>
        )}
        {message !== '' && <p className="t2 small">{message}</p>}
        <p className="muted small">
          {notification_type !== undefined && t(NOTIFICATION_LABELS[notification_type])}
          {date !== undefined && (
            <>
              {' · '}
              <Time value={date} />
            </>
          )}
          {isUnread && <span className="sr">{t('Unread')}</span>}
        </p>
      </div>
      <div className="row notification-acts">
        <Button
          variant="minimal"
          icon={isUnread ? <Tick aria-hidden={true} /> : <Envelope aria-hidden={true} />}
          aria-label={isUnread ? t('Mark read: {title}', { title }) : t('Mark unread: {title}', { title })}
          title={isUnread ? t('Mark read (r)') : t('Mark unread (r)')}
          onClick={(event) => act(event.currentTarget, onMark)}
        />
        <Button
          variant="minimal"
          icon={<Trash aria-hidden={true} />}
          aria-label={t('Delete: {title}', { title })}
          title={t('Delete (Del)')}
          onClick={(event) => act(event.currentTarget, onRemove)}
        />
      </div>
    </li>
  );
}

interface BodyProps {
  store: NotificationsStore;
  onView: OnView<NotificationsView>;
}

const Body = observer(function Body({ store, onView }: BodyProps) {
  const toasts = useService(TOASTS);
  const { rows, view, error } = store;
  const run = (action: Promise<unknown>) => void action.catch((failure: unknown) => toasts.showError(failure));
  if (error !== undefined) {
    return (
      <ErrorState title={t('The notifications could not be read')} error={error} onRetry={() => void store.load()} />
    );
  }
  if (rows === undefined) return <SkeletonRows rows={6} rowHeight={72} label={t('Notifications')} />;
  if (rows.length === 0) {
    const isAll = view.status === 'all' && view.type === undefined && view.page === 0;
    return (
      <EmptyState
        icon={<Notifications size={20} />}
        title={
          view.status === 'unread' && view.type === undefined
            ? t('You have read everything')
            : t('No notification here')
        }
        actions={
          isAll ? undefined : (
            <Button text={t('Show all')} onClick={() => onView({ status: 'all', type: undefined, page: 0 })} />
          )
        }
      >
        {t('What happens to your scans and findings is told here.')}
      </EmptyState>
    );
  }
  return (
    <ul className="list-scroll notifications" aria-label={t('Notifications')}>
      {rows.map((item) => (
        <NotificationRow
          key={item._id}
          item={item}
          onMark={(one) => run(store.mark(one, one.attributes.status === 'read' ? 'unread' : 'read'))}
          onRemove={(one) => run(store.remove(one))}
        />
      ))}
    </ul>
  );
});

const useNotifications = () => {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [shown, onView] = useAddressView(NOTIFICATIONS_VIEW);
  const [store] = useState(() => new NotificationsStore(api));
  useEffect(() => store.show(shown), [store, shown]);
  useEffect(() => {
    const load = () => void store.load();
    const stops = [...NOTIFICATION_EVENTS.map((kind) => events.on(kind, load)), events.onReconnect(load)];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  return { store, onView };
};

/** `/notifications`: what this person was told, unread first of all. */
export const NotificationsScreen = observer(function NotificationsScreen() {
  const toasts = useService(TOASTS);
  const { store, onView } = useNotifications();
  const { view, total, rows } = store;
  const markAll = async () => {
    try {
      await store.markAll();
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <div className="list-page notifications-page">
      <PageHead title={t('Notifications')}>
        <Link to="/settings/notifications">{t('Preferences')}</Link>
        <Button
          text={t('Mark all read')}
          disabled={view.status === 'read' || rows === undefined || rows.length === 0}
          onClick={() => void markAll()}
        />
      </PageHead>
      <div className="fbar">
        <HTMLSelect
          aria-label={t('Status')}
          value={view.status}
          options={SHOWN_STATUSES.map((value) => ({ value, label: t(STATUS_LABELS[value]) }))}
          onChange={({ currentTarget }) =>
            onView({ status: SHOWN_STATUSES.find((one) => one === currentTarget.value) ?? 'unread', page: 0 })
          }
        />
        <HTMLSelect
          aria-label={t('Type')}
          value={view.type ?? ''}
          options={typeOptions()}
          onChange={({ currentTarget }) =>
            onView({ type: NOTIFICATION_TYPES.find((one) => one === currentTarget.value), page: 0 })
          }
        />
        {rows !== undefined && (
          <span className="fcount" role="status">
            {plural(total, '{count} notification', '{count} notifications')}
          </span>
        )}
        <Pager page={view.page} pageSize={PAGE_SIZE} total={total} onPage={(page) => onView({ page })} />
      </div>
      <div className="list-body">
        <Body store={store} onView={onView} />
      </div>
    </div>
  );
});
