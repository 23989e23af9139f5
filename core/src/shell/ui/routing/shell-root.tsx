import { useEffect, useLayoutEffect } from 'react';
import { Outlet, useMatches, useRouteError } from 'react-router-dom';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ToastArea } from '../../../platform/ui/feedback/toast-area.tsx';
import { THEME } from '../../../platform/ui/page/theme.store.ts';
import { ErrorLayout } from '../layouts/guest-frame.tsx';
import { describeError, ErrorPage } from './error-page.tsx';
import { PageError } from './guards.ts';
import { RouteHandle } from './route-entry.ts';

const PRODUCT = 'Breakwater';

const tabTitle = (title: string | undefined): string => (title === undefined ? PRODUCT : `${title} · ${PRODUCT}`);

/** While the first page is being fetched: nothing, on the right background. */
export function BlankPage() {
  return null;
}

/** Around every page: tab title, forced colour mode, scroll to top, notices. */
export function ShellRoot() {
  const matches = useMatches();
  const theme = useService(THEME);
  const handles = matches.flatMap(({ handle }) => (handle instanceof RouteHandle ? [handle] : []));
  const title = handles.findLast((handle) => handle.title !== undefined)?.title;
  const colorMode = handles.findLast((handle) => handle.colorMode !== undefined)?.colorMode;
  // The page, not the panel inside it: opening a detail beside a list must not move the list.
  const page = matches.find(({ handle }) => handle instanceof RouteHandle && handle.isPage)?.pathname;

  useEffect(() => {
    document.title = tabTitle(title);
  }, [title]);
  useLayoutEffect(() => theme.force(colorMode), [theme, colorMode]);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the page is the occasion, not an input
  useLayoutEffect(() => {
    window.scrollTo(0, 0);
    document.getElementById('main')?.scrollTo(0, 0);
  }, [page]);

  return (
    <>
      <Outlet />
      <ToastArea />
    </>
  );
}

/** The error page, for whatever a guard, a loader or a screen threw. */
export function ErrorRoute() {
  const error = useRouteError();
  const isUnforeseen = !(error instanceof PageError);
  const description = describeError(error);
  const title = description.status === 404 ? 'Page not found' : `Error ${description.status}`;
  useEffect(() => {
    if (isUnforeseen) console.error(error);
    document.title = tabTitle(title);
  }, [error, isUnforeseen, title]);
  if (isUnforeseen && isBot(navigator.userAgent)) return null;
  return (
    <ErrorLayout>
      <ErrorPage description={description} />
    </ErrorLayout>
  );
}

const BOT =
  /(?<!cu)bot\b|crawler|spider|slurp|bingpreview|facebookexternalhit|facebot|whatsapp|embedly|quora link preview|pinterest|vkshare|w3c_validator|lighthouse|google-inspectiontool|mediapartners|headlesspreview/i;

/** Search engines and link previews: a error is only logged for them (specification §8 "Unhandled app error"). */
export const isBot = (userAgent: string): boolean => BOT.test(userAgent);
