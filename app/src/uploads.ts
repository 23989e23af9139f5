import { API } from '@breakwater/core/platform/ui/api-client.ts';
import { CACHED_DATA } from '@breakwater/core/platform/ui/cached-data.ts';
import { LIVE_EVENTS } from '@breakwater/core/platform/ui/live-events.ts';
import type { ServiceId, ServiceLocator } from '@breakwater/core/platform/ui/services.tsx';
import { TOASTS } from '@breakwater/core/platform/ui/toasts.store.ts';
import type { UploadsPort } from '@breakwater/core/platform/ui/uploads-port.ts';
import { type ComponentType, lazy } from 'react';

export type Bind = <T>(id: ServiceId<T>, make: () => T) => unknown;

export interface Uploads {
  port: UploadsPort;
  /** The dialog; above every page of the home layout. */
  Overlay: ComponentType;
}

/** Uploads with their machine and dialog come in a chunk of their own, so that no page has to wait for them. */
export const createUploads = ({ get }: ServiceLocator, bind: Bind): Uploads => {
  const fetchUploads = async () => {
    // Not the slice's index: pages import it too, and would then bring the whole upload with them.
    const [{ UPLOAD_STORE, UploadStore }, { UploadDialog }] = await Promise.all([
      import('@breakwater/core/ingest/ui/upload.store.ts'),
      import('@breakwater/core/ingest/ui/components/upload-dialog.tsx'),
    ]);
    bind(UPLOAD_STORE, () => new UploadStore({ api: get(API), events: get(LIVE_EVENTS), toasts: get(TOASTS) }));
    const store = get(UPLOAD_STORE);
    get(CACHED_DATA).register(store.forget);
    return { store, UploadDialog };
  };
  let fetched: ReturnType<typeof fetchUploads> | undefined;
  const load = () => {
    fetched ??= fetchUploads();
    return fetched;
  };
  return {
    port: {
      open: (application) => void load().then(({ store }) => store.open(application)),
      addFiles: (files) => void load().then(({ store }) => store.addFiles(files)),
    },
    Overlay: lazy(async () => ({ default: (await load()).UploadDialog })),
  };
};
