import 'reflect-metadata/lite';
import { API, createApiClient } from '@breakwater/core/platform/ui/api-client.ts';
import { CACHED_DATA, createCachedData } from '@breakwater/core/platform/ui/cached-data.ts';
import { EventStream, LIVE_EVENTS } from '@breakwater/core/platform/ui/live-events.ts';
import type { ServiceId, ServiceLocator } from '@breakwater/core/platform/ui/services.tsx';
import { THEME, ThemeStore } from '@breakwater/core/platform/ui/theme.store.ts';
import { TOASTS, ToastsStore } from '@breakwater/core/platform/ui/toasts.store.ts';
import { UPLOADS } from '@breakwater/core/platform/ui/uploads-port.ts';
import { SESSION_STORE, SessionStore } from '@breakwater/core/session/ui/index.ts';
import { COMMANDS, CommandsStore } from '@breakwater/core/shell/ui/commands.store.ts';
import { NAVIGATION, NavigationStore } from '@breakwater/core/shell/ui/navigation.store.ts';
import { HOME_OVERLAYS } from '@breakwater/core/shell/ui/overlays.ts';
import { type ConnectionHints, createPrefetcher, PREFETCHER } from '@breakwater/core/shell/ui/prefetch.ts';
import { SESSION } from '@breakwater/core/shell/ui/session-port.ts';
import { Container } from 'inversify';
import { browserStorage } from './browser-storage.ts';
import { navigation } from './navigation.ts';
import { bindUploads, UploadOverlay } from './uploads.ts';

/** Not in every browser, and so not in TypeScript's types. */
const connectionHints = (): ConnectionHints | undefined => {
  const hints: unknown = Reflect.get(navigator, 'connection');
  return typeof hints === 'object' && hints !== null ? hints : undefined;
};

/** Picks the implementation of every browser service. The only place that does. */
export const createServices = (): ServiceLocator => {
  const container = new Container({ defaultScope: 'Singleton' });
  const storage = browserStorage();
  const get = <T>(id: ServiceId<T>): T => container.get<T>(id.key);
  const bind = <T>(id: ServiceId<T>, make: () => T) =>
    container.bind<T>(id.key).toDynamicValue(make).inSingletonScope();

  bind(CACHED_DATA, createCachedData);
  bind(API, () =>
    createApiClient((input, init) => window.fetch(input, init), {
      onUnauthorized: () => get(SESSION_STORE).handleUnauthorized(),
    }),
  );
  bind(LIVE_EVENTS, () => new EventStream());
  bind(TOASTS, () => {
    const store = new ToastsStore();
    // An undo left over would act for whoever signs in next.
    get(CACHED_DATA).register(store.clear);
    return store;
  });
  bind(COMMANDS, () => new CommandsStore());
  bind(PREFETCHER, () => createPrefetcher(connectionHints));
  bind(THEME, () => {
    const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
    return new ThemeStore({ storage, systemDark, root: document.documentElement });
  });
  bind(SESSION_STORE, () => {
    const environment = { storage, reload: () => window.location.reload() };
    return new SessionStore({ api: get(API), cachedData: get(CACHED_DATA), environment });
  });
  bind(SESSION, () => get(SESSION_STORE));
  bind(NAVIGATION, () => {
    const store = new NavigationStore({
      entries: navigation,
      api: get(API),
      events: get(LIVE_EVENTS),
      session: get(SESSION),
    });
    get(CACHED_DATA).register(store.forget);
    return store;
  });
  const uploads = bindUploads({ get }, bind);
  bind(UPLOADS, () => uploads);
  bind(HOME_OVERLAYS, () => [UploadOverlay]);
  return { get };
};
