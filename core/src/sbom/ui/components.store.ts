import { makeAutoObservable } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/api-client.ts';
import { PagedRows } from '../../platform/ui/paged-rows.ts';
import { type ComponentRow, listComponents } from '../api/routes.ts';
import { type ComponentView, formatComponentView, parseComponentView } from './component-view.ts';

export interface ComponentItem {
  _id: string;
  attributes: Static<typeof ComponentRow>;
}

/** Rows of the inventory, read as they come into sight. */
export class ComponentsStore {
  view: ComponentView = parseComponentView(new URLSearchParams());
  readonly list: PagedRows<ComponentItem>;
  readonly #api: ApiClient;
  #address: string | undefined = undefined;

  constructor(api: ApiClient) {
    this.#api = api;
    this.list = new PagedRows((page, pageSize, signal) => this.#read(page, pageSize, signal));
    makeAutoObservable(this, { list: false }, { autoBind: true });
  }

  show(view: ComponentView): void {
    const address = formatComponentView(view).toString();
    if (address === this.#address && this.list.error === undefined) return;
    this.#address = address;
    this.view = view;
    this.list.reload();
  }

  /** Gives up what is being read; the next `show` reads anew (React mounts a screen twice in development). */
  dispose(): void {
    this.#address = undefined;
    this.list.dispose();
  }

  async #read(page: number, pageSize: number, signal: AbortSignal) {
    const { search, isVulnerableOnly, ecosystem, license, repository, sort, sortField } = this.view;
    const vulnerable = isVulnerableOnly ? { vulnerable: 'only' as const } : {};
    const filters = { ecosystem, license, repository, ...vulnerable };
    const query = { search, filters, sort, sort_field: sortField, pagination: { page, pageSize } };
    const { data, meta } = await this.#api.call(listComponents, { query, signal });
    return { rows: data, total: meta.pagination.total };
  }
}
