import { makeAutoObservable, observable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { FixGroupsProps } from '../../../findings/ui/index.ts';
import { withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { type FixedFinding, type FixGroupAttributes, listFindingsOfFix, listFixes } from '../../api/group-routes.ts';

export interface FixGroup {
  _id: string;
  attributes: Static<typeof FixGroupAttributes>;
}

interface FindingOfFix {
  _id: string;
  attributes: Static<typeof FixedFinding>;
}

/** The findings of a group that was opened. */
export interface OpenGroup {
  /** Undefined while the first page is read. */
  rows: FindingOfFix[] | undefined;
  next: string | null;
  error?: unknown;
}

/** Findings that one request decides about by their ids. */
export const MAX_PICKED = 10_000;
/** Of one request for ids. */
const IDS_PAGE = 500;
const PAGE = 50;

/** Findings of a view by what fixes them. */
export class FixGroupsStore {
  /** Undefined while the first page is read. */
  groups: FixGroup[] | undefined = undefined;
  total = 0;
  grouped = 0;
  ungrouped = 0;
  next: string | null = null;
  error: unknown = undefined;
  readonly open = observable.map<string, OpenGroup>();
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();
  #view: Pick<FixGroupsProps, 'filters' | 'search'> = { filters: {}, search: '' };
  #address = '';

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, { open: false }, { autoBind: true });
  }

  /** Shows the fixes of a view from the first page; the same view again costs nothing. */
  show(view: Pick<FixGroupsProps, 'filters' | 'search'>): void {
    const address = JSON.stringify([view.filters, view.search]);
    if (address === this.#address && this.error === undefined) return;
    this.#address = address;
    this.#view = view;
    this.groups = undefined;
    this.open.clear();
    void this.#read(undefined);
  }

  /** Reads again what is shown, after imports and changes. */
  async reload(): Promise<void> {
    await this.#read(undefined);
    await Promise.all([...this.open.keys()].map((key) => this.#readFindings(key, undefined)));
  }

  more(): void {
    if (this.next !== null) void this.#read(this.next);
  }

  toggle(key: string): void {
    if (this.open.delete(key)) return;
    this.open.set(key, { rows: undefined, next: null });
    void this.#readFindings(key, undefined);
  }

  moreOf(key: string): void {
    const next = this.open.get(key)?.next ?? null;
    if (next !== null) void this.#readFindings(key, next);
  }

  /** Ids of all its findings, at most a page more than can be picked. @throws ApiError */
  async idsOf(key: string): Promise<string[]> {
    const ids: string[] = [];
    const read = async (position: { after?: string }): Promise<string | null> => {
      const query = { ...this.#view, key, limit: IDS_PAGE, ...position };
      const { data, meta } = await this.#api.call(listFindingsOfFix, { query });
      ids.push(...data.map(({ _id }) => _id));
      return meta.next;
    };
    let next = await read({});
    while (next !== null && ids.length <= MAX_PICKED) next = await read({ after: next });
    return ids;
  }

  dispose(): void {
    this.#address = '';
    this.#reading.dispose();
  }

  #read(after: string | undefined): Promise<void> {
    const query = { ...this.#view, limit: PAGE, ...(after === undefined ? {} : { after }) };
    return this.#reading.run(
      (signal) => this.#api.call(listFixes, { query, signal }),
      ({ data, meta }) => {
        const fresh = withVisibleText(data, ['_id']);
        this.groups = after === undefined ? fresh : [...(this.groups ?? []), ...fresh];
        this.total = meta.total;
        this.grouped = meta.grouped;
        this.ungrouped = meta.ungrouped;
        this.next = meta.next;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  async #readFindings(key: string, after: string | undefined): Promise<void> {
    const address = this.#address;
    const query = { ...this.#view, key, limit: PAGE, ...(after === undefined ? {} : { after }) };
    try {
      const { data, meta } = await this.#api.call(listFindingsOfFix, { query });
      runInAction(() => {
        const known = this.open.get(key);
        if (known === undefined || address !== this.#address) return;
        const fresh = withVisibleText(data, ['_id', 'repository_id']);
        this.open.set(key, { rows: after === undefined ? fresh : [...(known.rows ?? []), ...fresh], next: meta.next });
      });
    } catch (error) {
      runInAction(() => {
        if (this.open.has(key) && address === this.#address) this.open.set(key, { rows: [], next: null, error });
      });
    }
  }
}
