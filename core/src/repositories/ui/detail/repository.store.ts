import { makeAutoObservable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import {
  deleteRepository,
  getRepository,
  listRepositoryBranches,
  listRepositoryEvents,
  listRepositoryTags,
  type RepositoryChange,
  updateRepository,
} from '../../api/routes.ts';
import type { Repository } from '../parts/repository-display.tsx';

export type Change = Static<typeof RepositoryChange>;

export interface Branch {
  name: string;
  is_default: boolean;
  last_scan: string | null;
  counts: Repository['counts'];
}

export interface RepositoryEvent {
  at: string;
  by: string | null;
  field: string;
  from: string | null;
  to: string | null;
}

/** One repository: what is set of it, its branches and its history. */
export class RepositoryStore {
  readonly id: string;
  repository: Repository | undefined = undefined;
  branches: { _id: string; attributes: Branch }[] = [];
  events: RepositoryEvent[] = [];
  /** Tags of all repositories, to choose from. */
  knownTags: string[] = [];
  error: unknown = undefined;
  /** Fields that are being saved. */
  saving: readonly string[] = [];
  isDeleting = false;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, id: string) {
    this.id = id;
    this.#api = api;
    makeAutoObservable(this, { id: false }, { autoBind: true });
  }

  async load(): Promise<void> {
    const params = { id: this.id };
    await this.#reading.run(
      (signal) =>
        Promise.all([
          this.#api.call(getRepository, { params, signal }),
          this.#api.call(listRepositoryBranches, { params, signal }),
          this.#api.call(listRepositoryEvents, { params, signal }),
          this.#api.call(listRepositoryTags, { signal }),
        ]),
      ([repository, branches, events, tags]) => {
        this.repository = repository.data.attributes;
        this.branches = branches.data;
        this.events = events.data;
        this.knownTags = tags.data.map(({ _id }) => _id);
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** Saves fields; they show at once and go back where the server refuses. @throws ApiError with the reason */
  async save(change: Change): Promise<void> {
    const before = this.repository;
    if (before === undefined) return;
    const fields = Object.keys(change);
    this.saving = [...this.saving, ...fields];
    try {
      const { data } = await this.#api.call(updateRepository, { params: { id: this.id }, body: change });
      runInAction(() => {
        this.repository = data.attributes;
      });
      await this.load();
    } finally {
      runInAction(() => {
        this.saving = this.saving.filter((field) => !fields.includes(field));
      });
    }
  }

  /** Removes it with all that belongs to it. @throws ApiError when the server refuses. */
  async remove(): Promise<void> {
    this.isDeleting = true;
    try {
      await this.#api.call(deleteRepository, { params: { id: this.id } });
    } finally {
      runInAction(() => {
        this.isDeleting = false;
      });
    }
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
