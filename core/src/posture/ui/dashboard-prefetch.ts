import { API } from '../../platform/ui/data/api-client.ts';
import type { ServiceLocator } from '../../platform/ui/data/service-id.ts';
import { DashboardStore } from './dashboard.store.ts';

/** A dashboard of everything that reads its figures while its page is still being drawn. */
export class DashboardPrefetch {
  readonly store: DashboardStore;
  readonly #hasCards: Promise<boolean>;

  constructor(services: ServiceLocator) {
    this.store = new DashboardStore(services.get(API));
    this.#hasCards = this.store.loadFigures();
  }

  /** The cards, once the figures are there. */
  async loadCards(): Promise<void> {
    if (await this.#hasCards) await this.store.loadCards();
  }
}
