import { getConnectorTexts } from '@breakwater/core/connectors/api/text-routes.ts';
import { FINDING_FIX } from '@breakwater/core/findings/ui/detail/finding-fix.tsx';
import { API, createApiClient } from '@breakwater/core/platform/ui/data/api-client.ts';
import { CACHED_DATA, createCachedData } from '@breakwater/core/platform/ui/data/cached-data.ts';
import { withFirstAnswers } from '@breakwater/core/platform/ui/data/first-answers.ts';
import { EventStream, LIVE_EVENTS } from '@breakwater/core/platform/ui/data/live-events.ts';
import type { ServiceId, ServiceLocator } from '@breakwater/core/platform/ui/data/services.tsx';
import { UPLOADS } from '@breakwater/core/platform/ui/data/uploads-port.ts';
import { TOASTS, ToastsStore } from '@breakwater/core/platform/ui/feedback/toasts.store.ts';
import { UNSAVED_TEXTS, UnsavedTexts } from '@breakwater/core/platform/ui/feedback/unsaved-texts.ts';
import { LOCALE, LocaleStore } from '@breakwater/core/platform/ui/language/locale.store.ts';
import { THEME, ThemeStore } from '@breakwater/core/platform/ui/page/theme.store.ts';
import { fixPort } from '@breakwater/core/remediation/ui/index.ts';
import { SESSION_STORE, SessionStore } from '@breakwater/core/session/ui/session.store.ts';
import { COMMANDS, CommandsStore } from '@breakwater/core/shell/ui/navigation/commands.store.ts';
import { NAVIGATION, NavigationStore } from '@breakwater/core/shell/ui/navigation/navigation.store.ts';
import {
  type ConnectionHints,
  createPrefetcher,
  PREFETCHER,
} from '@breakwater/core/shell/ui/navigation/page-loading.ts';
import { PALETTE_SOURCES } from '@breakwater/core/shell/ui/navigation/palette-source.ts';
import { SCOPE, ScopeStore } from '@breakwater/core/shell/ui/navigation/scope.store.ts';
import { HOME_OVERLAYS, SCOPE_SWITCH, SESSION } from '@breakwater/core/shell/ui/navigation/shell-ports.ts';
import { Container } from 'inversify';
import { languages } from './languages.ts';
import { navigation } from './slices.ts';
import { bindUploads, UploadOverlay } from './uploads.ts';
import 'reflect-metadata/lite';

/** Not in every browser, and so not in TypeScript's types. */
const connectionHints = (): ConnectionHints | undefined => {
  const hints: unknown = Reflect.get(navigator, 'connection');
  return typeof hints === 'object' && hints !== null ? hints : undefined;
};

/** Picks the implementation of every browser service. The only place that does. */
export const createServices = (): ServiceLocator => {
  // no text: a setting of the library
  const container = new Container({ defaultScope: 'Singleton' });
  const storage = browserStorage('localStorage');
  const get = <T>(id: ServiceId<T>): T => container.get<T>(id.key);
  const bind = <T>(id: ServiceId<T>, make: () => T) =>
    container.bind<T>(id.key).toDynamicValue(make).inSingletonScope();

  bind(CACHED_DATA, createCachedData);
  bind(API, () =>
    createApiClient(
      withFirstAnswers((input, init) => window.fetch(input, init)),
      {
        onUnauthorized: () => get(SESSION_STORE).handleUnauthorized(),
        onTwoFactorRequired: () => get(SESSION_STORE).handleTwoFactorRequired(),
      },
    ),
  );
  // a page whose session was ended elsewhere signs out, though nobody touches it
  bind(LIVE_EVENTS, () => new EventStream(undefined, undefined, () => void get(SESSION_STORE).verify()));
  bind(TOASTS, () => {
    const store = new ToastsStore();
    // An undo left over would act for whoever signs in next.
    get(CACHED_DATA).register(store.clear);
    return store;
  });
  bind(UNSAVED_TEXTS, () => {
    const pagePath = () => `${window.location.pathname}${window.location.search}`;
    return new UnsavedTexts(browserStorage('sessionStorage'), pagePath);
  });
  bind(COMMANDS, () => new CommandsStore());
  bind(PALETTE_SOURCES, () => async () => (await import('./palette.ts')).paletteSources);
  bind(PREFETCHER, () => createPrefetcher(connectionHints));
  bind(THEME, () => {
    const systemDark = window.matchMedia('(prefers-color-scheme: dark)');
    return new ThemeStore({ storage, systemDark, root: document.documentElement });
  });
  bind(LOCALE, () => {
    const pluginTexts = async (language: string) =>
      (await get(API).call(getConnectorTexts, { params: { language } })).data;
    const environment = { storage, languages, pluginTexts, root: document.documentElement };
    return new LocaleStore({ ...environment, preferred: navigator.languages });
  });
  bind(SESSION_STORE, () => {
    const environment = { storage, reload: () => window.location.reload() };
    const onEnd = (userId: string) => get(UNSAVED_TEXTS).keep(userId);
    const applyLocale = get(LOCALE).apply;
    return new SessionStore({ api: get(API), cachedData: get(CACHED_DATA), environment, onEnd, applyLocale });
  });
  bind(SESSION, () => get(SESSION_STORE));
  bindNavigation({ get }, bind);
  bind(FINDING_FIX, () => fixPort);
  const uploads = bindUploads({ get }, bind);
  bind(UPLOADS, () => uploads);
  bind(HOME_OVERLAYS, () => [UploadOverlay]);
  return { get };
};

type Bind = <T>(id: ServiceId<T>, make: () => T) => unknown;

/** The areas, and what part of the organisation their lists are about. */
const bindNavigation = ({ get }: ServiceLocator, bind: Bind): void => {
  bind(SCOPE, () => {
    const store = new ScopeStore(browserStorage('sessionStorage'));
    get(CACHED_DATA).register(store.clear);
    return store;
  });
  bind(
    SCOPE_SWITCH,
    () => async () => (await import('@breakwater/core/repositories/ui/scope/scope-switch.tsx')).ScopeSwitch,
  );
  bind(NAVIGATION, () => {
    const store = new NavigationStore({
      entries: navigation,
      api: get(API),
      events: get(LIVE_EVENTS),
      session: get(SESSION),
      scope: get(SCOPE),
    });
    get(CACHED_DATA).register(store.clear);
    return store;
  });
};

/** Storage that lives as long as the page. */
const createPageStorage = (): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => {
  const values = new Map<string, string>();
  return {
    getItem: (key) => values.get(key) ?? null,
    setItem: (key, value) => {
      values.set(key, value);
    },
    removeItem: (key) => {
      values.delete(key);
    },
  };
};

/** The browser's storage; where a policy forbids even to touch it, one that lives as long as the page. */
const browserStorage = (
  name: 'localStorage' | 'sessionStorage',
): Pick<Storage, 'getItem' | 'setItem' | 'removeItem'> => {
  try {
    return window[name];
  } catch {
    return createPageStorage();
  }
};
