import { API } from '../../platform/ui/api-client.ts';
import type { ServiceLocator } from '../../platform/ui/service-id.ts';
import { parseView } from './finding-view.ts';
import { FindingsStore } from './findings.store.ts';
import type { ListRoute } from './list-route.ts';

/** A list that reads its first rows while its page is still being drawn. */
export class ListPrefetch {
  readonly place: ListRoute;
  readonly #store: FindingsStore;

  constructor(services: ServiceLocator, place: ListRoute, url: URL) {
    this.place = place;
    this.#store = new FindingsStore(services.get(API));
    this.#store.show(parseView(url.searchParams, place.base));
  }

  /** The store, for the page that it was begun for. */
  storeFor(place: ListRoute): FindingsStore | undefined {
    return place === this.place ? this.#store : undefined;
  }
}
