import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { AUDIT_GROUPS, AUDIT_KIND_NAMES, type AuditGroup } from '../../platform/model/audit-kinds.ts';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { saveBlob } from '../../platform/ui/data/save-blob.ts';
import { dayOfReader, zoneOfReader } from '../../platform/ui/display/formats.ts';
import { type AuditEntry, type AuditFormat, exportAudit, listAudit, listManagedAudit } from '../api/routes.ts';

export interface AuditItem {
  _id: string;
  attributes: Static<typeof AuditEntry>;
}

/** Periods that the filter offers, in days; undefined for all. */
export const PERIODS = [1, 7, 30, 90] as const;
export type Period = (typeof PERIODS)[number];

/** What the page shows; it lives in the address. */
export interface AuditView {
  search: string;
  group: AuditGroup | undefined;
  /** Id of a person. */
  actor: string | undefined;
  days: Period | undefined;
}

const EVERYTHING: AuditView = { search: '', group: undefined, actor: undefined, days: undefined };

const parse = (params: URLSearchParams): AuditView => ({
  search: (params.get('search') ?? '').trim().slice(0, 200),
  group: AUDIT_GROUPS.find(({ id }) => id === params.get('kind'))?.id,
  actor: /^[0-9a-f-]{36}$/.test(params.get('person') ?? '') ? (params.get('person') ?? undefined) : undefined,
  days: PERIODS.find((days) => String(days) === params.get('days')),
});

const format = ({ search, group, actor, days }: AuditView): URLSearchParams => {
  const params = new URLSearchParams();
  if (search !== '') params.set('search', search);
  if (group !== undefined) params.set('kind', group);
  if (actor !== undefined) params.set('person', actor);
  if (days !== undefined) params.set('days', String(days));
  return params;
};

export const AUDIT_VIEW = { parse, format };

const DAY_MS = 86_400_000;

/** That many days before a day. */
const dayBefore = (day: string, days: number): string =>
  new Date(Date.parse(day) - days * DAY_MS).toISOString().slice(0, 10);

const queryOf = ({ search, group, actor, days }: AuditView) => {
  const filters = {
    ...(group === undefined ? {} : { kind: AUDIT_KIND_NAMES.filter((kind) => kind.startsWith(`${group}.`)) }),
    ...(actor === undefined ? {} : { actor: [actor] }),
    ...(days === undefined ? {} : { date_gt: dayBefore(dayOfReader(), days - 1), time_zone: zoneOfReader() }),
  };
  return { filters, ...(search === '' ? {} : { search }) };
};

/** The audit log, newest first; older entries come when they are asked for. */
export class AuditStore {
  view: AuditView = EVERYTHING;
  rows: AuditItem[] | undefined = undefined;
  nextCursor: string | null = null;
  retentionDays: number | undefined = undefined;
  error: unknown = undefined;
  isLoadingMore = false;
  exporting: AuditFormat | undefined = undefined;
  readonly #api: ApiClient;
  /** Whose log a superadmin reads; undefined for the own. */
  readonly #clientId: string | undefined;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, clientId?: string) {
    this.#api = api;
    this.#clientId = clientId;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get isFiltered(): boolean {
    const { search, group, actor, days } = this.view;
    return search !== '' || group !== undefined || actor !== undefined || days !== undefined;
  }

  show(view: AuditView): void {
    this.view = view;
    this.rows = undefined;
    void this.load();
  }

  /** Reads the newest entries anew. */
  async load(): Promise<void> {
    this.error = undefined;
    await this.#read(undefined, (found) => found);
  }

  async loadMore(): Promise<void> {
    if (this.nextCursor === null || this.isLoadingMore) return;
    this.isLoadingMore = true;
    await this.#read(this.nextCursor, (found) => [...(this.rows ?? []), ...found]);
  }

  /** Gives the browser every entry that matches. @throws ApiError */
  async download(format: AuditFormat): Promise<void> {
    this.exporting = format;
    try {
      const blob = await this.#api.download(exportAudit, { query: { ...queryOf(this.view), format } });
      saveBlob(blob, `audit-${dayOfReader()}.${format}`);
    } finally {
      runInAction(() => {
        this.exporting = undefined;
      });
    }
  }

  dispose(): void {
    this.#reading.dispose();
  }

  async #read(cursor: string | undefined, join: (found: AuditItem[]) => AuditItem[]): Promise<void> {
    const query = { ...queryOf(this.view), ...(cursor === undefined ? {} : { cursor }) };
    await this.#reading.run(
      (signal) =>
        this.#clientId === undefined
          ? this.#api.call(listAudit, { query, signal })
          : this.#api.call(listManagedAudit, { params: { client: this.#clientId }, query, signal }),
      ({ data, meta }) => {
        this.rows = join(data);
        this.nextCursor = meta.next_cursor;
        this.retentionDays = meta.retention_days;
        this.isLoadingMore = false;
      },
      (error) => {
        this.error = error;
        this.isLoadingMore = false;
      },
    );
  }
}
