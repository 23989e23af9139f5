import { makeAutoObservable } from 'mobx';
import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import {
  disablePlugin,
  enablePlugin,
  type InstalledPlugin,
  installPackage,
  installPluginFile,
  listInstalledPlugins,
  listPlatformPlugins,
  offerPlugin,
  type PlatformPlugin,
  uninstallPlugin,
} from '../api/routes.ts';

export type PluginVersion = InstalledPlugin['versions'][number];

export interface PluginItem {
  _id: string;
  attributes: InstalledPlugin & Partial<Pick<PlatformPlugin, 'source' | 'organisations'>>;
}

/** What an installation came to. */
export interface Installation {
  id: string;
  version: string;
  is_new: boolean;
}

/** Plugins that were installed while the server ran, as the organisation sees them; for whoever runs the installation also where they came from. */
export class InstalledPluginsStore {
  items: readonly PluginItem[] | undefined = undefined;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #isOperator: boolean;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, isOperator: boolean) {
    this.#api = api;
    this.#isOperator = isOperator;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  load(): Promise<void> {
    return this.#reading.run<{ data: readonly PluginItem[] }>(
      (signal) => this.#api.call(this.#isOperator ? listPlatformPlugins : listInstalledPlugins, { signal }),
      ({ data }) => {
        this.items = data;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** @param seen the version with the permissions that the person saw @throws ApiError */
  async enable(id: string, seen: PluginVersion): Promise<void> {
    const { version, publisher, hosts, reveals, views } = seen;
    await this.#api.call(enablePlugin, { params: { id }, body: { version, publisher, hosts, reveals, views } });
    await this.load();
  }

  /** @throws ApiError */
  async disable(id: string): Promise<void> {
    await this.#api.call(disablePlugin, { params: { id } });
    await this.load();
  }

  /** @throws ApiError with every reason for which it cannot be installed */
  async installPackage(name: string, version: string): Promise<Installation> {
    const body = { package: name, ...(version === '' ? {} : { version }) };
    const { data } = await this.#api.call(installPackage, { body });
    await this.load();
    return data;
  }

  /** @throws ApiError with every reason for which it cannot be installed */
  async installFile(file: File): Promise<Installation> {
    const { data } = await this.#api.send(installPluginFile, {
      query: { name: file.name.slice(0, 200) },
      // a browser would send the type that it guesses from the name
      form: new Blob([file], { type: 'application/octet-stream' }),
    });
    await this.load();
    return data;
  }

  /** @throws ApiError */
  async offer(id: string, isOffered: boolean, reason = ''): Promise<void> {
    await this.#api.call(offerPlugin, { params: { id }, body: { is_offered: isOffered, reason } });
    await this.load();
  }

  /** @throws ApiError */
  async uninstall(id: string): Promise<void> {
    await this.#api.call(uninstallPlugin, { params: { id } });
    await this.load();
  }

  dispose(): void {
    this.#reading.dispose();
  }
}
