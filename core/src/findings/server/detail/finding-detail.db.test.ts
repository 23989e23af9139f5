import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertRandomFindings, type KnownFinding } from '../../../testing/random-findings.ts';
import { ROW_KEYS } from '../../model/column-catalogue.ts';

let server: TestServer;
let other: TestUsers;
let findings: KnownFinding[];
let theirs: KnownFinding[];

beforeAll(async () => {
  server = await startTestServer();
  other = await createUsers(server.scene.database, 'Other');
  const { users, scene } = server;
  const made = await insertRandomFindings(scene.owner, {
    clientId: users.clientId,
    users: [users.developer.id],
    count: 150,
    start: 3,
  });
  findings = made.findings;
  theirs = (
    await insertRandomFindings(scene.owner, {
      clientId: other.clientId,
      users: [other.developer.id],
      count: 20,
      start: 4,
    })
  ).findings;
});
afterAll(() => server.close());

let finding: KnownFinding;
beforeEach(() => {
  const next = findings.find((one) => one.verdict === 'none' && one.issue_owner === null);
  if (next === undefined) throw new Error('No finding is left');
  finding = next;
  findings.splice(findings.indexOf(next), 1);
});

const detail = (id: string, as: 'admin' | 'developer' = 'admin') => server.call('GET', `/findings/${id}`, { as });
const toggle = (id: string, as: 'admin' | 'cyberoper' | 'developer' = 'admin', reason?: string) =>
  server.call('PUT', `/findings/${id}/toggle_false_positive`, { as, body: reason === undefined ? {} : { reason } });
const history = async (id: string) => (await server.call('GET', `/findings/${id}/history`, { as: 'admin' })).body.data;

test('the resource of a finding is on its page, and a filter finds it, however long it is', async () => {
  const [long] = findings.filter(({ resource }) => resource !== null && resource.length > 500);
  if (long?.resource == null) throw new Error('No finding has a long resource');
  expect((await detail(long.id)).body.data.attributes.resource).toBe(long.resource);
  const found = await server.call('GET', `/findings?filters[resource]=${encodeURIComponent(long.resource)}`, {
    as: 'admin',
  });
  expect(found.status).toBe(200);
  const ids = found.body.data.map(({ _id }: { _id: string }) => _id);
  expect(ids).toContain(long.id);
  expect(findings.filter(({ id }) => ids.includes(id)).every(({ resource }) => resource === long.resource)).toBe(true);
});

test('the page of a finding has its text, code, signals and score', async () => {
  const { owner } = server.scene;
  await owner.query(
    `update finding_details set description = 'What', mitigation = 'How', code = $2, reference_urls = '{https://a.example/}',
       locations = '[{"path":"a.go","startLine":3},{"path":"b.go","snippet":"x"}]', code_flows = '[[{"path":"a.go","startLine":1,"message":"in"}]]',
       priority_parts = '[{"key":"severity","points":30,"of":40,"reason":"high"}]' where finding_id = $1`,
    [finding.id, 'línea "1"\n'],
  );
  await owner.query(
    'insert into finding_locations (client_id, finding_id, start_line) select client_id, id, 7 from findings where id = $1',
    [finding.id],
  );
  const definition = await owner.query('select definition_id from findings where id = $1', [finding.id]);
  await owner.query(
    `update finding_definitions set cve = 'CVE-2023-44487', cwe = '{79,999999}', owasp_2025 = 'A05:2025', owasp_2021 = 'A03:2021', kev_added = '2023-10-10' where id = $1`,
    [definition.rows[0].definition_id],
  );
  await owner.query('update findings set kev = true where id = $1', [finding.id]);
  const { status, body } = await detail(finding.id);
  expect(status).toBe(200);
  const { attributes } = body.data;
  expect(Buffer.from(attributes.scanner_report_code, 'base64').toString()).toBe('línea "1"\n');
  expect(attributes.code).toBe('línea "1"\n');
  expect(attributes).toMatchObject({
    description: 'What',
    mitigation: 'How',
    code_start_line: 7,
    references: ['https://a.example/'],
    cwe_names: [{ id: 79, name: expect.stringContaining('Cross-site Scripting') }],
    owasp: 'A05:2025',
    owasp_2021: 'A03:2021',
    kev: true,
    kev_date_added: '2023-10-10',
    kev_due_date: '2023-10-31',
    kev_ransomware: expect.any(Boolean),
    priority_parts: [{ key: 'severity', points: 30, of: 40, reason: 'high' }],
  });
  expect(attributes.locations).toEqual([
    { path: 'a.go', start_line: 3, end_line: null, snippet: null, message: null },
    { path: 'b.go', start_line: null, end_line: null, snippet: 'x', message: null },
  ]);
  expect(attributes.code_flows[0][0].message).toBe('in');
});

test('what the tool does not say is estimated, and says so', async () => {
  const { owner } = server.scene;
  const write = async (values: { mitigation: string | null; policy: string | null; vector: string | null }) => {
    await owner.query(
      'update finding_details set mitigation = $2, policy = $3, cvss_vector = $4 where finding_id = $1',
      [finding.id, values.mitigation, values.policy, values.vector],
    );
    return (await detail(finding.id)).body.data.attributes;
  };
  await owner.query('update findings set effort_for_fixing = null');
  await owner.query(
    `update findings set type = 'SAST', effort_for_fixing = 25, exploitability = 80, impact = 75, language = 'go', is_language_estimated = true where id = $1`,
    [finding.id],
  );
  await owner.query(
    `update finding_definitions set cwe = '{89}', owasp_2025 = 'A05:2025', component = null where id = (select definition_id from findings where id = $1)`,
    [finding.id],
  );
  expect(await write({ mitigation: null, policy: null, vector: null })).toMatchObject({
    effort_for_fixing: 25,
    exploitability: 80,
    impact: 75,
    language: 'go',
    mitigation: expect.stringMatching(/^Estimate.*parameters of the query/),
    policy_name: 'OWASP Top 10 2025',
    policy_category: 'Injection',
    policy_control: 'A05:2025',
    estimated: [
      'effort_for_fixing',
      'exploitability',
      'impact',
      'mitigation',
      'language',
      'policy_name',
      'policy_category',
      'policy_control',
    ],
  });
  const vector = 'CVSS:3.1/AV:N/AC:L/PR:N/UI:N/S:U/C:H/I:H/A:H';
  expect(await write({ mitigation: 'Update', policy: '{"name":"CIS"}', vector })).toMatchObject({
    mitigation: 'Update',
    policy_name: 'CIS',
    policy_category: null,
    estimated: ['effort_for_fixing', 'exploitability', 'language'],
  });
  const list = async (query: string): Promise<number> =>
    (await server.call('GET', `/findings?${query}`, { as: 'admin' })).body.meta.pagination.total;
  expect(await list('filters[fixing_effort_gt]=25&filters[fixing_effort_lt]=25')).toBe(1);
  expect(await list('filters[fixing_effort_gt]=26')).toBe(0);
  expect(await list('filters[fixing_effort_lt]=24')).toBe(0);
});

test('results that say the same are named from both sides', async () => {
  const [first, second] = findings;
  if (first === undefined || second === undefined) throw new Error('Too few findings');
  await server.scene.owner.query('update findings set is_duplicate = true, duplicate_of = $2 where id = $1', [
    first.id,
    finding.id,
  ]);
  await server.scene.owner.query('update findings set is_subfinding = true, parent = $2 where id = $1', [
    second.id,
    finding.id,
  ]);
  const relations = async (id: string) =>
    (await detail(id)).body.data.attributes.occurrences.map((one: { _id: string; relation: string }) => [
      one._id,
      one.relation,
    ]);
  expect(await relations(finding.id)).toEqual([
    [first.id, 'duplicate'],
    [second.id, 'subfinding'],
  ]);
  expect(await relations(first.id)).toEqual([[finding.id, 'original']]);
  for (const id of [finding.id, first.id]) {
    const [one] = (await detail(id)).body.data.attributes.occurrences;
    expect(one).toMatchObject({ certainty: 'certain', reasons: expect.any(Array), reason: expect.any(String) });
    expect(one.reasons.length).toBeGreaterThan(0);
  }
  expect(await relations(second.id)).toEqual([[finding.id, 'parent']]);
  expect((await toggle(finding.id)).status).toBe(200);
  const shown = await server.call('GET', '/findings?filters[is_duplicate]=hide&pagination[pageSize]=200', {
    as: 'admin',
  });
  expect(shown.body.data.some((row: { _id: string }) => row._id === first.id)).toBe(false);
});

test('false positive, with a reason, and back; the history says who and why', async () => {
  const marked = await toggle(finding.id, 'cyberoper', ' Only in a test ');
  expect(marked.body.data.attributes).toMatchObject({
    verdict: 'false_positive',
    false_positive: true,
    verdict_reason: 'Only in a test',
  });
  const back = await toggle(finding.id);
  expect(back.body.data.attributes).toMatchObject({ verdict: 'none', false_positive: false, verdict_reason: null });
  const events = await history(finding.id);
  expect(events.map(({ attributes }: { attributes: Record<string, unknown> }) => attributes)).toMatchObject([
    { kind: 'verdict', from: 'false_positive', to: 'none', actor: server.users.admin.username },
    {
      kind: 'verdict',
      from: 'none',
      to: 'false_positive',
      actor: server.users.cyberoper.username,
      reason: 'Only in a test',
    },
    { kind: 'first_seen', actor: null, from: null, scan_id: finding.id },
  ]);
});

test('turning it off restores what stood before', async () => {
  await server.scene.owner.query(
    `update findings set verdict = 'accepted_risk', verdict_expires_at = now() where id = $1`,
    [finding.id],
  );
  await toggle(finding.id);
  const { body } = await toggle(finding.id);
  expect(body.data.attributes.verdict).toBe('accepted_risk');
});

test('two at once are two turns of the switch', async () => {
  const answers = await Promise.all(Array.from({ length: 6 }, () => toggle(finding.id)));
  expect(answers.map((answer) => answer.status)).toEqual(Array(6).fill(200));
  expect((await detail(finding.id)).body.data.attributes.verdict).toBe('none');
  expect(await history(finding.id)).toHaveLength(7);
});

test('the count of the list follows at once', async () => {
  const total = async () =>
    (await server.call('GET', '/findings?filters[false_positive]=only&pagination[pageSize]=1', { as: 'admin' })).body
      .meta.pagination.total;
  const before = await total();
  await toggle(finding.id);
  expect(await total()).toBe(before + 1);
});

test('another organisation and an unknown id are not found, nothing is written', async () => {
  const foreign = theirs[0]?.id ?? '';
  for (const id of [foreign, '00000000-0000-4000-8000-000000000000']) {
    for (const answer of [
      await detail(id),
      await toggle(id),
      await server.call('GET', `/findings/${id}/history`, { as: 'admin' }),
    ]) {
      expect([answer.status, answer.body.code, answer.body.detail]).toEqual([
        404,
        'finding_not_found',
        'Finding data not found',
      ]);
    }
  }
  const events = await server.scene.owner.query('select 1 from finding_events where finding_id = $1', [foreign]);
  expect(events.rowCount).toBe(0);
});

test('a developer sees what is theirs and turns no switch', async () => {
  const list = await server.call('GET', '/findings?pagination=false', { as: 'developer' });
  const seen = new Set(list.body.data.map((row: { _id: string }) => row._id));
  expect(seen.size).toBe(list.body.meta.pagination.total);
  expect(seen.size).toBeGreaterThan(0);
  const hidden = findings.find((one) => !seen.has(one.id));
  const mine = findings.find((one) => seen.has(one.id));
  expect((await detail(hidden?.id ?? '', 'developer')).status).toBe(404);
  expect((await detail(mine?.id ?? '', 'developer')).status).toBe(200);
  expect((await toggle(mine?.id ?? '', 'developer')).status).toBe(403);
  const facets = await server.call('GET', '/filter/findings?filter_key=tool', { as: 'developer' });
  const sum = facets.body.data.tool.reduce((total: number, option: { count: number }) => total + option.count, 0);
  expect(sum).toBe(seen.size);
});

test('unknown filters, orders and facets are refused', async () => {
  for (const query of [
    'filters[client_id]=x',
    'sort_field=client_id',
    'sort=up',
    'filters[severity]=huge',
    'pagination[pageSize]=201',
  ]) {
    expect((await server.call('GET', `/findings?${query}`, { as: 'admin' })).status).toBe(422);
  }
  expect((await server.call('GET', '/filter/findings?filter_key=password', { as: 'admin' })).status).toBe(422);
  expect((await server.call('GET', `/findings?search=${'x'.repeat(10_000)}`, { as: 'admin' })).status).toBe(422);
});

test('the wire: `fields` leaves every other attribute out, without it rows are whole', async () => {
  const keysOf = async (query: string): Promise<string[]> => {
    const { status, body } = await server.call('GET', `/findings?${query}`, { as: 'admin' });
    expect([query, status]).toEqual([query, 200]);
    return Object.keys(body.data[0].attributes).sort();
  };
  expect(await keysOf('fields=severity')).toEqual(['severity']);
  expect(await keysOf('fields=title,repository_id,code,cvssv3_vector')).toEqual(
    ['title', 'repository_id', 'code', 'cvssv3_vector'].sort(),
  );
  expect(await keysOf('fields=_id')).toEqual([]);
  expect(await keysOf('fields=signals')).toEqual(
    ['kev', 'kev_date_added', 'estimated_epss', 'epss_percentile', 'epss_date', 'package_use'].sort(),
  );
  const whole = [...ROW_KEYS].sort();
  expect(await keysOf('')).toEqual(whole);
  expect(await keysOf('include=code')).toEqual([...whole, 'code'].sort());
  for (const query of ['fields=client_id', 'fields=title,constructor', 'include=title']) {
    expect((await server.call('GET', `/findings?${query}`, { as: 'admin' })).status).toBe(422);
  }
});

test('the wire: rows first, the total with the next call', async () => {
  const ask = async (query: string) => (await server.call('GET', `/findings?${query}`, { as: 'admin' })).body;
  const exact = await ask('filters[priority_gt]=1');
  const later = await ask('filters[priority_gt]=1&total=later');
  expect(later.data).toEqual(exact.data);
  expect([null, exact.meta.pagination.total]).toContain(later.meta.pagination.total);
  const refused = await server.call('GET', '/findings?total=soon', { as: 'admin' });
  expect(refused.status).toBe(422);
});
