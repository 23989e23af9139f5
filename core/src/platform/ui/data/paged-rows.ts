import { makeAutoObservable, observable, runInAction } from 'mobx';
import { isAbort } from './api-error.ts';

/** A skeleton that comes sooner than this only flickers. */
const SKELETON_DELAY_MS = 100;
/** Pages kept while somebody scrolls through a million rows; the farthest from the view go first. */
const MAX_PAGES = 40;

export interface Page<T> {
  rows: T[];
  /** Undefined where the rows come before they are counted. */
  total: number | undefined;
}

/** What a page is read for: the beginning of another list, the beginning of the same one, or more of it. */
type Reading = 'new' | 'same' | 'more';

/** Reads one page; the first is 1. */
export type ReadPage<T> = (page: number, pageSize: number, signal: AbortSignal) => Promise<Page<T>>;

/** Rows of a list that is too long to be read at once: pages come as they come into sight. */
export class PagedRows<T> {
  total: number | undefined = undefined;
  isSkeletonDue = false;
  error: unknown = undefined;
  /** Grows with every reading anew: what was in sight has to be asked for again. */
  generation = 0;
  readonly pageSize: number;
  readonly pages = observable.map<number, T[]>({}, { deep: false });
  readonly #read: ReadPage<T>;
  readonly #count: ((signal: AbortSignal) => Promise<number>) | undefined;
  readonly #pending = new Map<number, Promise<void>>();
  #abort = new AbortController();

  /** `count` tells the total where pages come without it. */
  constructor(read: ReadPage<T>, pageSize = 100, count?: (signal: AbortSignal) => Promise<number>) {
    this.#read = read;
    this.#count = count;
    this.pageSize = pageSize;
    makeAutoObservable(this, { pages: false, pageSize: false }, { autoBind: true });
  }

  /** Ends with the next reload. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  /** Rows of the whole list; until they are counted, up to the last that was read. */
  get length(): number {
    if (this.total !== undefined) return this.total;
    const last = Math.max(-1, ...this.pages.keys());
    return last < 0 ? 0 : last * this.pageSize + (this.pages.get(last)?.length ?? 0);
  }

  rowAt(index: number): T | undefined {
    return this.pages.get(Math.floor(index / this.pageSize))?.[index % this.pageSize];
  }

  /** Place of a row among those that are loaded; -1 when it is not among them. */
  indexOf(isWanted: (row: T) => boolean): number {
    for (const [page, rows] of this.pages) {
      const index = rows.findIndex(isWanted);
      if (index >= 0) return page * this.pageSize + index;
    }
    return -1;
  }

  /** Reads anew; the old rows stay until the new ones are there, or until the skeleton is due. */
  reload(): void {
    const signal = this.#begin();
    setTimeout(() => this.#dueSkeleton(signal), SKELETON_DELAY_MS);
    void this.#load(0, 'new');
  }

  /** Reads anew without ever hiding the rows: what is in focus and how far the list is scrolled stay. */
  refresh(): void {
    this.#begin();
    void this.#load(0, 'same');
  }

  dispose(): void {
    this.#abort.abort();
  }

  /** Makes sure that rows `from` to `to` are there or on their way. */
  ensure(from: number, to: number): void {
    const last = Math.min(to, Math.max(1, this.length) - 1);
    for (let page = Math.floor(Math.max(0, from) / this.pageSize); page * this.pageSize <= last; page += 1) {
      if (!this.pages.has(page)) void this.#load(page, 'more');
    }
  }

  /** The row at an index, read when it is not there yet. */
  async fetchRow(index: number): Promise<T | undefined> {
    if (this.rowAt(index) === undefined) await this.#load(Math.floor(index / this.pageSize), 'more');
    return this.rowAt(index);
  }

  /** Changes the rows that are wanted where they stand. */
  change(isWanted: (row: T) => boolean, changed: (row: T) => T): void {
    for (const [page, rows] of this.pages) {
      if (rows.some(isWanted)) {
        this.pages.set(
          page,
          rows.map((row) => (isWanted(row) ? changed(row) : row)),
        );
      }
    }
  }

  #begin(): AbortSignal {
    this.#abort.abort();
    this.#abort = new AbortController();
    this.#pending.clear();
    this.error = undefined;
    return this.#abort.signal;
  }

  #dueSkeleton(signal: AbortSignal): void {
    if (signal.aborted || !this.#pending.has(0)) return;
    runInAction(() => {
      this.isSkeletonDue = true;
      this.pages.clear();
    });
  }

  #load(page: number, reading: Reading): Promise<void> {
    const pending = this.#pending.get(page);
    if (pending !== undefined) return pending;
    const promise = this.#fetch(page, reading);
    this.#pending.set(page, promise);
    return promise;
  }

  async #fetch(page: number, reading: Reading): Promise<void> {
    const { signal } = this.#abort;
    try {
      const found = await this.#read(page + 1, this.pageSize, signal);
      if (signal.aborted) return;
      runInAction(() => this.#take(page, found, reading));
      if (found.total === undefined && reading !== 'more') void this.#countLater(signal);
    } catch (error) {
      this.#fail(error, signal);
    } finally {
      if (!signal.aborted) this.#pending.delete(page);
    }
  }

  #take(page: number, { rows, total }: Page<T>, reading: Reading): void {
    if (reading !== 'more') {
      this.pages.clear();
      this.generation += 1;
    }
    this.pages.set(page, rows);
    if (total !== undefined || reading === 'new') this.total = total;
    this.isSkeletonDue = false;
    this.#dropFarPages(page);
  }

  /** Beside the reading, which is over: the skeleton waits for the rows only. */
  async #countLater(signal: AbortSignal): Promise<void> {
    try {
      const total = await this.#count?.(signal);
      if (signal.aborted) return;
      runInAction(() => {
        this.total = total;
      });
    } catch (error) {
      this.#fail(error, signal);
    }
  }

  #fail(error: unknown, signal: AbortSignal): void {
    if (isAbort(error) || signal.aborted) return;
    runInAction(() => {
      this.error = error;
      this.isSkeletonDue = false;
    });
  }

  #dropFarPages(near: number): void {
    const farthestFirst = [...this.pages.keys()].sort((a, b) => Math.abs(b - near) - Math.abs(a - near));
    for (const page of farthestFirst.slice(0, Math.max(0, farthestFirst.length - MAX_PAGES))) this.pages.delete(page);
  }
}
