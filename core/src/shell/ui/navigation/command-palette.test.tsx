import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react';
import { afterEach, expect, it, vi } from 'vitest';
import { createScene, pageOf, SESSION_ANSWER } from '../../../testing/browser/shell-scene.tsx';
import { COMMANDS } from './commands.store.ts';
import type { PaletteQuestion, PaletteSource } from './palette-source.ts';

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const source = (group: string, fields: Partial<PaletteSource> = {}): PaletteSource => ({
  group,
  permission: 'findings.read',
  find: async () => [],
  ...fields,
});

const open = async (sources: readonly PaletteSource[], role = 'admin') => {
  vi.spyOn(window, 'scrollTo').mockImplementation(() => undefined);
  const user = { ...SESSION_ANSWER.data.user, role };
  const scene = createScene({
    answers: {
      'GET /session': () => ({ data: { ...SESSION_ANSWER.data, user } }),
      'GET /setup': () => ({ data: { needed: false } }),
      'PUT /user/profile': ({ body }) => ({
        success: true,
        data: { ...user, locale: { language: null, time_zone: null, number_format: null, ...Object(body) } },
      }),
    },
    entries: [
      { path: '/', layout: 'home', title: 'Dashboard', load: pageOf('The dashboard') },
      { path: '/found/:id', layout: 'home', title: 'Found', load: pageOf('What was found') },
    ],
    sources,
  });
  const router = scene.show('/');
  await screen.findByRole('heading', { name: 'The dashboard' });
  fireEvent.keyDown(window, { key: 'k', ctrlKey: true });
  const field = await screen.findByRole('combobox', { name: 'What to do or to find' });
  const type = (text: string) => fireEvent.change(field, { target: { value: text } });
  return { ...scene, router, field, type };
};

it('finds what the sources find, in groups, and goes there by keys alone', async () => {
  const asked: string[] = [];
  const { field, type, router } = await open([
    source('Findings', {
      find: async ({ text }: PaletteQuestion) => {
        asked.push(text);
        return [
          { id: '1', label: 'SQL injection in login', detail: 'High · routes/login.ts:36', to: '/found/1' },
          { id: '2', label: 'SQL injection in search', to: '/found/2' },
        ];
      },
    }),
    source('People', { find: async () => [] }),
  ]);
  type('s');
  type('sq');
  type('sql ');
  const group = await screen.findByRole('group', { name: 'Findings' });
  expect(within(group).getAllByRole('option')).toHaveLength(2);
  expect(screen.queryByRole('group', { name: 'People' })).toBeNull();
  // only what stood when the typing paused
  expect(asked).toEqual(['sql']);
  fireEvent.keyDown(field, { key: 'ArrowDown' });
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('SQL injection in search');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(router.state.location.pathname).toBe('/found/2'));
});

it('what was chosen stays chosen when more comes', async () => {
  let settle: (() => void) | undefined;
  const late = source('Findings', {
    find: () =>
      new Promise((resolve) => {
        settle = () => resolve([{ id: '1', label: 'dark', to: '/found/1' }]);
      }),
  });
  const { type } = await open([late]);
  type('dark');
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('Use dark mode');
  await waitFor(() => expect(settle).toBeDefined());
  settle?.();
  await screen.findByRole('group', { name: 'Findings' });
  expect(screen.getByRole('option', { selected: true }).textContent).toBe('Use dark mode');
});

it('a source that fails says so and leaves the others', async () => {
  const { type } = await open([
    source('Findings', { find: () => Promise.reject(new Error('away')) }),
    source('Components', { find: async () => [{ id: 'c', label: 'express 4.18', to: '/found/c' }] }),
  ]);
  type('expr');
  expect(await screen.findByRole('option', { name: /^express 4\.18/ })).toBeDefined();
  expect(screen.getByText(/^Not everything could be searched/)).toBeDefined();
});

it('does not ask for what a role may not read', async () => {
  const find = vi.fn(async () => []);
  const { type } = await open([source('Clients', { permission: 'clients.manage', find }), source('Findings')]);
  type('harbour');
  await screen.findByText('Search findings for “harbour”');
  await screen.findByText('Searching…');
  await waitFor(() => expect(screen.queryByText('Searching…')).toBeNull());
  expect(find).not.toHaveBeenCalled();
});

it('finds settings by what they are about, and acts of the page', async () => {
  const run = vi.fn();
  const { type, field, services } = await open([]);
  services.get(COMMANDS).register([{ label: 'Accept the risk', key: 'e', run }]);
  type('authenticator');
  expect(await screen.findByRole('option', { name: /^Two-factor/ })).toBeDefined();
  type('accept');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(run).toHaveBeenCalledTimes(1));
});

it('makes rows compact for the person', async () => {
  const { type, field, calls, session } = await open([]);
  type('compact');
  fireEvent.keyDown(field, { key: 'Enter' });
  await waitFor(() => expect(session.isCompact).toBe(true));
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({ density: 'compact' });
});

it('an id of a finding leads to it, and nothing is searched for', async () => {
  const find = vi.fn(async () => []);
  const { type } = await open([source('Findings', { find })]);
  type('0191c2e0-7b1a-7000-8000-000000000009');
  expect(screen.getAllByRole('option')).toHaveLength(1);
  expect(screen.getByRole('option', { selected: true }).textContent).toMatch(/^Open finding/);
});
