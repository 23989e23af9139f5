import { cleanup, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../platform/model/permissions.ts';
import { type Answer, answer, fakeHttp, listOf } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { PartnersScreen } from './partners-screen.tsx';

const ACME = {
  name: 'Acme Security',
  kind: 'consulting',
  description: 'Audits and training.',
  website: 'https://acme.example/',
  email: 'hello@acme.example',
};
const BASTION = { name: 'Bastion', kind: 'reseller', description: '', website: null, email: null };
const item = (attributes: { name: string }) => ({ _id: `id-of-${attributes.name.split(' ')[0]}`, attributes });

afterEach(cleanup);

const open = (role: Role, answers: Record<string, Answer> = {}) => {
  const http = fakeHttp({ 'GET /partners': () => listOf([item(ACME), item(BASTION)]), ...answers });
  const routes = [{ path: '/partners', element: <PartnersScreen /> }];
  return { ...renderPage({ api: http.api, at: '/partners', routes, role }), calls: http.calls };
};

test('everybody sees who the partners are and how they are reached; nobody but superadmins changes them', async () => {
  open('developer');
  const card = within(await screen.findByRole('region', { name: 'Acme Security' }));
  expect(card.getByText('Consulting')).toBeTruthy();
  expect(card.getByText('Audits and training.')).toBeTruthy();
  expect(card.getByRole('link', { name: 'acme.example' }).getAttribute('href')).toBe('https://acme.example/');
  expect(card.getByRole('link', { name: 'hello@acme.example' }).getAttribute('href')).toBe('mailto:hello@acme.example');
  expect(within(screen.getByRole('region', { name: 'Bastion' })).queryByRole('link')).toBeNull();
  expect(screen.queryByRole('button')).toBeNull();
});

test('says that there is none, and that they could not be read', async () => {
  open('admin', { 'GET /partners': () => listOf([]) });
  expect(await screen.findByText('No partner yet')).toBeTruthy();
  cleanup();
  open('admin', { 'GET /partners': () => answer(503, { detail: 'Away.', code: 'unavailable', request_id: 'r' }) });
  expect((await screen.findByRole('alert')).textContent).toContain('The partners could not be read');
});

test('a superadmin adds one; what the server refuses is said, and what was written stays', async () => {
  let isTaken = true;
  const { calls } = open('superadmin', {
    'POST /partner': () =>
      isTaken
        ? answer(409, { detail: 'There is a partner "Citadel" already.', code: 'conflict', request_id: 'r' })
        : { success: true, data: item(ACME) },
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Add a partner' }));
  const dialog = within(await screen.findByRole('dialog'));
  expect(dialog.getByRole<HTMLButtonElement>('button', { name: 'Add' }).disabled).toBe(true);
  await userEvent.type(dialog.getByLabelText('Name'), ' Citadel ');
  await userEvent.selectOptions(dialog.getByLabelText('Kind'), 'technology');
  await userEvent.type(dialog.getByLabelText('Website'), 'https://citadel.example');
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
  expect(await dialog.findByText('There is a partner "Citadel" already.')).toBeTruthy();
  isTaken = false;
  await userEvent.click(dialog.getByRole('button', { name: 'Add' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.findLast(({ method }) => method === 'POST')?.body).toEqual({
    name: 'Citadel',
    kind: 'technology',
    description: '',
    website: 'https://citadel.example',
    email: null,
  });
});

test('a superadmin changes one and deletes one', async () => {
  const { calls } = open('superadmin', {
    'PUT /partner/': () => ({ success: true, data: item(ACME) }),
    'DELETE /partner/': () => ({ success: true }),
  });
  await userEvent.click(await screen.findByRole('button', { name: 'Change Acme Security' }));
  const dialog = within(await screen.findByRole('dialog'));
  await userEvent.clear(dialog.getByLabelText('Website'));
  await userEvent.click(dialog.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull());
  expect(calls.find(({ method }) => method === 'PUT')).toMatchObject({
    path: '/partner/id-of-Acme',
    body: { ...ACME, website: null },
  });
  await userEvent.click(screen.getByRole('button', { name: 'Delete Bastion' }));
  await userEvent.click(within(await screen.findByRole('dialog')).getByRole('button', { name: 'Delete' }));
  await waitFor(() => expect(calls.some(({ method }) => method === 'DELETE')).toBe(true));
  expect(calls.find(({ method }) => method === 'DELETE')?.path).toBe('/partner/id-of-Bastion');
});
