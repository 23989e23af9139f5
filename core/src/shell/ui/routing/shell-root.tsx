import { Button } from '@blueprintjs/core';
import { Refresh, Search } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useLayoutEffect, useRef } from 'react';
import { Outlet, useLocation, useMatches, useNavigate, useRouteError } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { ApiError } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ToastArea } from '../../../platform/ui/feedback/toast-area.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { THEME } from '../../../platform/ui/page/theme.store.ts';
import { ErrorLayout } from '../layouts/guest-frame.tsx';
import { SESSION } from '../navigation/shell-ports.ts';
import { PageError } from './guards.ts';
import { RouteHandle } from './route-entry.ts';

const PRODUCT = 'Breakwater';

const tabTitle = (title: string | undefined): string => (title === undefined ? PRODUCT : `${t(title)} · ${PRODUCT}`);

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
  const shownPage = useRef(page);
  useLayoutEffect(() => {
    // the first page stands at its top: scrolling it would lay it out before all of it is there
    if (shownPage.current === page) return;
    shownPage.current = page;
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
  const title = description.status === 404 ? t('Page not found') : t('Error {status}', { status: description.status });
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

export interface ErrorDescription {
  status: number;
  /** Empty when the error has none fit for a person. */
  message: string;
}

/** What the error page says of any error. A server's own text is shown; a error of ours is not. */
export const describeError = (error: unknown): ErrorDescription => {
  if (error instanceof PageError) return { status: error.status, message: error.message };
  if (error instanceof ApiError) return { status: error.status === 0 ? 500 : error.status, message: error.message };
  return { status: 500, message: '' };
};

export interface ErrorPageProps {
  description: ErrorDescription;
}

const isSaidByHeading = (description: ErrorDescription, heading: string): boolean =>
  description.message.toLowerCase() === heading.toLowerCase();

function Explanation({ description, heading }: { description: ErrorDescription; heading: string }) {
  const { pathname } = useLocation();
  if (!isSaidByHeading(description, heading))
    return <p className="t2 prose">{description.message || t('Something went wrong.')}</p>;
  return (
    <p className="t2 prose">
      <Words
        of="Nothing is at {address}. The address is incomplete, or what was here has been removed."
        address={<code>{pathname}</code>}
      />
    </p>
  );
}

/** Texts: specification §2 "Error page". */
export const ErrorPage = observer(function ErrorPage({ description }: ErrorPageProps) {
  const { isSignedIn, user } = useService(SESSION);
  const navigate = useNavigate();
  const isNotFound = description.status === 404;
  const heading = isNotFound ? t('Page not found') : t('Error Status: {status}', { status: description.status });
  return (
    <div className="error-page">
      {isNotFound && (
        <p className="muted tn label">
          {t('Error {status}', { status: '404' })}
          {isSaidByHeading(description, heading) && description.message !== heading ? `: ${description.message}` : ''}
        </p>
      )}
      <h1>{heading}</h1>
      <Explanation description={description} heading={heading} />
      <div className="row wrap acts">
        <Button
          intent="primary"
          text={isSignedIn ? t('Go back to home page') : t('Go back to login page')}
          onClick={() => navigate('/')}
        />
        {isNotFound && can(user?.role, 'findings.read') && (
          <Button
            icon={<Search aria-hidden={true} />}
            text={t('Search findings')}
            onClick={() => navigate('/findings')}
          />
        )}
        {description.status >= 500 && (
          <Button
            icon={<Refresh aria-hidden={true} />}
            text={t('Try again')}
            onClick={() => window.location.reload()}
          />
        )}
      </div>
    </div>
  );
});
