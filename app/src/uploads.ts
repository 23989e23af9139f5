import type { UploadStore } from '@breakwater/core/ingest/ui/upload.store.ts';
import { API } from '@breakwater/core/platform/ui/data/api-client.ts';
import { CACHED_DATA } from '@breakwater/core/platform/ui/data/cached-data.ts';
import { LIVE_EVENTS } from '@breakwater/core/platform/ui/data/live-events.ts';
import { loadWhenIdle } from '@breakwater/core/platform/ui/data/load-when-idle.ts';
import {
  type ServiceId,
  type ServiceLocator,
  serviceId,
  useService,
} from '@breakwater/core/platform/ui/data/services.tsx';
import type { UploadsPort } from '@breakwater/core/platform/ui/data/uploads-port.ts';
import { TOASTS } from '@breakwater/core/platform/ui/feedback/toasts.store.ts';
import { observable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { type ComponentType, createElement, lazy, useEffect } from 'react';

export type Bind = <T>(id: ServiceId<T>, make: () => T) => unknown;

/** Uploads with their machine and dialog come in a chunk of their own, so that no page has to wait for them. */
class UploadCode {
  /** Somebody has asked for an upload: from then on its dialog is part of the page. */
  readonly isWanted = observable.box(false);
  /** Once it is there. */
  readonly store = observable.box<UploadStore | undefined>(undefined, { deep: false });
  readonly Dialog = lazy(async () => ({ default: (await this.load()).UploadDialog }));
  readonly #services: ServiceLocator;
  readonly #bind: Bind;
  #fetched: ReturnType<UploadCode['load']> | undefined = undefined;

  constructor(services: ServiceLocator, bind: Bind) {
    this.#services = services;
    this.#bind = bind;
  }

  load = (): Promise<{ store: UploadStore; UploadDialog: ComponentType }> => {
    this.#fetched ??= this.#fetch().catch((error: unknown) => {
      this.#fetched = undefined;
      throw error;
    });
    return this.#fetched;
  };

  readonly want = (act: (store: UploadStore) => void): void => {
    runInAction(() => this.isWanted.set(true));
    void this.load().then(({ store }) => act(store));
  };

  async #fetch() {
    const { get } = this.#services;
    // Not the slice's index: pages import it too, and would then bring the whole upload with them.
    const { UPLOAD_STORE, UploadStore, UploadDialog, createReportReader } = await import('./upload-parts.ts');
    this.#bind(
      UPLOAD_STORE,
      () =>
        new UploadStore({ api: get(API), events: get(LIVE_EVENTS), toasts: get(TOASTS), look: createReportReader() }),
    );
    const store = get(UPLOAD_STORE);
    get(CACHED_DATA).register(store.clear);
    runInAction(() => this.store.set(store));
    return { store, UploadDialog };
  }
}

const UPLOAD_CODE = serviceId<UploadCode>('app.upload-code');

/** The dialog; above every page of the home layout. */
export const UploadOverlay: ComponentType = observer(function UploadOverlay() {
  const { isWanted, Dialog, load } = useService(UPLOAD_CODE);
  useEffect(() => void loadWhenIdle(load), [load]);
  return isWanted.get() ? createElement(Dialog) : null;
});

/** @returns what pages and the shell open uploads with. */
export const bindUploads = (services: ServiceLocator, bind: Bind): UploadsPort => {
  const code = new UploadCode(services, bind);
  bind(UPLOAD_CODE, () => code);
  return {
    get isImporting() {
      return code.store.get()?.isImporting ?? false;
    },
    open: (application) => code.want((store) => store.open(application)),
    addFiles: (files) => code.want((store) => store.addFiles(files)),
  };
};
