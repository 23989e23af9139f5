import { makeAutoObservable, runInAction } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { listDevelopers } from '../api/routes.ts';

interface Person {
  value: string;
  label: string;
}

const PAGE = 200;

/** Developers of the organisation, to choose from. */
export class PeopleStore {
  developers: Person[] | undefined = undefined;
  error: string | undefined = undefined;
  readonly #api: ApiClient;

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Reads them once. */
  async load(): Promise<void> {
    if (this.developers !== undefined) return;
    try {
      const { data } = await this.#api.call(listDevelopers, { query: { pagination: { page: 1, pageSize: PAGE } } });
      runInAction(() => {
        this.developers = data
          .filter((person) => person.attributes.status === 'active')
          .map((person) => ({ value: person._id, label: person.attributes.username }));
      });
    } catch (error) {
      runInAction(() => {
        this.error = messagesOf(error).join(' ');
      });
    }
  }
}
