import { cleanup, render, screen, waitFor, within } from '@testing-library/react';
import userEvent from '@testing-library/user-event';
import { afterEach, describe, expect, it } from 'vitest';
import { answer, fakeHttp, listOf } from '../../../testing/browser/fake-http.ts';
import { renderPage, withAddress } from '../../../testing/browser/render-page.tsx';
import { ComponentScreen } from '../detail/component-screen.tsx';
import { ComponentRisk } from './component-cells.tsx';
import { ComponentsScreen } from './components-screen.tsx';

const ID = '0191c2e0-7b1a-7000-8000-000000000001';
const OTHER = '0191c2e0-7b1a-7000-8000-000000000002';
const SHOP = '0191c2e0-7b1a-7000-8000-00000000000a';
const PORT = '0191c2e0-7b1a-7000-8000-00000000000b';

const row = {
  name: 'qs',
  version: '6.7.0',
  group: null,
  purl: 'pkg:npm/qs@6.7.0',
  ecosystem: 'npm',
  type: 'library',
  licenses: ['GPL-2.0-only OR MIT'],
  license_class: 'permissive',
  direct: false,
  repository_id: SHOP,
  repository: 'shop',
  findings: 2,
  worst_severity: 'high',
  other_findings: 1,
  last_seen: '2026-11-20T10:00:00Z',
  published: null,
};
const finding = {
  _id: OTHER,
  title: 'Prototype pollution',
  severity: 'high',
  priority: 70,
  cve: 'CVE-2022-24999',
  component_version: '6.7.0',
  fixed_version: '6.7.3',
  same_version: true,
};
const detail = {
  ...row,
  description: null,
  first_seen: '2026-11-20T10:00:00Z',
  depends_on: [],
  used_by: [],
  dependency_paths: {
    paths: [
      [
        { _id: OTHER, name: 'express', version: '4.17.1' },
        { _id: ID, name: 'qs', version: '6.7.0' },
      ],
    ],
    is_cut: false,
  },
  used_in: [{ _id: OTHER, repository_id: PORT, repository: 'port', version: '6.5.0', same_version: false }],
  upgrade: { version: '6.7.3', covers: 1, unfixed: 1, incomparable: 0, is_major: false },
  package_use: 'imported',
  package_imported_by: { path: 'src/a.ts', line: 3, files: 2 },
  newest_known: { version: '6.7.3', repository: null },
  version_lookup: { state: 'off', answered_at: null, service: 'api.deps.dev' },
  component_findings: [
    finding,
    { ...finding, _id: ID, fixed_version: null, component_version: '6.6.0', same_version: false },
  ],
};
const facets = {
  license_class: [
    { value: 'permissive', count: 3 },
    { value: 'strong_copyleft', count: 1 },
  ],
  repository: [
    { value: PORT, label: 'port', count: 1 },
    { value: SHOP, label: 'shop', count: 3 },
  ],
  license: [{ value: 'Apache License, Version 2.0', count: 2 }],
  ecosystem: [{ value: 'npm', count: 4 }],
};

afterEach(cleanup);

const openComponent = (change: object = {}) => {
  const http = fakeHttp({ 'GET /sbom-findings': () => ({ data: { _id: ID, attributes: { ...detail, ...change } } }) });
  renderPage({
    api: http.api,
    at: `/sbom-findings/${ID}`,
    routes: [{ path: '/sbom-findings/:id', element: <ComponentScreen /> }],
  });
};
const part = (name: string) => screen.findByRole('region', { name });

describe('the page of a component', () => {
  it('says how it comes in, from the application on', async () => {
    openComponent();
    const paths = await part('Dependency paths');
    expect(within(paths).getByRole('listitem').textContent).toBe('shopexpress4.17.1qs6.7.0');
    expect(within(paths).getByRole('link', { name: 'express' }).getAttribute('href')).toBe(`/sbom-findings/${OTHER}`);
  });

  it('names the upgrade, and what it leaves open', async () => {
    openComponent();
    const findings = await part('Findings');
    expect(findings.textContent).toContain('Version 6.7.3 fixes 1 finding');
    expect(findings.textContent).toContain('No fixed version is known for 1 finding.');
    expect(findings.textContent).toContain('6.6.0');
  });

  it('keeps findings of another version apart, and says when none is of this one', async () => {
    openComponent();
    const findings = await part('Findings');
    expect(within(findings).getByRole('heading', { name: 'Reported for another version' })).toBeDefined();
    expect(within(findings).getAllByRole('table')).toHaveLength(2);
    cleanup();
    openComponent({ component_findings: detail.component_findings.slice(1) });
    expect((await part('Findings')).textContent).toContain('No open finding is reported for this version.');
  });

  it('admits that no fix is known', async () => {
    openComponent({ upgrade: { version: null, covers: 0, unfixed: 2, incomparable: 0, is_major: false } });
    expect((await part('Findings')).textContent).toContain('No fixed version is known for 2 findings.');
  });

  it('shows other applications with their version, and the class of the licence as an estimate', async () => {
    openComponent();
    expect((await part('Other applications')).textContent).toContain('port 6.5.0 · another version');
    const facts = await part('Facts');
    expect(facts.textContent).toContain('Permissive');
    expect(facts.textContent).toContain('no legal advice');
  });

  it('says where the code imports it and the newest version that is named here, or that neither is known', async () => {
    openComponent();
    const facts = await part('Facts');
    expect(facts.textContent).toContain('Importedimported by src/a.ts:3 and 1 more file');
    expect(facts.textContent).toContain('6.7.3Known from a report, which names it as fixed.No registry is asked.');
    cleanup();
    openComponent({ newest_known: { version: '6.9.0', repository: 'port' } });
    expect((await part('Facts')).textContent).toContain('6.9.0Known from the inventory of port.');
    cleanup();
    openComponent({ package_use: null, package_imported_by: null, newest_known: null });
    const unknown = (await part('Facts')).textContent;
    expect(unknown).toContain('Nothing here names a newer one.');
    expect(unknown).toContain('Not knownThe source was not read');
  });

  it('says why there is no path', async () => {
    openComponent({ dependency_paths: { paths: [], is_cut: false } });
    expect((await part('Dependency paths')).textContent).toContain('names nothing that needs it');
  });

  it('exports the inventory of its application', async () => {
    openComponent();
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    const links = await screen.findAllByRole('menuitem');
    expect(links.map((link) => link.getAttribute('href'))).toEqual([
      `/api/v1/repositories/${SHOP}/sbom?format=cyclonedx`,
      `/api/v1/repositories/${SHOP}/sbom?format=spdx`,
      `/api/v1/repositories/${SHOP}/vex`,
    ]);
  });
});

const openList = (at = '/sbom-findings', answers: Parameters<typeof fakeHttp>[0] = {}) => {
  const http = fakeHttp({
    'GET /sbom-findings': () => listOf([{ _id: ID, attributes: row }]),
    'GET /filter/sbom-findings': () => ({ data: facets }),
    ...answers,
  });
  renderPage({ api: http.api, at, routes: [{ path: '/sbom-findings', element: withAddress(<ComponentsScreen />) }] });
  return http;
};
const address = () => screen.getByTestId('address').textContent;

describe('the list of components', () => {
  it('counts what is reported for the version, and apart what is reported for another one', () => {
    // without a layout the table draws no rows: its cell alone
    render(<ComponentRisk attributes={{ findings: 2, worst_severity: 'high', other_findings: 1 }} />);
    const others = screen.getByText('+1 elsewhere');
    expect(others.getAttribute('title')).toBe('1 is reported for another version');
    expect(others.parentElement?.textContent).toContain('High2');
  });

  it('filters by the class of licence, with counts, and the address keeps it', async () => {
    const { calls } = openList();
    await userEvent.click(await screen.findByRole('button', { name: 'Licence class' }));
    const option = await screen.findByRole('option', { name: /Strong copyleft/ });
    await waitFor(() => expect(option.textContent).toContain('1'));
    await userEvent.click(within(option).getByText('Strong copyleft'));
    await waitFor(() => expect(address()).toContain('license_class=strong_copyleft'));
    await waitFor(() =>
      expect(
        calls.some(
          ({ path, query }) => path === '/sbom-findings' && query.get('filters[license_class]') === 'strong_copyleft',
        ),
      ).toBe(true),
    );
    expect(screen.getByRole('button', { name: 'Remove filter Licence class Strong copyleft' })).toBeDefined();
  });

  it('a licence with a comma in its name stays one licence', async () => {
    const { calls } = openList();
    await userEvent.click(await screen.findByRole('button', { name: 'Licence' }));
    await userEvent.click(await screen.findByText('Apache License, Version 2.0'));
    await waitFor(() =>
      expect(
        calls.some(({ query }) => query.getAll('filters[license][]').includes('Apache License, Version 2.0')),
      ).toBe(true),
    );
    expect(screen.getByRole('button', { name: 'Remove filter Licence Apache License, Version 2.0' })).toBeDefined();
  });

  it('exports one application, and asks which while several are in view', async () => {
    openList();
    await userEvent.click(await screen.findByRole('button', { name: 'Export' }));
    expect(await screen.findByText(/Choose one application/)).toBeDefined();
    cleanup();
    openList(`/sbom-findings?repository=${SHOP}`);
    expect(await screen.findByRole('button', { name: 'Remove filter Application shop' })).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Export' }));
    expect(await screen.findByRole('menuitem', { name: /SPDX 2.3/ })).toBeDefined();
  });

  it('works without the filter values', async () => {
    openList('/sbom-findings', { 'GET /filter/sbom-findings': () => answer(500, { detail: 'x', code: 'internal' }) });
    expect(await screen.findByText('1 component')).toBeDefined();
    await userEvent.click(screen.getByRole('button', { name: 'Licence' }));
    expect(await screen.findByText('No options.')).toBeDefined();
  });
});
