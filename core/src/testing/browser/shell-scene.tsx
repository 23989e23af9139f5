import { BlueprintProvider } from '@blueprintjs/core';
import { render } from '@testing-library/react';
import { createMemoryRouter, RouterProvider } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { CACHED_DATA, type CachedData, createCachedData } from '../../platform/ui/data/cached-data.ts';
import { LIVE_EVENTS, type LiveEvents } from '../../platform/ui/data/live-events.ts';
import type { ServiceId, ServiceLocator } from '../../platform/ui/data/service-id.ts';
import { ServicesProvider } from '../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../platform/ui/data/uploads-port.ts';
import { TOASTS, ToastsStore } from '../../platform/ui/feedback/toasts.store.ts';
import { UNSAVED_TEXTS, UnsavedTexts } from '../../platform/ui/feedback/unsaved-texts.ts';
import { THEME, ThemeStore } from '../../platform/ui/page/theme.store.ts';
import { SESSION_STORE, SessionStore } from '../../session/ui/session.store.ts';
import { COMMANDS, CommandsStore } from '../../shell/ui/navigation/commands.store.ts';
import { NAVIGATION, type NavigationEntry, NavigationStore } from '../../shell/ui/navigation/navigation.store.ts';
import { createPrefetcher, PREFETCHER } from '../../shell/ui/navigation/page-loading.ts';
import { PALETTE_SOURCES, type PaletteSource } from '../../shell/ui/navigation/palette-source.ts';
import { SCOPE, ScopeStore } from '../../shell/ui/navigation/scope.store.ts';
import { HOME_OVERLAYS, SCOPE_SWITCH, SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import type { RouteEntry } from '../../shell/ui/routing/route-entry.ts';
import { toRouteObjects } from '../../shell/ui/routing/router.tsx';
import { type Answer, fakeHttp, type SeenCall } from './fake-http.ts';

/** Storage of one test, so that tests cannot see each other's. */
export const memoryStorage = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => values.set(key, value),
    removeItem: (key) => values.delete(key),
  };
};

const silentEvents: LiveEvents = {
  on: () => () => undefined,
  onReconnect: () => () => undefined,
  start: () => undefined,
  stop: () => undefined,
};

export interface SceneOptions {
  answers?: Record<string, Answer>;
  entries?: readonly RouteEntry[];
  navigation?: readonly NavigationEntry[];
  storage?: ReturnType<typeof memoryStorage>;
  /** What the palette finds. */
  sources?: readonly PaletteSource[];
}

export interface Scene {
  services: ServiceLocator;
  session: SessionStore;
  toasts: ToastsStore;
  theme: ThemeStore;
  cachedData: CachedData;
  calls: SeenCall[];
  reloads: () => number;
  /** Shows the application at an address. */
  show: (address: string) => ReturnType<typeof createMemoryRouter>;
}

/** Real stores and router over a fake wire; only what belongs to the browser window is stood in for. */
export const createScene = ({
  answers = {},
  entries = [],
  navigation = [],
  storage,
  sources = [],
}: SceneOptions = {}): Scene => {
  const { api, calls } = fakeHttp(answers);
  let reloads = 0;
  const kept = storage ?? memoryStorage();
  const cachedData = createCachedData();
  const environment = {
    storage: kept,
    reload: () => {
      reloads += 1;
    },
  };
  const unsaved = new UnsavedTexts(kept, () => '/findings?severity=high');
  const session = new SessionStore({ api, cachedData, environment, onEnd: unsaved.keep });
  const toasts = new ToastsStore();
  const systemDark = { matches: false, addEventListener: () => undefined };
  const theme = new ThemeStore({ storage: kept, systemDark, root: document.documentElement });
  const scope = new ScopeStore(kept);
  const rail = new NavigationStore({ entries: navigation, api, events: silentEvents, session, scope });
  const bound = new Map<symbol, unknown>();
  const bind = <T,>(id: ServiceId<T>, value: T) => bound.set(id.key, value);
  bind(API, api);
  bind(CACHED_DATA, cachedData);
  bind(SESSION, session);
  bind(SESSION_STORE, session);
  bind(TOASTS, toasts);
  bind(UNSAVED_TEXTS, unsaved);
  bind(COMMANDS, new CommandsStore());
  bind(UPLOADS, { isImporting: false, open: () => undefined, addFiles: () => undefined });
  bind(PALETTE_SOURCES, async () => sources);
  bind(THEME, theme);
  bind(LIVE_EVENTS, silentEvents);
  bind(NAVIGATION, rail);
  bind(SCOPE, scope);
  bind(SCOPE_SWITCH, async () => () => null);
  bind(HOME_OVERLAYS, []);
  bind(
    PREFETCHER,
    createPrefetcher(() => undefined),
  );
  const services: ServiceLocator = {
    get: (id) => {
      if (!bound.has(id.key)) throw new Error(`The scene binds no ${String(id.key)}.`);
      const value: never = bound.get(id.key) as never;
      return value;
    },
  };
  const show = (address: string) => {
    const router = createMemoryRouter(toRouteObjects(entries, services), { initialEntries: [address] });
    render(
      <BlueprintProvider>
        <ServicesProvider services={services}>
          <RouterProvider router={router} />
        </ServicesProvider>
      </BlueprintProvider>,
    );
    return router;
  };
  return { services, session, toasts, theme, cachedData, calls, reloads: () => reloads, show };
};

export const USER = {
  _id: '0191c2e0-7b1a-7000-8000-000000000001',
  email: 'lead@harbour.example',
  username: 'lead',
  role: 'admin',
} as const;

export const SESSION_ANSWER = {
  success: true,
  data: {
    user: USER,
    client: { _id: '0191c2e0-7b1a-7000-8000-000000000002', organization_name: 'Harbour Ltd' },
    enable_2fa: false,
    google_auth: 0,
    google_profile: null,
  },
};

/** Code of a page that is one heading. */
export const pageOf = (text: string) => async () => () => <h1>{text}</h1>;

/** Code of a page that fails while it renders. */
export const failingPage = (error: Error) => async () => (): never => {
  throw error;
};
