import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { listDevelopers, listMembers } from '../api/routes.ts';

interface Person {
  value: string;
  label: string;
}

const QUERY = { pagination: { page: 1, pageSize: 200 } };

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
  error: string | undefined = undefined;
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
    try {
      await read();
    } catch (error) {
      runInAction(() => {
        this.error = messagesOf(error).join(' ');
      });
    }
  }
}
