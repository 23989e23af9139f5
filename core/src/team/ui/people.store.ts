import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { listDevelopers, listMembers } from '../api/people-routes.ts';

interface Person {
  value: string;
  label: string;
}

/** All of them: people choose from the whole list. */
const QUERY = { pagination: 'false' } as const;

interface Named {
  _id: string;
  attributes: { username: string; status: string };
}

const toPeople = (data: readonly Named[]): Person[] =>
  data
    .filter((person) => person.attributes.status === 'active')
    .map((person) => ({ value: person._id, label: person.attributes.username }));

/** People of the organisation, to choose from. */
export class PeopleStore {
  /** To whom findings are sent. */
  developers: Person[] | undefined = undefined;
  /** Who may own findings and repositories. */
  members: Person[] | undefined = undefined;
  /** Why the last reading failed. */
  error: unknown = undefined;
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Reads the developers once. */
  async load(): Promise<void> {
    if (this.developers !== undefined) return;
    await this.#read(async () => {
      const { data } = await this.#api.call(listDevelopers, { query: QUERY });
      runInAction(() => {
        this.developers = toPeople(data);
      });
    });
  }

  /** Reads everybody once. */
  async loadMembers(): Promise<void> {
    if (this.members !== undefined) return;
    await this.#read(async () => {
      const { data } = await this.#api.call(listMembers, { query: QUERY });
      runInAction(() => {
        this.members = toPeople(data);
      });
    });
  }

  async #read(read: () => Promise<void>): Promise<void> {
    this.error = undefined;
    try {
      await read();
    } catch (error) {
      runInAction(() => {
        this.error = error;
      });
    }
  }
}
