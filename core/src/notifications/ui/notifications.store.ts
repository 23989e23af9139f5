import { makeAutoObservable } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import type { Notification } from '../api/routes.ts';
import * as routes from '../api/routes.ts';
import { NOTIFICATION_STATUSES, NOTIFICATION_TYPES, type NotificationType } from '../model/notification-types.ts';

export interface NotificationItem {
  _id: string;
  attributes: Partial<Static<typeof Notification>>;
}

export const PAGE_SIZE = 50;

export const SHOWN_STATUSES = [...NOTIFICATION_STATUSES, 'all'] as const;
export type ShownStatus = (typeof SHOWN_STATUSES)[number];

/** What the list shows; it lives in the address. `page` is 0-based there. */
export interface NotificationsView {
  status: ShownStatus;
  type: NotificationType | undefined;
  page: number;
}

export const NOTIFICATIONS_VIEW = {
  parse: (params: URLSearchParams): NotificationsView => {
    const page = Number(params.get('page') ?? 0);
    return {
      status: SHOWN_STATUSES.find((status) => status === params.get('status')) ?? 'unread',
      type: NOTIFICATION_TYPES.find((type) => type === params.get('type')),
      page: Number.isInteger(page) && page >= 0 ? page : 0,
    };
  },
  format: ({ status, type, page }: NotificationsView): URLSearchParams => {
    const params = new URLSearchParams();
    if (status !== 'unread') params.set('status', status);
    if (type !== undefined) params.set('type', type);
    if (page > 0) params.set('page', String(page));
    return params;
  },
};

/** One page of a person's notifications, the newest first. */
export class NotificationsStore {
  view: NotificationsView = { status: 'unread', type: undefined, page: 0 };
  rows: NotificationItem[] | undefined = undefined;
  total = 0;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  show(view: NotificationsView): void {
    this.view = view;
    void this.load();
  }

  async load(): Promise<void> {
    const { status, type, page } = this.view;
    const query = {
      status,
      ...(type === undefined ? {} : { notification_type: [type] }),
      sort: 'desc' as const,
      pagination: { page: page + 1, pageSize: PAGE_SIZE },
    };
    await this.#reading.run(
      (signal) => this.#api.call(routes.listNotifications, { query, signal }),
      ({ data, meta }) => {
        this.rows = data;
        this.total = meta.pagination.total;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** A row that no longer belongs to the view leaves it at once. Source: specification §4 "Notifications". */
  async mark(item: NotificationItem, status: 'read' | 'unread'): Promise<void> {
    await this.#api.call(routes.updateNotification, { params: { id: item._id }, body: { status } });
    if (this.view.status === 'all') this.change(item._id, status);
    else this.drop(item._id);
  }

  async remove(item: NotificationItem): Promise<void> {
    await this.#api.call(routes.deleteNotification, { params: { id: item._id } });
    this.drop(item._id);
  }

  /** Marks all unread ones of the shown type. */
  async markAll(): Promise<number> {
    const { type } = this.view;
    const body = { status: 'read' as const, ...(type === undefined ? {} : { notification_type: [type] }) };
    const { data } = await this.#api.call(routes.updateAllNotifications, { body });
    await this.load();
    return data.changed;
  }

  dispose(): void {
    this.#reading.dispose();
  }

  private change(id: string, status: 'read' | 'unread'): void {
    this.rows = this.rows?.map((row) => (row._id === id ? { ...row, attributes: { ...row.attributes, status } } : row));
  }

  private drop(id: string): void {
    const rows = this.rows?.filter(({ _id }) => _id !== id);
    if (rows === undefined || rows.length === this.rows?.length) return;
    this.rows = rows;
    this.total = Math.max(0, this.total - 1);
    // the next page moves up
    if (rows.length === 0 && this.total > 0) void this.load();
  }
}
