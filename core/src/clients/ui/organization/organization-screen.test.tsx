import { cleanup, screen, waitFor } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test } from 'vitest';
import { type Answer, answer, fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { fullCompany } from '../../model/company.ts';
import { OrganizationScreen } from './organization-screen.tsx';

afterEach(cleanup);

const signed = (document: object): string =>
  `h.${btoa(String.fromCharCode(...new TextEncoder().encode(JSON.stringify(document))))}.signature`;

const open = async (save: Answer, role: 'admin' | 'cyberoper' = 'admin') => {
  const company = fullCompany({ structure: { headquarters: { coordinate: { lat: 53.5, long: 10 }, locations: [] } } });
  const detail = { organization_name: 'Häfen & Söhne', address: 'Kai 1', company };
  const http = fakeHttp({ 'GET /client': () => ({ data: signed(detail) }), 'PUT /client': save });
  renderPage({ api: http.api, at: '/', role, routes: [{ path: '/', element: <OrganizationScreen /> }] });
  expect(await screen.findByDisplayValue('Häfen & Söhne')).toBeDefined();
  return http;
};

test('shows the headquarters on the map, and sends what was changed', async () => {
  const { calls } = await open(() => ({ success: true }));
  expect(screen.getByRole('img', { name: 'Headquarters at 53.5° latitude, 10° longitude' })).toBeDefined();
  await userEvent.type(screen.getByLabelText('Regulations that apply'), 'GDPR{enter}NIS2');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(await screen.findByText('Saved.')).toBeDefined();
  expect(calls.find(({ method }) => method === 'PUT')?.body).toMatchObject({
    organization_name: 'Häfen & Söhne',
    company: { regulations: { applicable_regulations: ['GDPR', 'NIS2'] } },
  });
});

test('names the field that the server refuses, and sends nothing that cannot be meant', async () => {
  const detail = [
    { loc: ['body', 'company', 'information', 'url_company'], msg: 'Must be an address.', type: 'pattern' },
  ];
  const { calls } = await open(() => answer(422, { detail, code: 'validation_failed' }));
  await userEvent.type(screen.getByLabelText('Website'), 'harbour');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  await waitFor(() => expect(screen.getByLabelText('Website').getAttribute('aria-invalid')).toBe('true'));
  await userEvent.type(screen.getByLabelText('Latitude'), 'x');
  await userEvent.click(screen.getByRole('button', { name: 'Save' }));
  expect(screen.getByLabelText('Latitude').getAttribute('aria-invalid')).toBe('true');
  expect(calls.filter(({ method }) => method === 'PUT')).toHaveLength(1);
});

test('who may only read it changes nothing', async () => {
  await open(() => ({ success: true }), 'cyberoper');
  expect(screen.queryByRole('button', { name: 'Save' })).toBeNull();
  expect(screen.getByLabelText('Website').hasAttribute('disabled')).toBe(true);
});
