import { makeAutoObservable, observable, runInAction } from 'mobx';
import type { Static } from 'typebox';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import { isAbort } from '../../../platform/ui/data/api-error.ts';
import {
  authorizeConnector,
  checkConnector,
  getConnector,
  listConnectors,
  type OfferedValues,
  offerValues,
  releaseConnector,
  removeConnector,
  saveConnector,
  switchConnector,
  switchPlatformConnector,
  syncConnector,
} from '../../api/routes.ts';
import type { Connector, ConnectorItem } from './connector.ts';

/** What this browser has asked for and waits to be answered. */
export type Work = 'save' | 'check' | 'sign-in' | 'sync' | 'release' | 'remove' | 'switch';

export type Offers = Static<typeof OfferedValues>;

export interface SwitchOrder {
  scope: 'organisation' | 'platform';
  enabled: boolean;
  reason: string;
}

/** The catalogue. What is asked of the server goes on when its panel is closed; reading is given up with the page. */
export class ConnectorsStore {
  items: ConnectorItem[] | undefined = undefined;
  error: unknown = undefined;
  readonly working = observable.map<string, Work>();
  readonly #api: ApiClient;
  readonly #confetti: ConfettiStore;
  /** By connector id: an answer that was asked for before a newer one is dropped. */
  readonly #asked = new Map<string, number>();
  #clock = 0;
  #abort = new AbortController();

  constructor(api: ApiClient, confetti: ConfettiStore) {
    this.#api = api;
    this.#confetti = confetti;
    makeAutoObservable(this, { working: false }, { autoBind: true });
  }

  find(address: string): ConnectorItem | undefined {
    return this.items?.find(({ _id, attributes }) => _id === address || attributes.id === address);
  }

  workOn(item: ConnectorItem): Work | undefined {
    return this.working.get(item.attributes.id);
  }

  async load(): Promise<void> {
    const started = this.tick();
    try {
      const { data } = await this.#api.call(listConnectors, { signal: this.#abort.signal });
      runInAction(() => {
        this.items = data.map((item) => (this.isStale(item, started) ? (this.find(item._id) ?? item) : item));
        this.error = undefined;
      });
    } catch (error) {
      if (isAbort(error)) return;
      runInAction(() => {
        this.error = error;
      });
    }
  }

  /** One card again, by its connector's id: its connection or a switch changed. */
  async refresh(id: string): Promise<void> {
    const asked = this.ask(id);
    try {
      const { data } = await this.#api.call(getConnector, { params: { id }, signal: this.#abort.signal });
      if (this.#asked.get(id) === asked) this.put(data);
    } catch {
      // The card stays as it was; the next event or visit reads it again.
    }
  }

  /** Stores fields and checks. @throws ApiError when the server refuses. */
  async save(item: ConnectorItem, values: Record<string, unknown>): Promise<ConnectorItem> {
    const call = () => this.#api.call(saveConnector, { params: { id: item._id }, body: { values } });
    return this.work(item, 'save', async () => this.answered((await call()).data));
  }

  /** What the service offers for one field, with the changed fields of the form. @throws ApiError */
  async offers(item: ConnectorItem, field: string, values: Record<string, unknown>): Promise<Offers> {
    const request = { params: { id: item._id }, body: { field, values } };
    return (await this.#api.call(offerValues, request)).data;
  }

  /** @throws ApiError when the server refuses; a refusal of the service is a state. */
  async check(item: ConnectorItem): Promise<ConnectorItem> {
    const call = () => this.#api.call(checkConnector, { params: { id: item._id } });
    return this.work(item, 'check', async () => this.answered((await call()).data));
  }

  /** Begins to sign in at the service. @returns the address to go to. @throws ApiError */
  async authorize(item: ConnectorItem, step: 'sign-in' | 'installation'): Promise<string> {
    const call = () => this.#api.call(authorizeConnector, { params: { id: item._id }, body: { step } });
    return this.work(item, 'sign-in', async () => (await call()).data.url);
  }

  /** Begins to pull findings. @throws ApiError */
  async sync(item: ConnectorItem): Promise<void> {
    await this.work(item, 'sync', async () => {
      await this.#api.call(syncConnector, { params: { id: item._id } });
      await this.refresh(item.attributes.id);
    });
  }

  /** Ends the quarantine. @throws ApiError */
  async release(item: ConnectorItem): Promise<void> {
    const call = () => this.#api.call(releaseConnector, { params: { id: item._id } });
    await this.work(item, 'release', async () => this.answered((await call()).data));
  }

  /** Deletes settings and secrets. @throws ApiError */
  async remove(item: ConnectorItem): Promise<void> {
    await this.work(item, 'remove', async () => {
      await this.#api.call(removeConnector, { params: { id: item._id } });
      await this.refresh(item.attributes.id);
    });
  }

  /** Moves a switch. @throws ApiError */
  async switch(item: ConnectorItem, { scope, enabled, reason }: SwitchOrder): Promise<void> {
    const params = { id: item._id };
    const body = reason.trim() === '' ? { enabled } : { enabled, reason: reason.trim() };
    await this.work(item, 'switch', async () => {
      if (scope === 'organisation') {
        this.answered((await this.#api.call(switchConnector, { params, body })).data);
        return;
      }
      await this.#api.call(switchPlatformConnector, { params, body });
      await this.refresh(item.attributes.id);
    });
  }

  /** Gives up what is being read. The store may be used again: React mounts a screen twice in development. */
  dispose(): void {
    this.#abort.abort();
    this.#abort = new AbortController();
  }

  private async work<T>(item: ConnectorItem, kind: Work, act: () => Promise<T>): Promise<T> {
    const { id } = item.attributes;
    this.working.set(id, kind);
    try {
      return await act();
    } finally {
      runInAction(() => this.working.delete(id));
    }
  }

  private answered(item: ConnectorItem): ConnectorItem {
    this.ask(item.attributes.id);
    this.put(item);
    return item;
  }

  private put(item: ConnectorItem): void {
    const before = this.find(item._id);
    this.items = this.items?.map((one) => (one._id === item._id ? item : one));
    if (before !== undefined) this.#confetti.notice(before.attributes, item.attributes);
  }

  private tick(): number {
    this.#clock += 1;
    return this.#clock;
  }

  private ask(id: string): number {
    const asked = this.tick();
    this.#asked.set(id, asked);
    return asked;
  }

  private isStale(item: ConnectorItem, started: number): boolean {
    return (this.#asked.get(item.attributes.id) ?? 0) > started;
  }
}

type Success = Pick<Connector, 'id' | 'title' | 'state' | 'was_connected'>;

/** Whether a first successful connection is being celebrated. Source: specification §3 "connector confetti state". */
export class ConfettiStore {
  connectorTitle: string | undefined = undefined;
  show = false;
  readonly #celebrated = new Set<string>();

  constructor() {
    makeAutoObservable(this, {}, { autoBind: true });
  }

  /** Looks at a card that changed: never connected before, connected now. Once per connector. */
  notice(before: Success, after: Success): void {
    if (before.was_connected || !after.was_connected || after.state !== 'connected') return;
    if (this.#celebrated.has(after.id)) return;
    this.#celebrated.add(after.id);
    this.connectorTitle = after.title;
    this.show = true;
  }

  end(): void {
    this.show = false;
  }
}
