import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../../platform/model/permissions.ts';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { DEFAULT_POLICY } from '../../model/license-policy.ts';
import { LicensePolicyScreen } from './license-policy-screen.tsx';

const policy = (licenses: object[] = [], updated_at: string | null = null) => ({
  data: { _id: 'c', attributes: { classes: DEFAULT_POLICY.classes, licenses, updated_at } },
});

const open = (answers: Parameters<typeof fakeHttp>[0] = {}, role: Role = 'admin') => {
  const http = fakeHttp({ 'GET /license_policy': () => policy(), ...answers });
  const routes = [{ path: '/settings/license-policy', element: <LicensePolicyScreen /> }];
  return { ...http, ...renderPage({ api: http.api, at: '/settings/license-policy', routes, role }) };
};
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });

afterEach(cleanup);

test('an admin forbids a class and a licence, and saves the whole policy', async () => {
  const licenses = [{ license: 'AGPL-3.0-only', verdict: 'forbidden' }];
  const { calls } = open({ 'PUT /license_policy': () => policy(licenses, '2026-11-21T10:00:00Z') });
  await userEvent.selectOptions(await screen.findByLabelText('Strong copyleft'), 'Forbidden');
  await userEvent.click(screen.getByRole('button', { name: 'Add a licence' }));
  await userEvent.type(screen.getByLabelText('Licence 1'), ' AGPL-3.0-only ');
  await userEvent.click(save());
  expect(await screen.findByText(/^Saved\./)).toBeDefined();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toEqual({
    classes: { ...DEFAULT_POLICY.classes, strong_copyleft: 'forbidden' },
    licenses,
  });
  await waitFor(() => expect(save().disabled).toBe(true));
});

test('errors stand beside their line, and what was typed stays', async () => {
  const detail = [{ loc: ['body', 'licenses', 1], msg: 'GPL-3.0-only stands in the list twice.', type: 'repeated' }];
  open({ 'PUT /license_policy': () => answer(422, { detail, code: 'validation_failed' }) });
  const add = await screen.findByRole('button', { name: 'Add a licence' });
  await userEvent.click(add);
  await userEvent.click(save());
  expect(screen.getByText('Name a licence, or remove the line.')).toBeDefined();
  await userEvent.type(screen.getByLabelText('Licence 1'), 'GPL-3.0');
  await userEvent.click(add);
  await userEvent.type(screen.getByLabelText('Licence 2'), 'GPL-3.0-only');
  await userEvent.click(save());
  expect(await screen.findByText('GPL-3.0-only stands in the list twice.')).toBeDefined();
  expect(screen.getByLabelText('Licence 2').getAttribute('aria-invalid')).toBe('true');
  await userEvent.click(screen.getByRole('button', { name: 'Remove GPL-3.0-only' }));
  expect(screen.queryByText('GPL-3.0-only stands in the list twice.')).toBeNull();
  expect(screen.getByLabelText<HTMLInputElement>('Licence 1').value).toBe('GPL-3.0');
});

test('others see the policy and cannot change it', async () => {
  open({}, 'cyberoper');
  expect((await screen.findByLabelText<HTMLSelectElement>('Permissive')).disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
});
