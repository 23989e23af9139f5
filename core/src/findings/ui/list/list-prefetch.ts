import { API } from '../../../platform/ui/data/api-client.ts';
import type { ServiceLocator } from '../../../platform/ui/data/service-id.ts';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { parseView } from '../data/finding-view.ts';
import { FindingsStore } from '../data/findings.store.ts';
import type { ListRoute } from '../data/list-route.ts';
import { FindingColumns } from './finding-columns.ts';

/** A list that reads its first rows and its columns while its page is still being drawn. */
export class ListPrefetch {
  readonly route: ListRoute;
  readonly #store: FindingsStore;
  readonly #columns: FindingColumns;

  constructor(services: ServiceLocator, route: ListRoute, url: URL) {
    this.route = route;
    const api = services.get(API);
    this.#store = new FindingsStore(api);
    this.#store.show(parseView(url.searchParams, route.base));
    this.#columns = new FindingColumns(api, this.#store, services.get(TOASTS).showError);
    void this.#columns.load();
  }

  /** The rows and the columns, for the page that they were begun for. */
  partsFor(route: ListRoute): { store: FindingsStore; columns: FindingColumns } | undefined {
    return route === this.route ? { store: this.#store, columns: this.#columns } : undefined;
  }
}
