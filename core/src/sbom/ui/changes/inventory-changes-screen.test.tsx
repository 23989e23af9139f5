import { cleanup, fireEvent, screen, within } from '@testing-library/react';
import { afterEach, describe, expect, it } from 'vitest';
import { fakeHttp } from '../../../testing/browser/fake-http.ts';
import { renderPage } from '../../../testing/browser/render-page.tsx';
import { InventoryChangesScreen } from './inventory-changes-screen.tsx';

afterEach(cleanup);

const [SHOP, OLD, NEW] = ['a', '1', '2'].map((end) => `0191c2e0-7b1a-7000-8000-00000000000${end}`);
const [FIRST, SECOND, THIRD] = [20, 21, 22].map((day) => `2026-11-${day}T10:00:00.000Z`);
const version = { _id: NEW, version: '6.10.0', direct: true, findings: 0, worst_severity: null, fixed: 0 };
const changes = {
  repository: 'shop',
  moments: [
    { at: THIRD, added: 1, removed: 1 },
    { at: SECOND, added: 1, removed: 0 },
    { at: FIRST, added: 3, removed: 0 },
  ],
  from: SECOND,
  to: THIRD,
  totals: [
    { kind: 'upgraded', count: 1 },
    { kind: 'added', count: 0 },
  ],
  changes: [
    {
      ...{ kind: 'upgraded', name: 'qs', ecosystem: 'npm' },
      before: [{ ...version, _id: OLD, version: '6.9.0', findings: 1, worst_severity: 'high', fixed: 2 }],
      after: [{ ...version, findings: 3, worst_severity: 'critical' }],
    },
  ],
};

const open = (data: object) => {
  const { api, calls } = fakeHttp({ [`GET /repositories/${SHOP}/inventory-changes`]: () => ({ data }) });
  renderPage({
    api,
    at: `/sbom-findings/changes/${SHOP}`,
    routes: [{ path: '/sbom-findings/changes/:id', element: <InventoryChangesScreen /> }],
  });
  return calls;
};

describe('changes of an inventory', () => {
  it('say what was upgraded, and what that means for findings', async () => {
    open(changes);
    await screen.findByRole('heading', { name: 'Changes of shop' });
    expect(screen.getByText('1 upgraded')).toBeDefined();
    const row = within(screen.getAllByRole('row').at(-1) ?? document.body);
    expect(row.getAllByRole('cell').map(({ textContent }) => textContent)).toEqual([
      ...['qs npm', 'Upgraded', '6.9.0', '6.10.0', 'Direct'],
      'Critical3 open findings2 findings fixed1 of the earlier version is still open',
    ]);
    expect(row.getByRole('link', { name: '6.10.0' }).getAttribute('href')).toBe(`/sbom-findings/${NEW}`);
  });

  it('are read for the inventories that are chosen', async () => {
    const calls = open(changes);
    const earlier = await screen.findByLabelText('Earlier inventory');
    // the later one is no choice for the earlier one
    expect(within(earlier).getAllByRole('option')).toHaveLength(2);
    fireEvent.change(earlier, { target: { value: FIRST } });
    await expect.poll(() => calls.at(-1)?.query.get('from')).toBe(FIRST);
  });

  it('are none while the inventory was imported once', async () => {
    open({ ...changes, moments: changes.moments.slice(2), from: null, to: FIRST, changes: [], totals: [] });
    await screen.findByText('Nothing to compare yet');
  });
});
