import { BlueprintProvider } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { StrictMode } from 'react';
import {
  createBrowserRouter,
  type LoaderFunctionArgs,
  matchRoutes,
  type RouteObject,
  RouterProvider,
  redirect,
} from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { type ServiceLocator, ServicesProvider, useService } from '../../../platform/ui/data/services.tsx';
import { LOCALE } from '../../../platform/ui/language/locale.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { loadGuarded, PREFETCHER, type ReloadEnvironment } from '../navigation/page-loading.ts';
import { SESSION } from '../navigation/shell-ports.ts';
import { authenticated, type Guard, PageError } from './guards.ts';
import {
  type ChildEntry,
  type ErrorEntry,
  type LayoutName,
  type PageEntry,
  type RouteEntry,
  RouteHandle,
} from './route-entry.ts';
import { BlankPage, ErrorRoute, ShellRoot } from './shell-root.tsx';

type PageLayout = Exclude<LayoutName, 'error'>;

/** The error layout is not here: it comes with the first chunk, since it must show when loading is what failed. */
const LAYOUTS: Record<PageLayout, NonNullable<PageEntry['load']>> = {
  default: async () => (await import('../layouts/default-layout.tsx')).DefaultLayout,
  guest: async () => (await import('../layouts/guest-layout.tsx')).GuestLayout,
  home: async () => (await import('../layouts/home-layout.tsx')).HomeLayout,
};

const PAGE_LAYOUTS: readonly PageLayout[] = ['default', 'guest', 'home'];

const browserReload = (): ReloadEnvironment => ({
  storage: window.sessionStorage,
  now: Date.now,
  reload: () => window.location.reload(),
});

const isPage = (entry: RouteEntry): entry is PageEntry => 'load' in entry;

const isError = (entry: RouteEntry): entry is ErrorEntry => 'error' in entry;

const guardsOf = (entry: PageEntry): readonly Guard[] => {
  const guards = entry.guards ?? [];
  return entry.layout === 'home' && !guards.includes(authenticated) ? [authenticated, ...guards] : guards;
};

/** The error page says where home is, so it has to know who looks at it; whatever is wrong with that is not its subject. */
const knowSession = (services: ServiceLocator): Promise<void> =>
  services
    .get(SESSION)
    .restore()
    .catch(() => undefined);

/** Runs a page's guards in order; the first that objects decides. */
const runGuards = async (guards: readonly Guard[], url: URL, services: ServiceLocator): Promise<Response | null> => {
  const session = services.get(SESSION);
  await knowSession(services);
  for (const guard of guards) {
    const outcome = await guard.check({ url, session });
    if (outcome !== undefined) return redirect(outcome.redirect);
  }
  return null;
};

const lazyOf = (load: PageEntry['load']) => async () => ({ Component: await loadGuarded(load, browserReload()) });

const childRoute = ({ path, title, load, children }: ChildEntry): RouteObject => {
  const lazy = load === undefined ? {} : { lazy: lazyOf(load) };
  const handle = new RouteHandle({ title, load });
  if (path === '') return { index: true, handle, ...lazy };
  return { path, handle, ...lazy, children: (children ?? []).map(childRoute) };
};

/** Lets people pass to a page, and begins it where it is the first. */
const loaderOf = (entry: PageEntry, services: ServiceLocator, takeFirst: () => boolean) => {
  return async ({ request }: LoaderFunctionArgs): Promise<unknown> => {
    const isFirst = takeFirst();
    const url = new URL(request.url);
    const away = await runGuards(guardsOf(entry), url, services);
    return away ?? (isFirst ? ((await entry.begin?.(services, url)) ?? null) : null);
  };
};

const pageRoute = (entry: PageEntry, services: ServiceLocator, takeFirst: () => boolean): RouteObject => {
  const { path, title, colorMode, load, children = [] } = entry;
  return {
    path,
    handle: new RouteHandle({ title, colorMode, load, isPage: true }),
    loader: loaderOf(entry, services, takeFirst),
    lazy: lazyOf(load),
    children: children.map(childRoute),
  };
};

const errorRoute = (entry: ErrorEntry, services: ServiceLocator): RouteObject => ({
  path: entry.path,
  handle: new RouteHandle({ title: entry.title }),
  Component: BlankPage,
  loader: async () => {
    await knowSession(services);
    throw new PageError(entry.error.status, t(entry.error.message));
  },
});

/** Source of the text: specification §8 "Unknown route". */
const UNKNOWN: ErrorEntry = {
  path: '*',
  title: msg('Page not found'),
  error: { status: 404, message: msg('Page not found') },
};

/** Router objects for the route table: one frame per layout, so that it stays while its pages change. */
export const toRouteObjects = (entries: readonly RouteEntry[], services: ServiceLocator): RouteObject[] => {
  const pages = entries.filter(isPage);
  let isBegun = false;
  const takeFirst = (): boolean => {
    const isFirst = !isBegun;
    isBegun = true;
    return isFirst;
  };
  const layouts = PAGE_LAYOUTS.map((layout): RouteObject => {
    const load = LAYOUTS[layout];
    const children = pages
      .filter((entry) => entry.layout === layout)
      .map((entry) => pageRoute(entry, services, takeFirst));
    return { id: `layout:${layout}`, handle: new RouteHandle({ load }), lazy: lazyOf(load), children };
  });
  const errors = [...entries.filter(isError), UNKNOWN].map((entry) => errorRoute(entry, services));
  return [
    {
      Component: ShellRoot,
      ErrorBoundary: ErrorRoute,
      HydrateFallback: BlankPage,
      children: [{ ErrorBoundary: ErrorRoute, children: [...layouts, ...errors] }],
    },
  ];
};

/** Loads the code of the layout and page at a path. */
const loadPathOf = (routes: RouteObject[]) => async (path: string) => {
  const matches = matchRoutes(routes, path) ?? [];
  await Promise.all(
    matches.map(({ route }) => (route.handle instanceof RouteHandle ? route.handle.load?.() : undefined)),
  );
};

/** The application's router. `entries` is the whole route table, composed in app/src from the slices'. */
export const createShellRouter = (entries: readonly RouteEntry[], services: ServiceLocator) => {
  const routes = toRouteObjects(entries, services);
  services.get(PREFETCHER).connect(loadPathOf(routes));
  return createBrowserRouter(routes);
};

interface AppRootProps {
  services: ServiceLocator;
  router: ReturnType<typeof createShellRouter>;
}

/** Texts are read while a page is drawn: in another language all is drawn anew. */
const LocalizedRouter = observer(function LocalizedRouter({ router }: Pick<AppRootProps, 'router'>) {
  return <RouterProvider key={useService(LOCALE).version} router={router} />;
});

/** The whole application, inside what Blueprint and the screens need above them. */
export function AppRoot({ services, router }: AppRootProps) {
  return (
    <StrictMode>
      <BlueprintProvider>
        <ServicesProvider services={services}>
          <LocalizedRouter router={router} />
        </ServicesProvider>
      </BlueprintProvider>
    </StrictMode>
  );
}
