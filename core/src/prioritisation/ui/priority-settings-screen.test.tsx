import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import type { Role } from '../../platform/model/permissions.ts';
import { answer, fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import { rulesOf } from '../model/settings/priority-rules.ts';
import { changedSettings, DEFAULT_SETTINGS, type PrioritySettings } from '../model/settings/priority-settings.ts';
import { PrioritySettingsScreen } from './priority-settings-screen.tsx';

const DONE = { is_running: false, percentage: 100, done: 9, total: 9, job_id: null };
const OWN = changedSettings(DEFAULT_SETTINGS, { toggle: true });
const stored = (settings: PrioritySettings, more: object = {}) => ({
  data: {
    _id: 'c',
    attributes: {
      ...{ ...settings, weights: rulesOf(settings).weights, version: 3, recomputation: DONE },
      ...{ updated_at: null, updated_by: null, ...more },
    },
  },
});
const shown = (id: string, title: string, before: number, after: number) => ({
  _id: id,
  attributes: { title, severity: 'high', before, after },
});
const PREVIEW = {
  data: {
    ...{ total: 20_000, looked_at: 5000, is_estimate: true, changed: 412, raised: 300, lowered: 112 },
    ...{ rise_above_80: 14, fall_below_80: 2, weights: rulesOf(OWN).weights },
    bands: [{ from: 80, to: 100, before: 10, after: 22 }],
    top_before: [shown('a', 'Old one', 85, 70)],
    top_after: [shown('b', 'New one', 70, 91)],
  },
};

const open = (answers: Parameters<typeof fakeHttp>[0] = {}, role: Role = 'admin') => {
  const http = fakeHttp({
    'GET /client/prioritisation': () => stored(OWN),
    'GET /client/prioritisation/history': () => ({ data: [] }),
    'POST /client/prioritisation/preview': () => PREVIEW,
    ...answers,
  });
  const routes = [{ path: '/settings/prioritisation', element: <PrioritySettingsScreen /> }];
  return { ...http, ...renderPage({ api: http.api, at: '/settings/prioritisation', routes, role }) };
};
const save = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Save' });
const type = async (label: string, text: string) => {
  const field = await screen.findByLabelText(label);
  await userEvent.clear(field);
  await userEvent.type(field, text);
};

afterEach(cleanup);

test('a changed number shows what it comes to and what would change, and is saved with the version it came from', async () => {
  const running = { is_running: true, percentage: 40, done: 400, total: 1000, job_id: 'j' };
  const { calls } = open({
    'PUT /client/prioritisation': () =>
      stored(changedSettings(OWN, { exploitabilityFactors: { epss: 80 } }), { recomputation: running }),
  });
  await type('EPSS', '80');
  expect(await screen.findByText(/^About 412 of 20,000 open findings change: 300 rise, 112 fall\.$/)).toBeDefined();
  expect(screen.getByText(/^About 14 come to 80 or more, 2 leave it\.$/)).toBeDefined();
  expect(screen.getByText(/^Estimated from 5,000 findings/)).toBeDefined();
  expect(screen.getByText('New')).toBeDefined();
  expect(screen.getByText(/^No longer among them: Old one \(70\)\.$/)).toBeDefined();
  await userEvent.click(save());
  expect(await screen.findByText(/400 of 1,000 findings/)).toBeDefined();
  expect(screen.getByRole('progressbar', { name: 'Scoring of findings' })).toBeDefined();
  const body = calls.find(({ method }) => method === 'PUT')?.body;
  expect(body).toEqual({ ...changedSettings(OWN, { exploitabilityFactors: { epss: 80 } }), version: 3 });
  await waitFor(() => expect(save().disabled).toBe(true));
});

test('what is no weight is marked beside its field and in the summary, and nothing is sent', async () => {
  const { calls } = open();
  await type('EPSS', '101');
  await userEvent.click(save());
  expect(await screen.findByText('EPSS: A whole number from 0 to 100.')).toBeDefined();
  expect(screen.getByLabelText('EPSS').getAttribute('aria-invalid')).toBe('true');
  expect(calls.filter(({ method }) => method !== 'GET')).toEqual([]);
});

test('an error of the server stands beside its field; newer settings of somebody else can be loaded', async () => {
  const detail = [{ loc: ['body', 'toggle'], msg: 'Every weight is 0.', type: 'no_weight' }];
  const answers = [
    answer(422, { detail, code: 'validation_failed' }),
    answer(409, { detail: 'Somebody else changed these settings meanwhile.', code: 'conflict' }),
  ];
  open({ 'PUT /client/prioritisation': () => answers.shift() ?? answer(500, {}) });
  await type('EPSS', '7');
  await userEvent.click(save());
  expect((await screen.findAllByText('Every weight is 0.')).length).toBe(2);
  await userEvent.click(save());
  expect(await screen.findByText('Somebody else changed these settings meanwhile.')).toBeDefined();
  await userEvent.click(screen.getByRole('button', { name: 'Load anew' }));
  await waitFor(() => expect(screen.getByLabelText<HTMLInputElement>('EPSS').value).toBe('15'));
});

test('switched off, the numbers cannot be changed', async () => {
  open({ 'GET /client/prioritisation': () => stored(DEFAULT_SETTINGS) });
  const field = await screen.findByLabelText('EPSS');
  expect(field.closest('fieldset')?.disabled).toBe(true);
  await userEvent.click(screen.getByLabelText('Use weights of our own'));
  expect(field.closest('fieldset')?.disabled).toBe(false);
});

test('a cyberoper sees the settings with the reason why they cannot be changed', async () => {
  open({}, 'cyberoper');
  expect(await screen.findByText(/Only an admin can change it\./)).toBeDefined();
  expect((await screen.findByLabelText('EPSS')).closest('fieldset')?.disabled).toBe(true);
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.queryByRole('region', { name: 'What changes' })).toBeNull();
});
