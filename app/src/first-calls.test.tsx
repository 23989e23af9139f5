import { defaultView } from '@breakwater/core/findings/ui/data/finding-view.ts';
import { FindingsStore } from '@breakwater/core/findings/ui/data/findings.store.ts';
import { FindingColumns } from '@breakwater/core/findings/ui/list/finding-columns.ts';
import { createApiClient } from '@breakwater/core/platform/ui/data/api-client.ts';
import { DashboardStore } from '@breakwater/core/posture/ui/dashboard.store.ts';
import { expect, test } from 'vitest';

import { firstCalls } from '../vite/first-calls.ts';

const TOTALS = { series: [], labels: [], total: 0, kev: 0, repositories: 0, components: 0, has_data: true };

const COLUMNS = { default: [], selected: [], available: [] };
/** What the pages read of an answer; the rest are empty lists. */
const DATA = { total_findings_chart: TOTALS, 'findings-columns': COLUMNS };

/** A client of a server that has findings, and what it was asked for. */
const record = () => {
  const asked: string[] = [];
  const api = createApiClient(async (input) => {
    asked.push(String(input));
    const data = Object.entries(DATA).find(([name]) => String(input).includes(name))?.[1] ?? [];
    return Response.json({ data, meta: { pagination: { total: 0 } } });
  });
  return { api, asked };
};

test('the list asks for exactly what the page asked for before it', async () => {
  const { api, asked } = record();
  const store = new FindingsStore(api);
  store.show(defaultView('open'));
  await new FindingColumns(api, store, () => undefined).load();
  const early = firstCalls()['/findings'] ?? [];
  expect(early.length).toBe(2);
  for (const address of early) expect(asked).toContain(address);
});

test('so does the dashboard', async () => {
  const { api, asked } = record();
  await new DashboardStore(api).load();
  const early = firstCalls()['/'] ?? [];
  expect(early.length).toBe(2);
  for (const address of early) expect(asked).toContain(address);
});
