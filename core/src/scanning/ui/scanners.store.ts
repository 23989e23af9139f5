import { makeAutoObservable } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { type EventKind, eventKind } from '../../platform/ui/data/live-events.ts';
import {
  listScanners,
  listScanRequestsRoute,
  type ScannerAttributes,
  type ScanRequestAttributes,
} from '../api/routes.ts';
import { UNFINISHED_STATUSES } from '../model/scan-requests.ts';

/** A scan that the server started has come further. */
export const SCAN_PROGRESS: EventKind<{ scan_request_id: string; repository_id: string | null }> =
  eventKind('scan_request.progress');

export interface ScannerItem {
  _id: string;
  attributes: Static<typeof ScannerAttributes>;
}

export interface ScanRequestItem {
  _id: string;
  attributes: Static<typeof ScanRequestAttributes>;
}

/** The scanners that the server can start, and the scans that go on. */
export class ScannersStore {
  items: readonly ScannerItem[] | undefined = undefined;
  /** Whether scanners that call no host are started without a network. */
  isolatesNetwork = true;
  /** Whether scanners that name their hosts reach those alone. */
  limitsHosts = true;
  running: readonly ScanRequestItem[] = [];
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #reading = new LatestCall();
  readonly #following = new LatestCall();

  constructor(api: ApiClient) {
    this.#api = api;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  get installed(): readonly ScannerItem[] {
    return (this.items ?? []).filter(({ attributes }) => attributes.is_installed);
  }

  async load(): Promise<void> {
    await this.#reading.run(
      (signal) => this.#api.call(listScanners, { signal }),
      ({ data, meta }) => {
        this.items = data;
        this.isolatesNetwork = meta.isolates_network;
        this.limitsHosts = meta.limits_hosts;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** Reads the scans that go on; what cannot be read now is read at the next event. */
  async follow(): Promise<void> {
    await this.#following.run(
      (signal) =>
        this.#api.call(listScanRequestsRoute, { query: { filters: { status: [...UNFINISHED_STATUSES] } }, signal }),
      ({ data }) => {
        this.running = data;
      },
      () => undefined,
    );
  }
}
