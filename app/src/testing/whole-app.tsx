import type { Role } from '@breakwater/core/platform/model/permissions.ts';
import { IS_LOGIN_KEY } from '@breakwater/core/session/model/is-login.ts';
import type { RouteEntry } from '@breakwater/core/shell/ui/routing/route-entry.ts';
import { AppRoot, createShellRouter } from '@breakwater/core/shell/ui/routing/router.tsx';
import { type Answer, answer, fakeHttp, listOf } from '@breakwater/core/testing/browser/fake-http.ts';
import { SESSION_ANSWER, USER } from '@breakwater/core/testing/browser/shell-scene.tsx';
import { render } from '@testing-library/react';
import { vi } from 'vitest';
import { createServices } from '../container.ts';
import { routeTable } from '../slices.ts';

/** Event streams of a browser that is never told anything. */
class QuietEventSource extends EventTarget {
  close(): void {}
}

const sessionOf = (role: Role | 'nobody'): Answer =>
  role === 'nobody'
    ? () => answer(401, { detail: 'Sign in.', code: 'not_authenticated' })
    : () => ({ ...SESSION_ANSWER, data: { ...SESSION_ANSWER.data, user: { ...USER, role } } });

export interface OpenedApp {
  /** Where it is now, decoded. */
  address: () => string;
}

interface AppOptions {
  role?: Role | 'nobody';
  answers?: Record<string, Answer>;
  /** Pages beside those of the route table. */
  extra?: readonly RouteEntry[];
}

/**
 * The whole application with its services, route table and frames, opened at an address; only the wire is a fake, and what nobody
 * answers there fails as a broken connection does. `vi.unstubAllGlobals()` restores what it replaces.
 */
export const openApp = (at: string, { role = 'admin', answers = {}, extra = [] }: AppOptions = {}): OpenedApp => {
  const http = fakeHttp({
    'GET /session': sessionOf(role),
    'GET /setup': () => ({ data: { needed: false } }),
    'GET /login/options': () => ({ data: { sends_mail: true, google: false } }),
    'POST /logout': () => ({ success: true }),
    'GET /connectors': () => ({ data: [] }),
    'GET /client/notifications': () => listOf([]),
    ...answers,
  });
  vi.stubGlobal('fetch', http.fetch);
  vi.stubGlobal('EventSource', QuietEventSource);
  vi.stubGlobal('scrollTo', () => undefined);
  window.localStorage.clear();
  window.sessionStorage.clear();
  if (role !== 'nobody') window.localStorage.setItem(IS_LOGIN_KEY, '1');
  const services = createServices();
  window.history.replaceState(null, '', at);
  const router = createShellRouter([...extra, ...routeTable], services);
  render(<AppRoot services={services} router={router} />);
  return {
    address: () => decodeURIComponent(`${router.state.location.pathname}${router.state.location.search}`),
  };
};
