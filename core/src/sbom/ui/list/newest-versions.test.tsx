import { cleanup, render, screen } from '@testing-library/react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../../testing/browser/render-page.tsx';
import type { ComponentDetails } from '../detail/component-detail.store.ts';
import { NewestFact, ReleasedNote } from '../detail/newest-fact.tsx';
import { componentColumns } from './component-cells.tsx';
import { columnWidths } from './component-table.tsx';
import { ComponentsScreen } from './components-screen.tsx';
import { releaseLine } from './release-texts.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';

const row: ComponentDetails = {
  name: 'qs',
  version: '6.7.0',
  group: null,
  purl: 'pkg:npm/qs@6.7.0',
  ecosystem: 'npm',
  type: 'library',
  licenses: [],
  license_class: 'permissive',
  direct: false,
  repository_id: ID,
  repository: 'shop',
  findings: 0,
  worst_severity: null,
  other_findings: 0,
  last_seen: '2026-11-20T10:00:00Z',
  published: { released_on: '2019-03-22', newest_version: '6.13.0', newest_released_on: '2024-07-22' },
  description: null,
  first_seen: '2026-11-20T10:00:00Z',
  depends_on: [],
  used_by: [],
  dependency_paths: { paths: [], is_cut: false },
  used_in: [],
  upgrade: { version: null, covers: 0, unfixed: 0, incomparable: 0, is_major: false },
  package_use: null,
  package_imported_by: null,
  newest_known: { version: '6.7.3', repository: null },
  version_lookup: { state: 'found', answered_at: '2026-11-26T08:00:00Z', service: 'api.deps.dev' },
  component_findings: [],
};
const lookup = (state: ComponentDetails['version_lookup']['state']) => ({ ...row.version_lookup, state });

beforeEach(() => vi.useFakeTimers({ now: new Date('2026-11-26T12:00:00Z'), toFake: ['Date'] }));
afterEach(() => {
  cleanup();
  vi.useRealTimers();
});

const fact = (change: Partial<ComponentDetails> = {}, role: 'admin' | 'developer' = 'admin'): string => {
  const detail = { ...row, ...change };
  const element = (
    <div data-testid="fact">
      <ReleasedNote detail={detail} />
      <NewestFact detail={detail} />
    </div>
  );
  renderPage({ api: fakeHttp({}).api, at: '/', routes: [{ path: '/', element }], role });
  const text = screen.getByTestId('fact').textContent ?? '';
  if (screen.queryByRole('link') === null) cleanup();
  return text;
};

test('the page says how old the version is, which is the newest, and who says so', () => {
  expect(fact()).toBe('Released 7 years ago6.13.0Released 2 years ago. Published, according to api.deps.dev.');
  const newest = { released_on: '2026-11-20', newest_version: '6.7.0', newest_released_on: '2026-11-20' };
  expect(fact({ published: newest, newest_known: null })).toBe(
    'Released 6 days agoThe one in usePublished, according to api.deps.dev.',
  );
  // a report knows of a higher one than the registry
  expect(fact({ published: newest })).toContain('6.7.3Known from a report');
  const unknown = { released_on: null, newest_version: null, newest_released_on: null };
  expect(fact({ published: unknown, newest_known: null })).toContain('The day of its release is not known.');
});

test.each([
  ['excluded', /on the list of private packages/],
  ['unsupported', /No registry is asked for components of this kind/],
  ['waiting', /api\.deps\.dev has not been asked yet/],
  ['not_found', /api\.deps\.dev knows no package of this name/],
  ['unreadable', /The answer of api\.deps\.dev could not be read/],
] as const)('where it is %s, the page says why, beside what reports name', (state, expected) => {
  const text = fact({ version_lookup: lookup(state) });
  expect(text).toMatch(expected);
  expect(text).toContain('6.7.3Known from a report, which names it as fixed.');
  expect(text).not.toContain('Released');
});

test('while it is off, who may see the settings is led there', () => {
  expect(fact({ version_lookup: lookup('off'), published: null })).toContain('No registry is asked.');
  expect(screen.getByRole('link', { name: 'Look up newest versions' }).getAttribute('href')).toBe(
    '/settings/newest-versions',
  );
  cleanup();
  fact({ version_lookup: lookup('off'), published: null }, 'developer');
  expect(screen.queryByRole('link')).toBeNull();
});

test('the list has two columns more where versions are looked up, and none where they are not', () => {
  const keys = (isOn: boolean) => componentColumns(isOn).map(({ key }) => key);
  expect(keys(false)).not.toContain('released');
  expect(keys(true).slice(0, 4)).toEqual(['name', 'version', 'released', 'newest']);
  const cells = (published: ComponentDetails['published']) =>
    componentColumns(true)
      .slice(2, 4)
      .map(({ cell, text }) => {
        const item = { _id: ID, attributes: { ...row, published } };
        const { container } = render(<p>{cell(item)}</p>);
        return [container.textContent, text(item)];
      });
  expect(cells(row.published)).toEqual([
    ['7 years ago', '22 Mar 2019'],
    ['6.13.0', '6.13.0, published 2 years ago'],
  ]);
  expect(cells({ released_on: null, newest_version: null, newest_released_on: null })).toEqual([
    ['Not known', 'Not known'],
    ['Not known', 'Not known'],
  ]);
  expect(cells({ released_on: '2026-11-26', newest_version: '6.7.0', newest_released_on: '2026-11-26' })).toEqual([
    ['today', '26 Nov 2026'],
    ['In use', 'This is the newest published version'],
  ]);
});

test('with both columns the table still fits a screen of 1440 px beside the navigation', () => {
  const sum = (widths: readonly number[]) => widths.reduce((total, width) => total + width, 0);
  for (const isOn of [true, false]) {
    const widths = columnWidths(componentColumns(isOn), 1231);
    expect(sum(widths)).toBeLessThanOrEqual(1231);
    expect(Math.min(...widths)).toBeGreaterThanOrEqual(100);
    expect(widths[0]).toBeGreaterThan(160);
  }
  // on a narrow one it scrolls
  expect(Math.min(...columnWidths(componentColumns(true), 600))).toBeGreaterThanOrEqual(100);
});

test('on a phone a line says it, and nothing where it is not known', () => {
  expect(releaseLine(row)).toBe('released 7 years ago · newest 6.13.0');
  expect(releaseLine({ ...row, version: '6.13.0' })).toBe('released 7 years ago');
  expect(releaseLine({ ...row, published: null })).toBe('');
});

test('the list is sorted by age, the oldest first', async () => {
  const http = fakeHttp({
    'GET /sbom-findings': () => listOf([{ _id: ID, attributes: row }]),
    'GET /filter/sbom-findings': () => ({ data: { license_class: [], repository: [], license: [], ecosystem: [] } }),
  });
  renderPage({
    api: http.api,
    at: '/sbom-findings?sort_field=released_on',
    routes: [{ path: '/sbom-findings', element: withAddress(<ComponentsScreen />) }],
  });
  await screen.findByText('1 component');
  const query = http.calls.find(({ path }) => path === '/sbom-findings')?.query;
  expect([query?.get('sort_field'), query?.get('sort')]).toEqual(['released_on', 'asc']);
});
