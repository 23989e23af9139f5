import { cleanup, screen, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, expect, test, vi } from 'vitest';
import { type Answer, answer, fakeHttp } from '../../testing/browser/fake-http.ts';
import { renderPage } from '../../testing/browser/render-page.tsx';
import type { FrameworkDetail } from '../api/routes.ts';
import type { FrameworksPlace } from './framework-parts.tsx';
import { FrameworkScreen } from './framework-screen.tsx';
import { FrameworksScreen } from './frameworks-screen.tsx';

const NONE = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };
const HEAD = {
  name: 'PCI DSS',
  edition: '4.0.1',
  publisher: 'PCI SSC',
  source: 'https://pci.example/',
  date: '2026-11-24',
  is_named: true,
  filter: 'pci-dss-4',
  counts: { ...NONE, high: 3 },
  states: { assessed: 1, partly_assessed: 1, not_assessed: 1 },
};
const control = (
  id: string,
  fields: Partial<FrameworkDetail['controls'][number]>,
): FrameworkDetail['controls'][number] => ({
  id,
  text: { en: `Words of ${id}`, de: `Worte zu ${id}` },
  filter: `pci-dss-4:${id}`,
  families: ['SCA'],
  checks: [],
  state: 'assessed',
  last_seen: '2026-11-20T10:00:00.000Z',
  counts: NONE,
  decided: { accepted_risk: 0, false_positive: 0, mitigated: 0 },
  ...fields,
});
const DETAIL: FrameworkDetail = {
  ...HEAD,
  controls: [
    control('6.3.3', { counts: { ...NONE, high: 3 }, decided: { accepted_risk: 2, false_positive: 0, mitigated: 5 } }),
    control('6.5.1', { families: [], checks: ['required-reviews', 'force-pushes'], state: 'partly_assessed' }),
    control('5.2.1', { families: ['Malware'], state: 'not_assessed', last_seen: null }),
  ],
  families: [
    { family: 'SCA', tools: ['grype'], last_seen: '2026-11-20T10:00:00.000Z' },
    { family: 'Malware', tools: [], last_seen: null },
  ],
  settings: [
    {
      check: 'required-reviews',
      label: 'Required reviews',
      ok: 1,
      at_risk: 2,
      unknown: 0,
      last_seen: '2026-11-20T10:00:00.000Z',
      open: 2,
    },
    { check: 'force-pushes', label: 'Force pushes', ok: 0, at_risk: 0, unknown: 3, last_seen: null, open: 0 },
  ],
};

afterEach(cleanup);

const open = (at: string, answers: Record<string, Answer>, place?: FrameworksPlace) => {
  const http = fakeHttp(answers);
  const props = place === undefined ? {} : { place };
  const routes = [
    { path: '/frameworks', element: <FrameworksScreen {...props} /> },
    { path: '/frameworks/:id', element: <FrameworkScreen {...props} /> },
  ];
  return { ...renderPage({ api: http.api, at, routes }), calls: http.calls };
};

const ONE = { 'GET /frameworks/pci-dss-4': () => ({ data: { _id: 'pci-dss-4', attributes: DETAIL } }) };
const hrefOf = (element: HTMLElement): string => decodeURIComponent(element.getAttribute('href') ?? '');

test('all frameworks: which the organisation names, how much is assessed, and what is open', async () => {
  open('/frameworks', { 'GET /frameworks': () => ({ data: [{ _id: 'pci-dss-4', attributes: HEAD }] }) });
  const card = within(await screen.findByRole('region', { name: 'PCI DSS' }));
  expect(card.getByText('Named by the organisation')).toBeTruthy();
  expect(card.getByText('1 of 3 assessed, 1 in part, 1 not assessed')).toBeTruthy();
  expect(hrefOf(card.getByRole('link', { name: 'PCI DSS' }))).toBe('/frameworks/pci-dss-4');
  expect(hrefOf(card.getByRole('link', { name: '3 high' }))).toBe('/findings?control=pci-dss-4&severity=high');
});

test('each number of a control leads to its findings, open or decided', async () => {
  open('/frameworks/pci-dss-4', ONE);
  const row = within(await screen.findByRole('row', { name: /^6\.3\.3/ }));
  expect(row.getByText('Words of 6.3.3')).toBeTruthy();
  expect(hrefOf(row.getByRole('link', { name: '3 high' }))).toBe('/findings?control=pci-dss-4:6.3.3&severity=high');
  expect(hrefOf(row.getByRole('link', { name: 'Fixed 5' }))).toBe(
    '/findings?status=mitigated&control=pci-dss-4:6.3.3&false_positive=show&accepted_risk=show&is_duplicate=show',
  );
  expect(hrefOf(row.getByRole('link', { name: 'Risk accepted 2' }))).toContain('accepted_risk=only');
  expect(row.queryByRole('link', { name: /False positive/ })).toBeNull();
});

test('what nothing looks at says so, without a number; what looks only in part is marked', async () => {
  open('/frameworks/pci-dss-4', ONE);
  const none = within(await screen.findByRole('row', { name: /^5\.2\.1/ }));
  expect(none.getByText('Not assessed')).toBeTruthy();
  expect(none.getByText('Nothing looks at it')).toBeTruthy();
  expect(none.queryByRole('link')).toBeNull();
  const part = within(screen.getByRole('row', { name: /^6\.5\.1/ }));
  expect(part.getByText('Assessed in part')).toBeTruthy();
  expect(part.getAllByText('(never reported)')).toHaveLength(1);
  expect(document.body.textContent?.toLowerCase()).not.toContain('compliant');
});

test('the evidence names tools and readings, and leads to the findings of a setting', async () => {
  open('/frameworks/pci-dss-4', ONE);
  const scanners = within(await screen.findByRole('table', { name: 'Scanners that reported' }));
  expect(scanners.getByText('Grype')).toBeTruthy();
  const settings = within(screen.getByRole('table', { name: 'Settings of repositories' }));
  expect(settings.getByText('right in 1 repository · wrong in 2')).toBeTruthy();
  expect(hrefOf(settings.getByRole('link', { name: '2 open findings about Required reviews' }))).toBe(
    '/findings?tool=posture&rule=required-reviews',
  );
  expect(within(settings.getByRole('row', { name: /^Force pushes/ })).getByText('Not assessed')).toBeTruthy();
});

test('it is printed', async () => {
  const print = vi.fn();
  vi.stubGlobal('print', print);
  open('/frameworks/pci-dss-4', ONE);
  await userEvent.click(await screen.findByRole('button', { name: 'Print' }));
  expect(print).toHaveBeenCalledOnce();
  vi.unstubAllGlobals();
});

test('inside a client it asks there, and leads to the list there', async () => {
  const { calls } = open(
    '/frameworks/pci-dss-4',
    { 'GET /manage-clients/frameworks/c1/pci-dss-4': () => ({ data: { _id: 'pci-dss-4', attributes: DETAIL } }) },
    { clientId: 'c1', path: '/manage-clients/frameworks/c1', findingsPath: '/manage-clients/findings/c1' },
  );
  const row = within(await screen.findByRole('row', { name: /^6\.3\.3/ }));
  expect(hrefOf(row.getByRole('link', { name: '3 high' }))).toBe(
    '/manage-clients/findings/c1?control=pci-dss-4:6.3.3&severity=high',
  );
  expect(calls.map(({ path }) => path)).toEqual(['/manage-clients/frameworks/c1/pci-dss-4']);
});

test('what could not be read says why', async () => {
  open('/frameworks', {
    'GET /frameworks': () => answer(503, { detail: 'Away.', code: 'unavailable', request_id: 'r' }),
  });
  expect((await screen.findByRole('alert')).textContent).toContain('The frameworks could not be read');
});
