import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { VersionLookupScreen } from './version-lookup-screen.tsx';

const settings = (is_enabled = false, excluded: string[] = []) => ({
  data: { _id: 'c', attributes: { is_enabled, excluded, service: 'api.deps.dev', updated_at: null } },
});

const open = (answers: Parameters<typeof fakeHttp>[0] = {}, role: Role = 'admin') => {
  const http = fakeHttp({ 'GET /version_lookup': () => settings(), ...answers });
  const routes = [{ path: '/settings/newest-versions', element: <VersionLookupScreen /> }];
  return { ...http, ...renderPage({ api: http.api, at: '/settings/newest-versions', routes, role }) };
};
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const lookup = () => screen.findByLabelText<HTMLInputElement>('Look up newest versions');
const names = () => screen.getByLabelText<HTMLTextAreaElement>('Names that are never sent');

afterEach(cleanup);

test('it is off, and says what would be sent and to whom', async () => {
  open();
  expect((await lookup()).checked).toBe(false);
  expect(screen.getByText('api.deps.dev')).toBeDefined();
  expect(screen.getByText(/^The ecosystem and the name of each package/)).toBeDefined();
  expect(save().disabled).toBe(true);
});

test('an admin turns it on, with the private packages', async () => {
  const { calls } = open({ 'PUT /version_lookup': () => settings(true, ['@acme/*', 'com.acme:*']) });
  await userEvent.click(await lookup());
  await userEvent.type(names(), ' @acme/* {enter}{enter}com.acme:*');
  await userEvent.click(save());
  expect(await screen.findByText(/^Saved\. The inventories are looked up now/)).toBeDefined();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    is_enabled: true,
    excluded: ['@acme/*', 'com.acme:*'],
  });
  await waitFor(() => expect(save().disabled).toBe(true));
});

test('lines that can be no pattern are named, and nothing is sent', async () => {
  const { calls } = open();
  await lookup();
  await userEvent.type(names(), '@acme/*{enter}*{enter}pkg:npm/x');
  await userEvent.click(save());
  expect(screen.getByText('2 lines cannot be used.')).toBeDefined();
  expect(screen.getByText(/turn the lookup off instead/)).toBeDefined();
  expect(names().getAttribute('aria-invalid')).toBe('true');
  expect(calls.some(({ method }) => method === 'PUT')).toBe(false);
  await userEvent.type(names(), '!');
  expect(screen.queryByText('2 lines cannot be used.')).toBeNull();
});

test('what the server refuses stands beside the list', async () => {
  const detail = [{ loc: ['body', 'excluded', 0], msg: 'Write one pattern on each line.', type: 'pattern' }];
  open({ 'PUT /version_lookup': () => answer(422, { detail, code: 'validation_failed' }) });
  await lookup();
  await userEvent.type(names(), '@acme/*');
  await userEvent.click(save());
  expect(await screen.findByText('1 line cannot be used.')).toBeDefined();
  expect(screen.getByText(/Write one pattern on each line/)).toBeDefined();
});

test('others see it and cannot change it', async () => {
  open({ 'GET /version_lookup': () => settings(true, ['@acme/*']) }, 'cyberoper');
  expect((await lookup()).disabled).toBe(true);
  expect(names().disabled).toBe(true);
  expect(names().value).toBe('@acme/*');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});
