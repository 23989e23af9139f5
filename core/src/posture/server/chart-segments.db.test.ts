import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { toQueryString } from '../../platform/ui/data/api-client.ts';
import { insertRandomFindings, type KnownFinding, type KnownRepository } from '../../testing/random-findings.ts';

let server: TestServer;
let known: { findings: KnownFinding[]; repositories: KnownRepository[] };

beforeAll(async () => {
  server = await startTestServer();
  const { users, scene } = server;
  const clientId = users.clientId;
  known = await insertRandomFindings(scene.owner, { clientId, users: [users.developer.id], count: 600, start: 11 });
  // places in the Top 10 of 2021, dates around today's limits, and times to fix
  await scene.owner.query(
    `update finding_definitions set owasp_2021 = 'A0' || (1 + id % 4) || ':2021' where client_id = $1 and id % 3 > 0`,
    [clientId],
  );
  await scene.owner.query(
    `update findings set date = now() - (hashtext(id::text) & 511) * interval '1 day',
       first_seen = now() - interval '10 days', closed_at = case when status = 'mitigated' then now() - interval '4 days' end
     where client_id = $1`,
    [clientId],
  );
  const other = await createUsers(scene.database, 'Other');
  await insertRandomFindings(scene.owner, {
    clientId: other.clientId,
    users: [other.developer.id],
    count: 60,
    start: 12,
  });
});
afterAll(() => server.close());

const CHARTS = [
  '/findings_by_repo_chart',
  '/supply_chain_chart',
  '/owasp_chart',
  '/owasp_chart?edition=2021',
  '/slsa_threats_chart',
  '/owasp_cicd_chart',
  '/found_findings_chart',
  '/found_findings_chart?period=12m',
  '/backlog_age_chart',
  '/overdue_chart',
  '/time_to_fix_chart',
];

const OPEN = {
  status: ['enriched', 'pending_input', 'ready', 'pr_submitted', 'issued', 'pr_accepted', 'reopened'],
  false_positive: 'hide',
  accepted_risk: 'hide',
  is_duplicate: 'hide',
};
const daysAgo = (days: number): string => new Date(Date.now() - days * 86_400_000).toISOString().slice(0, 10);
const FILTERS: [string, Record<string, unknown>, string?][] = [
  ['nothing', {}],
  ['open', OPEN],
  ['a tool and severities', { ...OPEN, tool: ['grype'], severity: ['high', 'low'] }],
  ['a family and a severity', { ...OPEN, type: ['SCA', 'SAST'], severity: ['high'] }],
  ['a weakness', { cwe: [79, 80] }],
  ['dates and priorities', { date_gt: daysAgo(200), date_lt: daysAgo(3), priority_gt: 20 }],
  ['places', { slsa_threats: ['D'], owasp: ['A01:2025', 'A02:2021'], owasp_cicd: ['CICD-SEC-1'] }],
  ['free text', OPEN, 'number 1'],
];

interface Chart {
  series: { name: string; data: number[] }[];
  labels: string[];
  segments: (Record<string, unknown> | null)[][];
  total: number;
}

const ask = async (path: string, query: Record<string, unknown>, as: 'admin' | 'developer') => {
  const address = `${path}${path.includes('?') ? '&' : '?'}${toQueryString(query)}`;
  const { status, body } = await server.call('GET', address, { as });
  expect({ address, status }).toEqual({ address, status: 200 });
  return body;
};

const totals = new Map<string, Promise<number>>();
const listTotal = (query: Record<string, unknown>, as: 'admin' | 'developer'): Promise<number> => {
  const key = `${as} ${toQueryString(query)}`;
  const found =
    totals.get(key) ??
    ask('/findings', { ...query, pagination: { page: 1, pageSize: 1 } }, as).then((body) => body.meta.pagination.total);
  totals.set(key, found);
  return found;
};

describe.each(FILTERS)('under %s', (_name, filters, search) => {
  test.each(CHARTS)('each segment of %s leads to a list of the same number', async (path) => {
    for (const as of filters === OPEN || path === '/backlog_age_chart'
      ? (['admin', 'developer'] as const)
      : (['admin'] as const)) {
      const chart: Chart = (await ask(path, { filters, search }, as)).data;
      const own = path.startsWith('/time_to_fix') ? { ...filters, status: ['mitigated'] } : filters;
      expect(chart.total).toBe(await listTotal({ filters: own, search }, as));
      const issues: unknown[] = [];
      for (const [s, { name, data }] of chart.series.entries()) {
        expect(data).toHaveLength(chart.labels.length);
        for (const [l, count] of data.entries()) {
          const segment = chart.segments[s]?.[l];
          if (name === 'Mean days') continue;
          if (segment === null || segment === undefined) {
            if (count !== 0) issues.push({ name, label: chart.labels[l], count, segment });
            continue;
          }
          const listed = await listTotal({ filters: { ...filters, ...segment }, search }, as);
          if (listed !== count) issues.push({ as, name, label: chart.labels[l], segment, count, listed });
        }
      }
      expect(issues).toEqual([]);
    }
  });
});

test('the charts have something to show, and each finding is in one span of time', async () => {
  for (const path of CHARTS) {
    const chart: Chart = (await ask(path, {}, 'admin')).data;
    const shown = chart.series.flatMap(({ data }) => data).reduce((sum, count) => sum + count, 0);
    expect(shown, path).toBeGreaterThan(0);
    if (path === '/backlog_age_chart' || path === '/findings_by_repo_chart') expect(shown).toBe(known.findings.length);
  }
  const fixed: Chart = (await ask('/time_to_fix_chart', {}, 'admin')).data;
  expect(fixed.series[0]?.data).toEqual([6, 6, 6, 6, 6]);
});

test('a repository that is removed takes its counts along', async () => {
  const id = known.repositories[1]!.id;
  const { owner } = server.scene;
  const { clientId } = server.users;
  expect((await server.call('DELETE', `/repositories/${id}`, { as: 'admin' })).status).toBe(200);
  const left = known.findings.filter((finding) => finding.repository_id !== id).length;
  const counted = await owner.query(
    `select (select sum(count) from aggregate_dates where client_id = $1)::integer as dates,
       (select sum(count) from aggregate_days where client_id = $1 and field = 'found')::integer as found,
       (select sum(count) from aggregate_days where client_id = $1 and field = 'changed')::integer as changed,
       (select count(*) from aggregate_dates d where client_id = $1 and not exists (
         select from aggregate_cells c where c.client_id = d.client_id and c.cell = d.cell))::integer as orphans`,
    [clientId],
  );
  expect(counted.rows).toEqual([{ dates: left, found: left, changed: left, orphans: 0 }]);
});

test('an empty organisation has empty charts, nobody without a session sees one, and unknown words are refused', async () => {
  const empty = await createUsers(server.scene.database, 'Empty');
  for (const path of CHARTS) {
    const none = await server.call('GET', path, { as: { token: empty.admin.token } });
    expect(none.body.data.total).toBe(0);
    expect(
      none.body.data.series.flatMap((one: { data: number[] }) => one.data).every((count: number) => count === 0),
    ).toBe(true);
    expect((await server.call('GET', path, {})).status).toBe(401);
  }
  for (const path of ['/owasp_chart?edition=2017', '/found_findings_chart?period=9y', '/slsa_threats_chart?limit=1'])
    expect((await server.call('GET', path, { as: 'admin' })).status).toBe(422);
});
