import { BlueprintProvider } from '@blueprintjs/core';
import { render } from '@testing-library/react';
import { observable } from 'mobx';
import type { ReactNode } from 'react';
import { createMemoryRouter, RouterProvider, useLocation } from 'react-router-dom';
import { FINDING_FIX } from '../../findings/ui/index.ts';
import type { Role } from '../../platform/model/permissions.ts';
import { API, type ApiClient } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS, type LiveEvents } from '../../platform/ui/data/live-events.ts';
import type { ServiceId } from '../../platform/ui/data/service-id.ts';
import { ServicesProvider } from '../../platform/ui/data/services.tsx';
import { UPLOADS } from '../../platform/ui/data/uploads-port.ts';
import { TOASTS, ToastsStore } from '../../platform/ui/feedback/toasts.store.ts';
import { UNSAVED_TEXTS, UnsavedTexts } from '../../platform/ui/feedback/unsaved-texts.ts';
import { THEME } from '../../platform/ui/page/theme.store.ts';
import { fixPort } from '../../remediation/ui/index.ts';
import { COMMANDS, CommandsStore } from '../../shell/ui/navigation/commands.store.ts';
import { NAVIGATION } from '../../shell/ui/navigation/navigation.store.ts';
import { SCOPE, ScopeStore } from '../../shell/ui/navigation/scope.store.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { memoryStorage } from './shell-scene.tsx';

const quietEvents: LiveEvents = {
  on: () => () => undefined,
  onReconnect: () => () => undefined,
  start: () => undefined,
  stop: () => undefined,
};

export interface PageOptions {
  api: ApiClient;
  /** Address that is opened. */
  at: string;
  /** Route objects in the form of React Router. */
  routes: Parameters<typeof createMemoryRouter>[0];
  role?: Role;
  /** Live events of the page; none come unless given. */
  events?: LiveEvents;
}

function Address() {
  const { pathname, search } = useLocation();
  return <output data-testid="address">{decodeURIComponent(`${pathname}${search}`)}</output>;
}

/** Wraps a page so that a test can read its address. */
export const withAddress = (page: ReactNode) => (
  <>
    {page}
    <Address />
  </>
);

/** A page with its services, as the application would give them; only the wire is a fake. */
export const renderPage = ({ api, at, routes, role = 'admin', events = quietEvents }: PageOptions) => {
  const toasts = new ToastsStore();
  const unsaved = new UnsavedTexts(window.sessionStorage, () => at);
  const uploads: (readonly File[] | 'open')[] = [];
  const isImporting = observable.box(false);
  const user = { _id: 'u', email: 'u@test.invalid', username: 'u', role };
  const services = new Map<symbol, unknown>([
    [API.key, api],
    [FINDING_FIX.key, fixPort],
    [LIVE_EVENTS.key, events],
    [TOASTS.key, toasts],
    [UNSAVED_TEXTS.key, unsaved],
    [COMMANDS.key, new CommandsStore()],
    [THEME.key, { isDark: false }],
    [SCOPE.key, new ScopeStore(memoryStorage())],
    [NAVIGATION.key, { refreshLinks: () => undefined }],
    [
      UPLOADS.key,
      {
        get isImporting() {
          return isImporting.get();
        },
        open: () => uploads.push('open'),
        addFiles: (files: readonly File[]) => uploads.push(files),
      },
    ],
    [SESSION.key, { user, isSignedIn: true, organizationName: 'Harbour' }],
  ]);
  const router = createMemoryRouter(routes, { initialEntries: [at] });
  const get = <T,>(id: ServiceId<T>): T => services.get(id.key) as T;
  const view = render(
    <BlueprintProvider>
      <ServicesProvider services={{ get }}>
        <RouterProvider router={router} />
      </ServicesProvider>
    </BlueprintProvider>,
  );
  return { ...view, toasts, unsaved, uploads, isImporting, router };
};
