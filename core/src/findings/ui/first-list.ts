import { API } from '../../platform/ui/api-client.ts';
import type { ServiceLocator } from '../../platform/ui/service-id.ts';
import { parseView } from './finding-view.ts';
import { FindingsStore } from './findings.store.ts';
import type { FindingsPlace } from './findings-place.ts';

/** A list that reads its first rows while its page is still being drawn. */
export class FirstList {
  readonly place: FindingsPlace;
  readonly #store: FindingsStore;

  constructor(services: ServiceLocator, place: FindingsPlace, url: URL) {
    this.place = place;
    this.#store = new FindingsStore(services.get(API));
    this.#store.show(parseView(url.searchParams, place.base));
  }

  /** The store, for the page that it was begun for. */
  storeFor(place: FindingsPlace): FindingsStore | undefined {
    return place === this.place ? this.#store : undefined;
  }
}
