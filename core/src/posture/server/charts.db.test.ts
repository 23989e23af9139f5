import { SEVERITIES } from '@breakwater/sdk';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isOpen, isVisible, tests } from '../../testing/known-findings.ts';
import { insertRandomFindings, type KnownFinding, type KnownRepository } from '../../testing/random-findings.ts';

let server: TestServer;
let known: { findings: KnownFinding[]; repositories: KnownRepository[] };

beforeAll(async () => {
  server = await startTestServer();
  const { users, scene } = server;
  known = await insertRandomFindings(scene.owner, {
    clientId: users.clientId,
    users: [users.developer.id],
    count: 300,
    start: 5,
  });
  const other = await createUsers(scene.database, 'Other');
  await insertRandomFindings(scene.owner, {
    clientId: other.clientId,
    users: [other.developer.id],
    count: 50,
    start: 6,
  });
});
afterAll(() => server.close());

const bySeverity = (findings: readonly KnownFinding[]) =>
  SEVERITIES.map((severity) => findings.filter((finding) => finding.severity === severity && isOpen(finding)).length);

const FILTERS: [string, (finding: KnownFinding) => boolean][] = [
  ['', () => true],
  ['filters[tool]=grype,trivy', (of) => ['grype', 'trivy'].includes(of.tool)],
  ['filters[cwe]=79', (of) => of.subject.cwe.includes(79)],
  [
    'filters[priority_gt]=50&filters[severity]=high,low',
    (of) => of.priority >= 50 && ['high', 'low'].includes(of.severity),
  ],
  ['filters[file]=src/a.go', (of) => of.path === 'src/a.go'],
  ['filters[is_duplicate]=only', () => false],
];

test.each(FILTERS)('totals under "%s" are the open findings by severity', async (query, holds) => {
  const { body } = await server.call('GET', `/total_findings_chart?${query}`, { as: 'admin' });
  const expected = known.findings.filter(holds);
  const counts = query.includes('is_duplicate') ? [0, 0, 0, 0, 0] : bySeverity(expected);
  expect(body.data.labels).toEqual([...SEVERITIES]);
  expect(body.data.series[0].data).toEqual(counts);
  expect(body.data.total).toBe(counts.reduce((sum, count) => sum + count, 0));
  expect(body.data.kev).toBe(query.includes('is_duplicate') ? 0 : expected.filter((of) => isOpen(of) && of.kev).length);
  const chart = await server.call('GET', `/findings_chart?${query}`, { as: 'admin' });
  expect(chart.body.data.total).toBe(body.data.total);
  expect(chart.body.data.series.map((one: { data: number[] }) => one.data.at(-1))).toEqual(counts);
});

test('the chart shows each day what was open at its end', async () => {
  const { owner } = server.scene;
  const { clientId } = server.users;
  // as if all had come ten days ago, and the critical ones been closed three days ago
  await owner.query(
    `update findings set status = 'mitigated', closed_at = now() where client_id = $1 and severity = 4`,
    [clientId],
  );
  await owner.query('update finding_day_counts set day = day - 10 where client_id = $1', [clientId]);
  await owner.query(
    `insert into finding_day_counts select d.client_id, d.cube, d.day + 7, -d.delta
     from finding_day_counts d join finding_counts c using (client_id, cube) join finding_kinds k using (client_id, kind)
     join finding_states s using (client_id, state) where d.client_id = $1 and k.severity = 2 and s.is_open`,
    [clientId],
  );
  const { body } = await server.call('GET', '/findings_chart?period=30d', { as: 'admin' });
  const high = body.data.series.find((one: { name: string }) => one.name === 'high').data;
  const [, expected] = bySeverity(known.findings);
  expect(high.slice(0, 19)).toEqual(Array(19).fill(0));
  expect(high.slice(19)).toEqual(Array(11).fill(expected));
  const medium = body.data.series.find((one: { name: string }) => one.name === 'medium').data;
  expect(medium[25] - medium[27]).toBe(bySeverity(known.findings)[2]);
  expect(body.data.dates).toHaveLength(30);
  for (const period of ['12w', '12m']) {
    const { data } = (await server.call('GET', `/findings_chart?period=${period}`, { as: 'admin' })).body;
    expect(data.series.map((one: { data: number[] }) => one.data.at(-1))).toEqual(
      body.data.series.map((one: { data: number[] }) => one.data.at(-1)),
    );
  }
});

test('a developer counts only what is theirs', async () => {
  const viewer = { clientId: server.users.clientId, userId: server.users.developer.id, seesAll: false };
  const mine = known.findings.filter(
    (finding) => isVisible(finding, viewer, known.repositories) && isOpen(finding) && finding.severity !== 'critical',
  );
  const { body } = await server.call('GET', '/total_findings_chart', { as: 'developer' });
  expect(body.data.total).toBe(mine.length);
  expect(body.data.repositories).toBe(1);
  const chart = await server.call('GET', '/findings_chart', { as: 'developer' });
  expect(chart.body.data.total).toBe(mine.length);
});

test('an empty organisation has no data; a verdict of a person is told from one of a tool', async () => {
  const empty = await createUsers(server.scene.database, 'Empty');
  const none = await server.call('GET', '/total_findings_chart', { as: { token: empty.admin.token } });
  expect(none.body.data).toMatchObject({
    total: 0,
    kev: 0,
    repositories: 0,
    components: 0,
    has_data: false,
    has_sample: false,
    has_verdict: false,
  });
  const before = await server.call('GET', '/total_findings_chart', { as: 'admin' });
  expect(before.body.data).toMatchObject({ has_data: true, has_verdict: false, repositories: 4 });
  const id = known.findings.find((finding) => tests['verdict'] !== undefined && finding.verdict === 'none')?.id;
  await server.call('PUT', `/findings/${id}/toggle_false_positive`, { as: 'admin', body: {} });
  const after = await server.call('GET', '/total_findings_chart', { as: 'admin' });
  expect(after.body.data.has_verdict).toBe(true);
});
