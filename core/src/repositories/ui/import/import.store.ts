import { makeAutoObservable, observable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { ApiError, isAbort, messagesOf } from '../../../platform/ui/data/api-error.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { type NextStep, nextStepOf } from '../../../platform/ui/feedback/next-step.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import {
  listProviderBranches,
  listProviderRepositories,
  listSourceControls,
  type ProviderRepository,
  type SourceControlAttributes,
} from '../../api/provider-routes.ts';
import { createRepositories } from '../../api/routes.ts';

export interface SourceControlItem {
  _id: string;
  attributes: Static<typeof SourceControlAttributes>;
}
export interface ProviderRow {
  _id: string;
  attributes: Static<typeof ProviderRepository>;
}

/** A repository that the server is asked to add. */
export interface Wanted {
  /** Id of the row that it comes from, where it comes from one. */
  key: string;
  nickname: string;
  url: string;
  repository_branch: string;
  external_id?: string;
}

export interface Failure {
  name: string;
  why: string;
}

/** How far an import is; `done` counts what was added or was there already. */
export interface ImportRun {
  done: number;
  total: number;
  failures: readonly Failure[];
  isRunning: boolean;
  /** Why it ended before its end; what is left stays selected. */
  stopped: string | undefined;
  /** Where to go on after that. */
  next?: NextStep | undefined;
}

/** Repositories of one request: few, so that the bar moves. */
const CHUNK = 25;
const FALLBACK_BRANCH = 'main';

type BranchList = { names: readonly string[]; problem: string | undefined } | 'loading';

/** Repositories of a source control that are chosen and imported. */
export class ImportStore {
  sources: SourceControlItem[] | undefined = undefined;
  sourcesError: unknown = undefined;
  source: string | undefined = undefined;
  rows: ProviderRow[] | undefined = undefined;
  error: unknown = undefined;
  /** Why there may be more than are listed. */
  problem: string | undefined = undefined;
  search = '';
  hidesImported = false;
  page = 0;
  run: ImportRun | undefined = undefined;
  readonly selected = observable.set<string>();
  /** Branches that were chosen other than the default one, by row. */
  readonly chosenBranches = observable.map<string, string>();
  readonly branches = observable.map<string, BranchList>({}, { deep: false });
  readonly #api: ApiClient;
  readonly #isOffered: (item: SourceControlItem) => boolean;
  readonly #reading = new LatestCall();
  #stop = new AbortController();

  /** @param isOffered which source controls can be chosen */
  constructor(api: ApiClient, isOffered: (item: SourceControlItem) => boolean) {
    this.#api = api;
    this.#isOffered = isOffered;
    makeAutoObservable(this, { selected: false, chosenBranches: false, branches: false }, { autoBind: true });
  }

  get current(): SourceControlItem | undefined {
    return this.sources?.find(({ _id }) => _id === this.source);
  }

  /** Rows that the search and the switch leave. */
  get matching(): ProviderRow[] {
    const words = this.search.toLowerCase();
    return (this.rows ?? []).filter(
      ({ attributes }) =>
        attributes.name.toLowerCase().includes(words) && !(this.hidesImported && attributes.repository_id !== null),
    );
  }

  /** Rows of them that can be chosen. */
  get selectable(): ProviderRow[] {
    return this.matching.filter(({ attributes }) => isSelectable(attributes));
  }

  get isAllSelected(): boolean {
    return this.selectable.length > 0 && this.selectable.every(({ _id }) => this.selected.has(_id));
  }

  async loadSources(): Promise<void> {
    try {
      const { data } = await this.#api.call(listSourceControls);
      runInAction(() => {
        this.sources = data.filter((item) => this.#isOffered(item));
        this.sourcesError = undefined;
      });
    } catch (error) {
      runInAction(() => {
        this.sourcesError = error;
      });
    }
  }

  /** Shows another source control, and lists its repositories where it is connected. */
  show(source: string | undefined): void {
    if (source === this.source) return;
    this.source = source;
    this.rows = undefined;
    this.error = undefined;
    this.problem = undefined;
    this.run = undefined;
    this.page = 0;
    this.selected.clear();
    this.chosenBranches.clear();
    this.branches.clear();
    if (this.current?.attributes.is_connected === true) void this.loadRows();
  }

  async loadRows(): Promise<void> {
    const { source } = this;
    if (source === undefined) return;
    this.rows = undefined;
    this.error = undefined;
    await this.#reading.run(
      (signal) => this.#api.call(listProviderRepositories, { params: { source_control: source }, signal }),
      ({ data, meta }) => {
        this.rows = data;
        this.problem = meta.problem ?? undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  setSearch(search: string): void {
    this.search = search;
    this.page = 0;
  }

  setHidesImported(hides: boolean): void {
    this.hidesImported = hides;
    this.page = 0;
  }

  setPage(page: number): void {
    this.page = page;
  }

  toggle(id: string): void {
    if (!this.selected.delete(id)) this.selected.add(id);
  }

  /** All rows that match, on every page; or none of them. */
  toggleAll(): void {
    const isAll = this.isAllSelected;
    for (const { _id } of this.selectable) {
      if (isAll) this.selected.delete(_id);
      else this.selected.add(_id);
    }
  }

  branchOf({ _id, attributes }: ProviderRow): string {
    return this.chosenBranches.get(_id) ?? attributes.default_branch ?? FALLBACK_BRANCH;
  }

  chooseBranch(id: string, branch: string): void {
    this.chosenBranches.set(id, branch);
  }

  async loadBranches(id: string): Promise<void> {
    const { source } = this;
    const known = this.branches.get(id);
    if (source === undefined || known === 'loading' || (known !== undefined && known.problem === undefined)) return;
    this.branches.set(id, 'loading');
    const list = await this.#api
      .call(listProviderBranches, { params: { source_control: source }, query: { repository: id } })
      .then(
        ({ data, meta }) => ({ names: data.map(({ name }) => name), problem: meta.problem ?? undefined }),
        (error: unknown) => ({ names: [], problem: messagesOf(error).join(' ') }),
      );
    runInAction(() => this.branches.set(id, list));
  }

  /** Imports what is selected, in the order of the list. */
  importSelected(): Promise<void> {
    const rows = (this.rows ?? []).filter(({ _id }) => this.selected.has(_id));
    return this.import(
      rows.map((row) => ({
        key: row._id,
        nickname: row.attributes.name,
        url: row.attributes.url,
        repository_branch: this.branchOf(row),
        external_id: row._id,
      })),
    );
  }

  /** Adds repositories, some at a time. What is refused is told with its reason and does not keep the others. */
  async import(wanted: readonly Wanted[]): Promise<void> {
    const { source } = this;
    if (source === undefined || wanted.length === 0 || this.run?.isRunning === true) return;
    this.#stop = new AbortController();
    const { signal } = this.#stop;
    this.run = { done: 0, total: wanted.length, failures: [], isRunning: true, stopped: undefined };
    let stopped: string | undefined;
    for (let at = 0; at < wanted.length && stopped === undefined; at += CHUNK) {
      stopped = await this.#importSome(source, wanted.slice(at, at + CHUNK), signal);
    }
    runInAction(() => {
      if (this.run !== undefined) this.run = { ...this.run, isRunning: false, stopped };
    });
    void this.loadSources();
  }

  /** Ends an import after what is under way. */
  cancel(): void {
    this.#stop.abort();
  }

  dispose(): void {
    this.#reading.dispose();
    this.#stop.abort();
  }

  /** @returns why the rest has to wait; nothing where it may go on */
  async #importSome(source: string, wanted: readonly Wanted[], signal: AbortSignal): Promise<string | undefined> {
    if (signal.aborted) return t('Cancelled.');
    try {
      const body = { source_control: source, data: wanted.map(({ key: _key, ...one }) => one) };
      const { data } = await this.#api.call(createRepositories, { body, signal });
      runInAction(() => this.#take(wanted, data));
      return undefined;
    } catch (error) {
      if (isAbort(error)) return t('Cancelled.');
      const why = messagesOf(error).join(' ');
      const isRefused = error instanceof ApiError && error.status === 422;
      if (!isRefused) {
        runInAction(() => {
          if (this.run !== undefined) this.run = { ...this.run, next: nextStepOf(error) };
        });
        return why;
      }
      // one of them is refused: which one shows when each is sent alone
      if (wanted.length > 1) {
        for (const one of wanted) {
          const stopped = await this.#importSome(source, [one], signal);
          if (stopped !== undefined) return stopped;
        }
        return undefined;
      }
      runInAction(() => this.#refuse(wanted, why));
      return undefined;
    }
  }

  #take(wanted: readonly Wanted[], added: readonly { _id: string }[]): void {
    const idOf = new Map(wanted.map(({ key }, index) => [key, added[index]?._id ?? null]));
    for (const { _id, attributes } of this.rows ?? [])
      attributes.repository_id = idOf.get(_id) ?? attributes.repository_id;
    for (const { key } of wanted) this.selected.delete(key);
    if (this.run !== undefined) this.run = { ...this.run, done: this.run.done + wanted.length };
  }

  #refuse(wanted: readonly Wanted[], why: string): void {
    const failures = wanted.map(({ nickname: name }) => ({ name, why }));
    for (const { key } of wanted) this.selected.delete(key);
    if (this.run !== undefined) this.run = { ...this.run, failures: [...this.run.failures, ...failures] };
  }
}

export const isSelectable = (row: ProviderRow['attributes']): boolean =>
  row.repository_id === null && row.problem === null;
