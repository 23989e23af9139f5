import { makeAutoObservable } from 'mobx';
import { withVisibleText } from '../../../platform/model/visible-text.ts';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../../platform/ui/data/latest-call.ts';
import { type InventoryChanges, readInventoryChanges } from '../../api/changes-routes.ts';

/** Which inventories are compared; all of it lives in the address. Without times the newest is compared with the one before. */
export interface ChangesView {
  from: string | undefined;
  to: string | undefined;
}

const timeIn = (params: URLSearchParams, key: string): string | undefined => {
  const value = params.get(key) ?? '';
  return Number.isNaN(Date.parse(value)) ? undefined : new Date(value).toISOString();
};

export const CHANGES_VIEW = {
  parse: (params: URLSearchParams): ChangesView => ({ from: timeIn(params, 'from'), to: timeIn(params, 'to') }),
  format: ({ from, to }: ChangesView): URLSearchParams =>
    new URLSearchParams({ ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) }),
};

/** What two inventories of one application differ in. */
export class InventoryChangesStore {
  changes: InventoryChanges | undefined = undefined;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** What is shown stays until the answer comes. */
  async load(id: string, { from, to }: ChangesView): Promise<void> {
    this.error = undefined;
    const query = { ...(from === undefined ? {} : { from }), ...(to === undefined ? {} : { to }) };
    await this.#reading.run(
      (signal) => this.#api.call(readInventoryChanges, { params: { id }, query, signal }),
      ({ data }) => {
        this.changes = withVisibleText(data);
      },
      (error) => {
        this.error = error;
      },
    );
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
