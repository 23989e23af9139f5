import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { ApiError, isAbort } from '../../../platform/ui/data/api-error.ts';
import * as routes from '../../api/job-routes.ts';
import type { Refused } from '../../api/verdict-routes.ts';
import { BULK_KINDS } from '../../model/change.ts';

/** What came of a change. */
export interface Outcome {
  done: number;
  refusedCount: number;
  refused: Static<typeof Refused>;
  /** Act to take back; null where nothing was written. */
  changeId: string | null;
  /** Set where it was a job. */
  jobId?: string;
  /** Why it did not come to its end. */
  problem?: string;
}

export interface Progress {
  done: number;
  refused: number;
  total: number;
}

interface Followed {
  id: string;
  canUndo: boolean;
}

const POLL_MS = 700;
/** While the server is away. */
const RETRY_MS = 3000;

/** The server could not be reached, or is about to start: the job goes on, so the waiting does too. */
const isPassing = (error: unknown): boolean => error instanceof ApiError && (error.status === 0 || error.status >= 500);

/** Waits for jobs, however long they take, and shows how far they are. */
export class JobFollower {
  /** By job, oldest first. */
  readonly running = new Map<string, Progress>();
  readonly #api: ApiClient;
  #abort = new AbortController();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** All that is under way, as one. */
  get progress(): Progress | undefined {
    const all = [...this.running.values()];
    if (all.length === 0) return undefined;
    const sum = (key: keyof Progress) => all.reduce((total, one) => total + one[key], 0);
    return { done: sum('done'), refused: sum('refused'), total: sum('total') };
  }

  /** Own jobs whose end was not seen: those of before a reload, or of another page. A list that cannot be read is none. */
  async find(): Promise<Followed[]> {
    if (this.#abort.signal.aborted) this.#abort = new AbortController();
    try {
      const { data } = await this.#api.call(routes.listJobs, { signal: this.#abort.signal });
      return data
        .filter(({ _id, attributes: { kind } }) => BULK_KINDS.some((known) => known === kind) && !this.running.has(_id))
        .map(({ _id, attributes }) => ({ id: _id, canUndo: attributes.kind === 'findings.change' }));
    } catch {
      return [];
    }
  }

  /** @throws what ends the waiting: the page was left, or the job is not there. */
  async follow(id: string): Promise<Outcome> {
    const { signal } = this.#abort;
    try {
      for (;;) {
        const outcome = await this.#look(id, signal);
        if (outcome !== undefined) return outcome;
        signal.throwIfAborted();
      }
    } finally {
      runInAction(() => {
        this.running.delete(id);
      });
    }
  }

  /** The end was shown. */
  see(id: string): void {
    this.#api.call(routes.seeJob, { params: { id } }).catch(() => undefined);
  }

  /** The page is left: what is under way goes on without being watched. */
  stop(): void {
    this.#abort.abort();
  }

  async #look(id: string, signal: AbortSignal): Promise<Outcome | undefined> {
    try {
      const { data } = await this.#api.call(routes.getJob, { params: { id }, signal });
      const { done, refused, refused_count, total, status, detail, finished_at } = data.attributes;
      runInAction(() => {
        this.running.set(id, { done, refused: refused_count, total });
      });
      if (finished_at !== null) {
        const problem = status === 'failed' ? { problem: detail ?? 'The work broke off.' } : {};
        return { done, refused, refusedCount: refused_count, changeId: done === 0 ? null : id, jobId: id, ...problem };
      }
      await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    } catch (error) {
      if (isAbort(error) || !isPassing(error)) throw error;
      await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
    }
    return undefined;
  }
}
