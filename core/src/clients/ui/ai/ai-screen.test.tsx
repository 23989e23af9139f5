import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { aiUsage } from '../../../testing/browser/ai-usage.ts';
import { connectedGitea } from '../../../testing/browser/connector-cards.ts';
import { answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { AiScreen } from './ai-screen.tsx';

afterEach(cleanup);

const text = (title: string) => ({ type: 'string', title });
const KEPT = { set: true, hint: null, value: 'gpt-4.1' };
/** The card of a model with two fields. */
const card = (id: string, title: string, prefix = '') => ({
  ...connectedGitea({
    ...{ id, title, category: 'miscellaneous', abilities: ['check', 'remediator'], egress: [], description: title },
    credentials: {
      type: 'object',
      required: [`${prefix}deployment_name`],
      properties: {
        [`${prefix}deployment_name`]: text('Deployment or model'),
        [`${prefix}base_url`]: text('Endpoint'),
      },
    },
    fields: { [`${prefix}deployment_name`]: KEPT, [`${prefix}base_url`]: { set: false, hint: null, value: null } },
  }),
  _id: `miscellaneous/${id}`,
});

const signed = (detail: object): string => {
  const bytes = String.fromCharCode(...new TextEncoder().encode(JSON.stringify(detail)));
  return `h.${btoa(bytes).replaceAll('+', '-').replaceAll('/', '_')}.s`;
};

const wrong = (...fields: [name: string, msg: string][]) =>
  answer(422, {
    detail: fields.map(([name, msg]) => ({ loc: ['body', 'values', name], msg, type: 'pattern' })),
    ...{ code: 'validation_failed', request_id: '1' },
  });

const open = (at = '/settings/ai') => {
  const http = fakeHttp({
    'GET /ai_usage': () => ({ data: aiUsage() }),
    'GET /connectors': () => ({
      data: [card('ai_remediator', 'AI remediator'), card('ai_validation', 'AI validation', 'openai_')],
    }),
    'GET /client': () => ({ data: signed({ organization_name: 'Ünïted', enable_false_positive_analysis: false }) }),
    'PUT /client': () => ({ success: true }),
    'POST /openai/remediator_connection': () => ({ success: true, data: { identity: 'gpt-5 · api.openai.com' } }),
    'PUT /connectors/': () =>
      wrong(['base_url', 'Must be an address.'], ['deployment_name', 'Has a sign that is none of a name.']),
  });
  return { ...http, ...renderPage({ api: http.api, at, routes: [{ path: '/settings/ai', element: <AiScreen /> }] }) };
};

test('the use of the month, the connection tested before it is saved, and all that is wrong with a save', async () => {
  const { calls, toasts } = open();
  const month = await screen.findByRole('region', { name: 'Use of this month' });
  expect(month.textContent).toContain('12 of 200 uses that the plan allows');
  expect(month.textContent).toContain('34,000 tokens read, 5,000 tokens written, $1.20.');
  const field = await screen.findByLabelText(/Deployment or model/);
  await userEvent.clear(field);
  await userEvent.type(field, 'gpt-5');
  await userEvent.click(screen.getByRole('button', { name: 'Test connection' }));
  await waitFor(() => expect(toasts.toasts.map(({ message }) => message)).toEqual(['gpt-5 · api.openai.com answers.']));
  expect(calls.at(-1)?.body).toEqual({ remediator: { deployment_name: 'gpt-5' } });
  await userEvent.click(screen.getByRole('button', { name: 'Check and save' }));
  const alert = await screen.findByRole('alert');
  expect(alert.textContent).toContain('Endpoint: Must be an address.');
  expect(alert.textContent).toContain('Deployment or model: Has a sign that is none of a name.');
});

test('the model for false positives has a connection of its own, and a switch', async () => {
  const { calls } = open('/settings/ai?open=validation');
  await screen.findByRole('region', { name: 'AI validation' });
  const toggle: HTMLInputElement = screen.getByLabelText('Let a model judge whether findings are false positives');
  await waitFor(() => expect([toggle.disabled, toggle.checked]).toEqual([false, false]));
  await userEvent.click(toggle);
  await waitFor(() => expect(toggle.checked).toBe(true));
  expect(calls.filter(({ method }) => method === 'PUT').map(({ body }) => body)).toEqual([
    { enable_false_positive_analysis: true },
  ]);
  await userEvent.click(screen.getByRole('button', { name: 'Fixes' }));
  expect(await screen.findByRole('region', { name: 'AI remediator' })).toBeTruthy();
});
