import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import { msg } from '../../../platform/model/message.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { ApiError, isAbort } from '../../../platform/ui/data/api-error.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import * as routes from '../../api/job-routes.ts';
import type { Refused } from '../../api/verdict-routes.ts';

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
  /** How many are through their first step, of work that ends for several of them at once. */
  prepared: number;
}

interface Followed {
  id: string;
  ending: { done: string; canUndo: boolean };
}

/** What is said of each kind of job that the list follows. */
const ENDINGS: Readonly<Record<string, Followed['ending']>> = {
  'findings.change': { done: msg('changed'), canUndo: true },
  'findings.undo': { done: msg('taken back'), canUndo: false },
  'remediation.generate': { done: msg('generated'), canUndo: false },
  'remediation.apply': { done: msg('opened'), canUndo: false },
  'remediation.assess': { done: msg('looked at by the model'), canUndo: false },
};

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
    return { done: sum('done'), refused: sum('refused'), total: sum('total'), prepared: sum('prepared') };
  }

  /** Own jobs whose end was not seen: those of before a reload, or of another page. A list that cannot be read is none. */
  async find(): Promise<Followed[]> {
    if (this.#abort.signal.aborted) this.#abort = new AbortController();
    try {
      const { data } = await this.#api.call(routes.listJobs, { signal: this.#abort.signal });
      return data.flatMap(({ _id, attributes: { kind } }) => {
        const ending = ENDINGS[kind];
        return ending === undefined || this.running.has(_id) ? [] : [{ id: _id, ending }];
      });
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
      const { done, refused, refused_count, total, percentage, status, detail, finished_at } = data.attributes;
      runInAction(() => {
        const prepared = Math.floor((percentage / 100) * total);
        this.running.set(id, { done, refused: refused_count, total, prepared });
      });
      if (finished_at !== null) {
        const problem = status === 'failed' ? { problem: t(detail ?? msg('The work broke off.')) } : {};
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
