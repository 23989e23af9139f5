import { SEVERITIES } from '@breakwater/sdk';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { isVisible, tests } from '../../testing/known-findings.ts';
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
  SEVERITIES.map((severity) => findings.filter((finding) => finding.severity === severity).length);

const FILTERS: [string, (finding: KnownFinding) => boolean][] = [
  ['', () => true],
  ['filters[tool]=grype,trivy', (of) => ['grype', 'trivy'].includes(of.tool)],
  ['filters[cwe]=79', (of) => of.definition.cwe.includes(79)],
  [
    'filters[priority_gt]=50&filters[severity]=high,low',
    (of) => of.priority >= 50 && ['high', 'low'].includes(of.severity),
  ],
  ['filters[file]=src/a.go', (of) => of.path === 'src/a.go'],
  ['filters[is_duplicate]=only', (of) => of.is_duplicate || of.verdict === 'duplicate'],
  [
    'filters[status]=enriched,ready&filters[false_positive]=hide',
    (of) => ['enriched', 'ready'].includes(of.status) && of.verdict !== 'false_positive',
  ],
];

test.each(FILTERS)('totals under "%s" are its findings by severity', async (query, holds) => {
  const { body } = await server.call('GET', `/total_findings_chart?${query}`, { as: 'admin' });
  const expected = known.findings.filter(holds);
  const counts = bySeverity(expected);
  expect(body.data.labels).toEqual([...SEVERITIES]);
  expect(body.data.series[0].data).toEqual(counts);
  expect(body.data.total).toBe(counts.reduce((sum, count) => sum + count, 0));
  expect(body.data.kev).toBe(expected.filter((of) => of.kev).length);
  const chart = await server.call('GET', `/findings_chart?${query}`, { as: 'admin' });
  expect(chart.body.data.total).toBe(body.data.total);
  expect(chart.body.data.series.map((one: { data: number[] }) => one.data.at(-1))).toEqual(counts);
  const { findings_with_remediation: withPlan, findings_without_remediation: without } = chart.body.data;
  expect(withPlan + without).toBe(expected.length);
  expect(chart.body.data.findings_with_ready_remediate).toBe(expected.filter((of) => of.status === 'ready').length);
});

test('the chart shows each day what was there at its end', async () => {
  const { owner } = server.scene;
  const { clientId } = server.users;
  // as if all had come ten days ago, and the high ones been closed three days ago
  for (const query of [
    'update aggregate_changes set day = day - 10 where client_id = $1',
    `update aggregate_days set day = day - 10 where client_id = $1 and field = 'changed'`,
    `insert into aggregate_changes (client_id, day, source, disposition, delta) select d.client_id, d.day + 7, d.source, d.disposition, -d.delta
     from aggregate_changes d join aggregate_sources k using (client_id, source)
     where d.client_id = $1 and k.severity = 2`,
    `insert into aggregate_days select client_id, field, day + 7, severity, type, disposition, -count
     from aggregate_days where client_id = $1 and field = 'changed' and severity = 2`,
  ])
    await owner.query(query, [clientId]);
  const [, high = 0, medium = 0] = bySeverity(known.findings);
  const named = (body: { data: { series: { name: string; data: number[] }[] } }, name: string) =>
    body.data.series.find((one) => one.name === name)?.data ?? [];
  const tools = 'filters[tool]=opengrep,grype,trivy';
  const ends: unknown[] = [];
  for (const filters of ['', tools]) {
    const { body } = await server.call('GET', `/findings_chart?period=30d&${filters}`, { as: 'admin' });
    expect(named(body, 'high').slice(0, 19)).toEqual(Array(19).fill(0));
    expect(named(body, 'high').slice(19)).toEqual(Array(11).fill(high));
    expect(named(body, 'medium')[25]! - named(body, 'medium')[27]!).toBe(medium);
    expect(body.data.dates).toHaveLength(30);
    for (const period of ['30d', '12w', '12m']) {
      const { data } = (await server.call('GET', `/findings_chart?period=${period}&${filters}`, { as: 'admin' })).body;
      ends.push(data.series.map((one: { data: number[] }) => one.data.at(-1)));
    }
  }
  for (const end of ends) expect(end).toEqual(bySeverity(known.findings));
});

test('a developer counts only what is theirs', async () => {
  const viewer = { clientId: server.users.clientId, userId: server.users.developer.id, seesAll: false };
  const mine = known.findings.filter((finding) => isVisible(finding, viewer, known.repositories));
  const { body } = await server.call('GET', '/total_findings_chart', { as: 'developer' });
  expect(body.data.total).toBe(mine.length);
  expect(body.data.repositories).toBe(1);
  const chart = await server.call('GET', '/findings_chart', { as: 'developer' });
  expect(chart.body.data.total).toBe(mine.length);
});

test('under a filter by repository or tag the figures on top are of those repositories', async () => {
  const [one, other] = known.repositories;
  await server.scene.owner.query('update repositories set tags = $2 where id = $1', [one?.id, ['web, public']]);
  const figures = async (filter: string) =>
    (await server.call('GET', `/total_findings_chart?${filter}`, { as: 'admin' })).body.data;
  const of = (id: string | undefined) => known.findings.filter(({ repository_id }) => repository_id === id).length;
  const tagged = await figures('filters[repository_tag][]=web, public');
  expect([tagged.repositories, tagged.total]).toEqual([1, of(one?.id)]);
  const chosen = await figures(`filters[repository]=${other?.id}`);
  expect([chosen.repositories, chosen.total]).toEqual([1, of(other?.id)]);
  expect((await figures('filters[repository_tag][]=nothing')).repositories).toBe(0);
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
    has_pull_request: false,
  });
  const before = await server.call('GET', '/total_findings_chart', { as: 'admin' });
  expect(before.body.data).toMatchObject({ has_data: true, has_verdict: false, repositories: 4 });
  const id = known.findings.find((finding) => tests['verdict'] !== undefined && finding.verdict === 'none')?.id;
  await server.call('PUT', `/findings/${id}/toggle_false_positive`, { as: 'admin', body: {} });
  const after = await server.call('GET', '/total_findings_chart', { as: 'admin' });
  expect(after.body.data).toMatchObject({ has_verdict: true, has_pull_request: false });
  await server.scene.owner.query(
    `insert into remediations (client_id, finding_id, repository_id, branch, title, number)
     select f.client_id, f.id, f.repository_id, 'main', 'A fix', 7 from findings f where f.id = $1`,
    [id],
  );
  const opened = await server.call('GET', '/total_findings_chart', { as: 'admin' });
  expect(opened.body.data.has_pull_request).toBe(true);
});
