import { Shield } from '@blueprintjs/icons';
import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ApiClient } from '../../../platform/ui/data/api-client.ts';
import type { EventKind, LiveEvents } from '../../../platform/ui/data/live-events.ts';
import { createScene, memoryStorage, pageOf, SESSION_ANSWER } from '../../../testing/browser/shell-scene.tsx';
import { NAVIGATION, type NavigationEntry, NavigationStore } from './navigation.store.ts';
import { type Scope, ScopeStore } from './scope.store.ts';
import type { SessionPort } from './shell-ports.ts';

const entry = (fields: Partial<NavigationEntry> = {}): NavigationEntry => ({
  label: 'Findings',
  icon: Shield,
  path: '/findings',
  group: 'work',
  ...fields,
});

const SESSION: SessionPort = {
  user: { _id: '1', email: 'a@b.example', username: 'a', role: 'developer' },
  organizationName: 'Harbour Ltd',
  isSignedIn: true,
  needsTwoFactor: false,
  isCompact: false,
  setCompact: async () => undefined,
  load: async () => undefined,
  restore: async () => undefined,
  isSetupNeeded: async () => false,
  signOut: async () => undefined,
};

const run = (listeners: Iterable<() => void> = []) => {
  for (const listener of listeners) listener();
};

const createEvents = () => {
  const listeners = new Map<string, Set<() => void>>();
  const add = (type: string, listener: () => void) => {
    const known = listeners.get(type) ?? new Set();
    listeners.set(type, known.add(listener));
    return () => void known.delete(listener);
  };
  const events: LiveEvents = {
    on: <T,>(kind: EventKind<T>, listener: (data: T) => void) => add(kind.type, listener as () => void),
    onReconnect: (listener) => add('reconnect', listener),
    start: () => undefined,
    stop: () => undefined,
  };
  return { events, fire: (type: string) => run(listeners.get(type)) };
};

const storeOf = (entries: NavigationEntry[]) => {
  const { events, fire } = createEvents();
  const api = {} as ApiClient;
  const scope = new ScopeStore(memoryStorage());
  return { store: new NavigationStore({ entries, api, events, session: SESSION, scope }), fire, scope };
};

describe('counts', () => {
  beforeEach(() => void vi.useFakeTimers());
  afterEach(() => void vi.useRealTimers());

  it('are read at the start, once after a burst of events, and after a lost connection', async () => {
    const load = vi.fn(async () => load.mock.calls.length * 10);
    const { store, fire } = storeOf([entry({ count: { load, refreshOn: ['findings.imported'] } })]);
    store.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.counts.get('/findings')).toBe(10);
    for (let burst = 0; burst < 5; burst += 1) fire('findings.imported');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(load).toHaveBeenCalledTimes(2);
    expect(store.counts.get('/findings')).toBe(20);
    fire('reconnect');
    await vi.advanceTimersByTimeAsync(0);
    expect(store.counts.get('/findings')).toBe(30);
  });

  it('stop with the layout and are forgotten at sign-out', async () => {
    const load = vi.fn(async () => 7);
    const { store, fire } = storeOf([entry({ count: { load, refreshOn: ['findings.imported'] } })]);
    store.start();
    await vi.advanceTimersByTimeAsync(0);
    store.stop();
    fire('findings.imported');
    await vi.advanceTimersByTimeAsync(1_000);
    expect(load).toHaveBeenCalledTimes(1);
    store.clear();
    expect(store.counts.size).toBe(0);
  });

  it('are those of the scope, and read again with another one; a late answer for the one before counts for nothing', async () => {
    let answerLate: (count: number) => void = () => undefined;
    const load = vi.fn((_api: ApiClient, _signal: AbortSignal, scope?: Scope) =>
      scope?.value === 'slow'
        ? new Promise<number>((resolve) => (answerLate = resolve))
        : Promise.resolve(scope ? 3 : 9),
    );
    const { store, scope } = storeOf([entry({ count: { load, refreshOn: [] } })]);
    store.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.counts.get('/findings')).toBe(9);
    scope.choose({ kind: 'tag', value: 'slow', label: 'slow' });
    scope.choose({ kind: 'tag', value: 'payments', label: 'payments' });
    await vi.advanceTimersByTimeAsync(0);
    answerLate(7);
    await vi.advanceTimersByTimeAsync(0);
    expect(store.counts.get('/findings')).toBe(3);
  });

  it('are absent where they cannot be read', async () => {
    const load = vi.fn(async () => Promise.reject(new Error('away')));
    const { store } = storeOf([entry({ count: { load, refreshOn: [] } })]);
    store.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(store.counts.has('/findings')).toBe(false);
  });

  it('of areas that this role does not have are not asked for', async () => {
    const load = vi.fn(async () => 7);
    const { store } = storeOf([entry({ permission: 'tokens.manage', count: { load, refreshOn: [] } })]);
    store.start();
    await vi.advanceTimersByTimeAsync(0);
    expect(load).not.toHaveBeenCalled();
  });
});

it('shows each role its own areas', () => {
  const { store } = storeOf([
    entry(),
    entry({ path: '/connector/tools', permission: 'connectors.read' }),
    entry({ path: '/team', group: 'organization', permission: 'findings.request-review' }),
  ]);
  expect(store.entriesOf('work').map(({ path }) => path)).toEqual(['/findings']);
  expect(store.entriesOf('organization').map(({ path }) => path)).toEqual(['/team']);
});

describe('rail', () => {
  afterEach(() => {
    cleanup();
    vi.restoreAllMocks();
  });

  it('marks the current area and shows its count', async () => {
    vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    const { show } = createScene({
      answers: { 'GET /session': () => SESSION_ANSWER, 'GET /setup': () => ({ data: { needed: false } }) },
      entries: [{ path: '/findings', layout: 'home', title: 'Findings', load: pageOf('The findings') }],
      navigation: [
        entry({ count: { load: async () => 1234, refreshOn: [] } }),
        entry({ label: 'SBOM', path: '/sbom-findings' }),
      ],
    });
    show('/findings');
    await screen.findByRole('heading', { name: 'The findings' });
    const rail = screen.getByRole('navigation', { name: 'Main' });
    await waitFor(() => expect(within(rail).getByText('1,234')).toBeTruthy());
    expect(within(rail).getByRole('link', { current: 'page' }).textContent).toContain('Findings');
    expect(within(rail).getAllByRole('link', { current: 'page' })).toHaveLength(1);
  });

  it('marks the area of a page that lies at another address, and no other', async () => {
    vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    const { show } = createScene({
      answers: { 'GET /session': () => SESSION_ANSWER, 'GET /setup': () => ({ data: { needed: false } }) },
      entries: [{ path: '/connector/scanners', layout: 'home', title: 'Scanners', load: pageOf('The scanners') }],
      navigation: [
        entry({ label: 'Connectors', path: '/connector/providers', alsoAt: ['/connector', '/oauth/callback/:id'] }),
        entry({ label: 'Scanners', path: '/elsewhere', alsoAt: ['/connector/:page'] }),
      ],
    });
    show('/connector/scanners');
    await screen.findByRole('heading', { name: 'The scanners' });
    const rail = screen.getByRole('navigation', { name: 'Main' });
    expect(
      within(rail)
        .getAllByRole('link', { current: 'page' })
        .map(({ textContent }) => textContent),
    ).toEqual(['Scanners']);
  });

  it('shows the views that this person starred, and marks the one that is open instead of its area', async () => {
    vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
    let links = [{ id: 'a', label: 'Release', to: '/findings?severity=high&view=a' }];
    const { show, services } = createScene({
      answers: { 'GET /session': () => SESSION_ANSWER, 'GET /setup': () => ({ data: { needed: false } }) },
      entries: [{ path: '/findings', layout: 'home', title: 'Findings', load: pageOf('The findings') }],
      navigation: [entry({ links: { load: async () => links, refreshOn: ['saved_view.changed'] } })],
    });
    show('/findings');
    const rail = await screen.findByRole('navigation', { name: 'Main' });
    const current = () => within(rail).getByRole('link', { current: 'page' }).textContent;
    const link = await within(rail).findByRole('link', { name: 'Release' });
    expect(current()).toBe('Findings');
    await userEvent.click(link);
    await waitFor(() => expect(current()).toBe('Release'));
    links = [];
    services.get(NAVIGATION).refreshLinks();
    await waitFor(() => expect(within(rail).queryByRole('link', { name: 'Release' })).toBeNull());
    expect(within(rail).queryByText('Starred')).toBeNull();
  });
});
