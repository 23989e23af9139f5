import { randomUUID } from 'node:crypto';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { sumOfPoints } from '../../../prioritisation/model/settings/priority-settings.ts';
import { insertRandomFindings, type KnownFinding } from '../../../testing/random-findings.ts';
import { expireVerdicts } from './expire-verdicts.ts';

let server: TestServer;
let other: TestUsers;
let findings: KnownFinding[];
let theirs: KnownFinding[];
let ours: string[];

beforeAll(async () => {
  server = await startTestServer({ isWorking: true });
  const { users, scene } = server;
  other = await createUsers(scene.database, 'Other');
  const fill = async (of: TestUsers, count: number, start: number) =>
    (await insertRandomFindings(scene.owner, { clientId: of.clientId, users: [of.cyberoper.id], count, start }))
      .findings;
  findings = await fill(users, 300, 5);
  theirs = await fill(other, 10, 6);
  ours = [];
});
afterAll(() => server.close());

let id: string;
beforeEach(() => {
  const next = findings.find(
    (one) => one.verdict === 'none' && one.status === 'enriched' && !one.is_duplicate && !one.is_subfinding,
  );
  if (next === undefined) throw new Error('No finding is left');
  id = next.id;
  findings.splice(findings.indexOf(next), 1);
  ours.push(id);
});

type As = 'admin' | 'cyberoper' | 'developer' | 'superadmin';
const put = (path: string, body: unknown, as: As = 'cyberoper') => server.call('PUT', path, { as, body });
const post = (path: string, body: unknown, as: As = 'cyberoper') => server.call('POST', path, { as, body });
const detail = async (of = id) => (await server.call('GET', `/findings/${of}`, { as: 'admin' })).body.data.attributes;
const history = async (of = id) =>
  (await server.call('GET', `/findings/${of}/history`, { as: 'admin' })).body.data.map(
    (item: { attributes: Record<string, unknown> }) => item.attributes,
  );
const total = async (query = '', as: As = 'admin') =>
  (await server.call('GET', `/findings?pagination[pageSize]=1${query}`, { as })).body.meta.pagination.total;
const undo = (change_id: string, finding_id?: string) => post('/findings/undo', { change_id, finding_id });
/** The counts of the rollups against the rows. */
const expectExactCounts = async () => {
  const { rows } = await server.scene.owner.query(`
    select (select jsonb_object_agg(cell::text, n) from (select cell, count(*) n from findings group by 1) r) as rows,
      (select jsonb_object_agg(cell::text, n) from (select cell, sum(count)::bigint n from aggregate_cells group by 1 having sum(count) <> 0) c) as counts`);
  expect(rows[0].counts).toEqual(rows[0].rows);
};

test('each verdict keeps who, when and why, and is undone to what stood before', async () => {
  const until = new Date(Date.now() + 86_400_000).toISOString();
  const steps = [
    { value: 'valid' },
    { value: 'false_positive', reason: 'A test file' },
    { value: 'accepted_risk', reason: 'Behind the VPN', expires_at: until },
    { value: 'duplicate' },
    { value: 'mitigated_externally', reason: 'WAF' },
    { value: 'none' },
  ];
  const changes: string[] = [];
  const seen = [await detail()];
  for (const verdict of steps) {
    const { status, body } = await put(`/findings/${id}`, { verdict });
    expect(status, verdict.value).toBe(200);
    expect(body.data.attributes).toMatchObject({
      verdict: verdict.value,
      verdict_reason: verdict.reason ?? null,
      verdict_expires_at: verdict.expires_at ?? null,
    });
    changes.push(body.meta.change_id);
    seen.push(await detail());
  }
  expect((await history())[0]).toMatchObject({
    kind: 'verdict',
    from: 'mitigated_externally',
    to: 'none',
    can_undo: true,
  });
  expect((await history())[0].actor).toBe(server.users.cyberoper.username);
  // only the newest of a kind can be taken back
  const early = await undo(changes[1] ?? '');
  expect(early.body.data).toMatchObject({ done: 0, refused: [{ _id: id }], change_id: null });
  // each step back, the last first: what undo wrote is undone in turn
  let last = changes.at(-1) ?? '';
  for (const _ of [1]) {
    const { body } = await undo(last);
    expect(body.data).toMatchObject({ done: 1, refused: [] });
    last = body.data.change_id;
  }
  expect(await detail()).toEqual(seen.at(-2));
  const again = await undo(last);
  expect(again.body.data.done).toBe(1);
  expect(await detail()).toEqual(seen.at(-1));
  await expectExactCounts();
});

test('what cannot be meant is refused beside its field, and nothing is written', async () => {
  const before = await history();
  const issues: [object, string][] = [
    [{ verdict: { value: 'accepted_risk' } }, 'reason'],
    [{ verdict: { value: 'accepted_risk', reason: '  ' } }, 'reason'],
    [{ verdict: { value: 'accepted_risk', reason: 'x', expires_at: '2020-01-01T00:00:00Z' } }, 'expires_at'],
    [{ verdict: { value: 'valid', expires_at: '2099-01-01T00:00:00Z' } }, 'expires_at'],
    [{ verdict: { value: 'nonsense' } }, 'value'],
    [{ issue_owner: other.admin.id }, 'issue_owner'],
    [{ developer_ids: [randomUUID()] }, 'developer_ids'],
    [{ status: 'closed' }, 'status'],
    [{ severity: 5 }, 'severity'],
    [{ tags: 'x' }, 'tags'],
    [{ unknown: 1 }, 'unknown'],
    [{}, 'body'],
  ];
  for (const [body, field] of issues) {
    const answer = await put(`/findings/${id}`, body);
    expect(answer.status, JSON.stringify(body)).toBe(422);
    expect(answer.body.detail[0].loc.at(-1), JSON.stringify(answer.body)).toBe(field);
  }
  const wrong = await put(`/findings/${id}`, { status: 'pr_accepted' });
  expect(wrong).toMatchObject({ status: 409, body: { code: 'conflict' } });
  expect(wrong.body.detail).toContain('Fix merged');
  for (const unknown of [theirs[0]?.id ?? '', randomUUID()]) {
    expect((await put(`/findings/${unknown}`, { status: 'ready' })).status).toBe(404);
    expect((await undo(unknown)).status).toBe(404);
  }
  for (const as of ['developer', 'superadmin'] as const) {
    expect((await put(`/findings/${id}`, { verdict: { value: 'valid' } }, as)).status).toBe(403);
    expect((await put('/findings/bulk', { ids: [id], change: { status: 'ready' } }, as)).status).toBe(403);
    expect((await post('/findings/undo', { change_id: id }, as)).status).toBe(403);
    expect((await post(`/finding-send/${id}`, { developer_ids: [server.users.developer.id] }, as)).status).toBe(403);
  }
  expect(await history()).toEqual(before);
});

test('a false positive taken back is the accepted risk of before, with its reason and date; each answer is the finding as it is now', async () => {
  const risk = { value: 'accepted_risk', reason: 'Behind a firewall', expires_at: '2030-05-01T00:00:00.000Z' };
  await put(`/findings/${id}`, { verdict: risk });
  const accepted = await detail();
  expect(accepted).toMatchObject({ verdict: 'accepted_risk', verdict_reason: risk.reason });
  const toggle = async () => (await put(`/findings/${id}/toggle_false_positive`, {})).body;
  const marked = await toggle();
  expect(marked.data.attributes).toMatchObject({ verdict: 'false_positive', verdict_expires_at: null });
  expect(marked.data.attributes).toEqual(await detail());
  // said again with a reason: what stood before is still the accepted risk
  await put(`/findings/${id}`, { verdict: { value: 'false_positive', reason: 'A test file' } });
  const back = await toggle();
  expect(back.data.attributes).toEqual(accepted);
  // two people who both mark it do not take it back from each other
  const mark = async () => (await put(`/findings/${id}/toggle_false_positive`, { is_false_positive: true })).body;
  const first = await mark();
  expect((await mark()).data.attributes).toEqual(first.data.attributes);
  expect((await toggle()).data.attributes).toEqual(accepted);
  // the same by undo, of one finding and of many at once
  const again = await toggle();
  const undone = await undo(again.meta.change_id);
  expect(undone.body.data).toMatchObject({ done: 1, refused: [], finding: { _id: id, attributes: accepted } });
  const bulk = await put('/findings/bulk', { ids: [id, ours[0]], change: { verdict: { value: 'false_positive' } } });
  expect((await undo(bulk.body.data.change_id)).body.data).not.toHaveProperty('finding');
  expect(await detail()).toEqual(accepted);
  // what was valid in between is no longer the risk of before
  await put(`/findings/${id}`, { verdict: { value: 'valid' } });
  await toggle();
  expect((await toggle()).data.attributes).toMatchObject({ verdict: 'valid', verdict_expires_at: null });
  await expectExactCounts();
});

test('a severity of a person scores the finding anew; taken back, the report’s own counts again', async () => {
  const first = await detail();
  const { body } = await put(`/findings/${id}`, { severity: first.severity === 'critical' ? 'low' : 'critical' });
  const { severity, priority, priority_parts, reported_severity } = body.data.attributes;
  expect(reported_severity).toBe(first.severity);
  expect(sumOfPoints(priority_parts.map((part: { points: number }) => part.points))).toBe(priority);
  expect(priority_parts[0]).toMatchObject({ key: 'severity', reason: `Severity ${severity}` });
  await undo(body.meta.change_id);
  expect(await detail()).toMatchObject({
    severity: first.severity,
    severity_numerical: first.severity_numerical,
    reported_severity: null,
  });
  await expectExactCounts();
});

test('status, owner, tags and notes in one change; one click takes all of it back', async () => {
  const before = await detail();
  const change = {
    status: 'ready',
    issue_owner: server.users.developer.id,
    tags: [' b ', 'a', 'b'],
    notes: 'Look\0 here',
  };
  const { body } = await put(`/findings/${id}`, change, 'admin');
  expect(body.data.attributes).toMatchObject({ status: 'ready', tags: ['b', 'a'], notes: 'Look here' });
  expect(body.data.attributes.people).toContainEqual({
    _id: server.users.developer.id,
    username: server.users.developer.username,
  });
  expect((await history()).find((event: { kind: string }) => event.kind === 'owner')).toMatchObject({
    to: server.users.developer.username,
  });
  expect((await put(`/findings/${id}`, change, 'admin')).body.meta.change_id).toBeNull();
  expect((await undo(body.meta.change_id)).body.data).toMatchObject({ done: 1, refused: [] });
  expect(await detail()).toEqual(before);
  // closed by hand and back
  expect((await put(`/findings/${id}`, { status: 'mitigated' })).status).toBe(200);
  expect((await put(`/findings/${id}`, { status: 'enriched' })).status).toBe(409);
  expect((await put(`/findings/${id}`, { status: 'reopened' })).status).toBe(200);
});

test('bulk by ids: one change, exact counts, refusals by name; undo leaves what was changed since', async () => {
  const ids = findings.splice(0, 40).map((one) => one.id);
  const change = { verdict: { value: 'false_positive', reason: 'All in tests' } };
  const wrong = [randomUUID(), theirs[0]?.id ?? ''];
  const { status, body } = await put('/findings/bulk', { ids: [...ids, ...ids, ...wrong], change });
  expect(status).toBe(200);
  expect(body.data).toMatchObject({ done: 40 });
  expect(body.data.refused.map((one: { _id: string }) => one._id).sort()).toEqual([...wrong].sort());
  expect(body.data.refused[0].why).toContain('does not exist');
  const [kept = ''] = ids;
  await put(`/findings/${kept}`, { verdict: { value: 'valid' } });
  const undone = await undo(body.data.change_id);
  expect(undone.body.data.refused).toEqual([{ _id: kept, why: expect.stringContaining('changed again since') }]);
  expect((await detail(kept)).verdict).toBe('valid');
  await expectExactCounts();
  for (const bad of [
    { change },
    { ids, filters: {}, change },
    { ids: [], change },
    { ids: ['x'], change },
    { ids, change: {} },
  ]) {
    expect((await put('/findings/bulk', bad)).status, JSON.stringify(bad).slice(0, 60)).toBe(422);
  }
});

test('bulk by filter means exactly what the list shows', async () => {
  const query = '&filters[tool]=grype&filters[severity]=high,low&filters[false_positive]=hide';
  const shown = await total(query);
  const filters = { tool: ['grype'], severity: ['high', 'low'], false_positive: 'hide' };
  const { body } = await put('/findings/bulk', { filters, change: { verdict: { value: 'false_positive' } } });
  expect(body.data).toMatchObject({ done: shown, refused: [] });
  expect(shown).toBeGreaterThan(5);
  expect(await total(query)).toBe(0);
  await undo(body.data.change_id);
  expect(await total(query)).toBe(shown);
  await expectExactCounts();
});

test('an accepted risk ends on its day; what the clock did is in the history', async () => {
  const reason = 'Until the release';
  await put(`/findings/${id}`, {
    verdict: { value: 'accepted_risk', reason, expires_at: new Date(Date.now() + 3_600_000).toISOString() },
  });
  expect(await expireVerdicts(server.scene.database)).toBe(0);
  await server.scene.owner.query(`update findings set verdict_expires_at = now() - interval '1 second' where id = $1`, [
    id,
  ]);
  const counts = await Promise.all([expireVerdicts(server.scene.database), expireVerdicts(server.scene.database)]);
  expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  expect(await detail()).toMatchObject({ verdict: 'none', verdict_expires_at: null, verdict_reason: null });
  const [event] = await history();
  expect(event).toMatchObject({
    actor: null,
    from: 'accepted_risk',
    to: 'none',
    reason: 'The acceptance has expired',
    can_undo: false,
  });
});

test('what was sent to a developer is theirs: list, counts, page and notice', async () => {
  const { developer } = server.users;
  // they were told before of what they own
  await server.scene.owner.query('delete from notifications where user_id = $1', [developer.id]);
  const before = await total('', 'developer');
  const nobody = randomUUID();
  expect((await server.call('GET', `/findings/${id}`, { as: 'developer' })).status).toBe(404);
  const one = await post(`/finding-send/${id}`, { developer_ids: [developer.id, nobody, other.developer.id] });
  expect(one.body).toMatchObject({ success: true, data: { sent: 1 } });
  expect(one.body.data.refused.map((of: { _id: string }) => of._id)).toEqual([nobody, other.developer.id]);
  expect((await server.call('GET', `/findings/${id}`, { as: 'developer' })).status).toBe(200);
  expect(await total('', 'developer')).toBe(before + 1);
  const more = findings
    .filter((of) => of.developers === null && of.issue_owner === null)
    .slice(0, 5)
    .map((of) => of.id);
  const many = await post('/finding-send-bulk', {
    finding_ids: [...more, theirs[1]?.id],
    developer_ids: [developer.id],
  });
  expect(many.body.data).toMatchObject({ sent: 5, refused: [{ _id: theirs[1]?.id }] });
  expect(await total('', 'developer')).toBe(before + 6);
  const notices = await server.scene.owner.query(
    `select title, link from notifications where user_id = $1 and notification_type = 'finding_assigned' order by id`,
    [developer.id],
  );
  expect(notices.rows).toEqual([
    { title: 'A finding was assigned to you', link: `/findings/all/finding-details/${id}` },
    { title: '5 findings were assigned to you', link: '/findings' },
  ]);
  await undo(many.body.data.change_id);
  expect(await total('', 'developer')).toBe(before + 1);
  expect((await post(`/finding-send/${theirs[0]?.id}`, { developer_ids: [developer.id] })).status).toBe(404);
  await expectExactCounts();
});

test('a developer proposes, somebody else decides', async () => {
  expect((await post(`/findings/${id}/review`, { verdict: 'false_positive' }, 'developer')).status).toBe(404);
  await post(`/finding-send/${id}`, { developer_ids: [server.users.developer.id] });
  const { clientId } = server.users;
  await server.scene.owner.query(
    `insert into notification_channels (client_id, connector_id, notification_types) values ($1, 'slack', '{review_requested}')`,
    [clientId],
  );
  const asked = await post(`/findings/${id}/review`, { verdict: 'false_positive', reason: 'Dead code' }, 'developer');
  // a channel with a least severity judges the wish by its finding
  const told = await server.scene.owner.query('select severity from channel_messages where client_id = $1', [clientId]);
  expect(told.rows).toEqual([{ severity: asked.body.data.attributes.severity }]);
  expect(asked.body.data.attributes).toMatchObject({
    verdict: 'none',
    review_requested: true,
    review_requested_by_id: server.users.developer.id,
    proposed_verdict: 'false_positive',
    proposed_reason: 'Dead code',
  });
  const notices = await server.scene.owner.query(
    `select u.role, n.message from notifications n join users u on u.id = n.user_id where notification_type = 'review_requested'`,
  );
  expect(notices.rows.map((row) => row.role).sort()).toEqual(['admin', 'cyberoper']);
  expect(notices.rows[0].message).toContain('False positive');
  await put(`/findings/${id}`, { verdict: { value: 'false_positive', reason: 'Dead code' } });
  expect(await detail()).toMatchObject({ verdict: 'false_positive', review_requested: false, proposed_verdict: null });
  const declined = await server.call('DELETE', `/findings/${id}/review`, { as: 'admin' });
  expect(declined).toMatchObject({ status: 409, body: { code: 'conflict' } });
  await post(`/findings/${id}/review`, {}, 'admin');
  expect((await server.call('DELETE', `/findings/${id}/review`, { as: 'developer' })).status).toBe(403);
  expect((await server.call('DELETE', `/findings/${id}/review`, { as: 'cyberoper' })).status).toBe(200);
});

test('two decide at once: both are written, the later one stands', async () => {
  const verdicts = ['valid', 'false_positive', 'mitigated_externally', 'duplicate'];
  const ofVerdicts = async () => (await history()).filter((event: { kind: string }) => event.kind === 'verdict');
  // a bulk act of another test may have been about this finding too
  const earlier = (await ofVerdicts()).length;
  const answers = await Promise.all(verdicts.map((value) => put(`/findings/${id}`, { verdict: { value } })));
  expect(answers.map((answer) => answer.status)).toEqual([200, 200, 200, 200]);
  const all = await ofVerdicts();
  expect(all).toHaveLength(earlier + 4);
  const events = all.slice(0, 4);
  expect(events[0].to).toBe((await detail()).verdict);
  expect(events.map((event: { to: string }) => event.to).sort()).toEqual([...verdicts].sort());
  await expectExactCounts();
});

test('a verdict that was carried over by position alone is confirmed or taken back in one act, found by its filter, and undone', async () => {
  const carry = () => server.scene.owner.query('update findings set needs_confirmation = true where id = $1', [id]);
  const waits = () =>
    total(`&filters[needs_confirmation]=only&filters[repository]=${repository}&filters[false_positive]=only`);
  const { repository_id: repository } = await detail();
  await put(`/findings/${id}`, { verdict: { value: 'false_positive', reason: 'A test file' } });
  expect(await detail()).toMatchObject({ verdict: 'false_positive', needs_confirmation: false });
  const others = await waits();
  await carry();
  expect(await waits()).toBe(others + 1);
  // who may not decide on verdicts may not confirm one
  expect((await put(`/findings/${id}`, { verdict_confirmed: true }, 'developer')).status).toBe(403);
  const confirmed = await put(`/findings/${id}`, { verdict_confirmed: true });
  const stands = { verdict: 'false_positive', verdict_reason: 'A test file' };
  expect(confirmed.body.data.attributes).toMatchObject({ ...stands, needs_confirmation: false });
  expect((await history())[0]).toMatchObject({
    ...{ kind: 'verdict', from: 'false_positive', to: 'false_positive', can_undo: true },
    ...{ actor: server.users.cyberoper.username, reason: 'Confirmed after it was carried over' },
  });
  expect(await waits()).toBe(others);
  await undo(confirmed.body.meta.change_id);
  expect(await detail()).toMatchObject({ ...stands, needs_confirmation: true });
  const takenBack = await put(`/findings/${id}`, { verdict_confirmed: false });
  expect(takenBack.body.data.attributes).toMatchObject({
    ...{ verdict: 'none', verdict_reason: null, needs_confirmation: false },
  });
  await undo(takenBack.body.meta.change_id);
  expect(await detail()).toMatchObject({ ...stands, needs_confirmation: true });
  // another verdict, or the same said again, is a word of its own
  await put(`/findings/${id}`, { verdict: { value: 'false_positive' } });
  expect(await detail()).toMatchObject({ verdict: 'false_positive', needs_confirmation: false });
  // of what nobody has to confirm the word changes nothing
  const idle = await put(`/findings/${id}`, { verdict_confirmed: false });
  expect(idle.body.meta.change_id).toBeNull();
  expect(await detail()).toMatchObject({ verdict: 'false_positive', needs_confirmation: false });
  await carry();
  expect((await put('/findings/bulk', { ids: [id], change: { verdict_confirmed: true } })).body.data.done).toBe(1);
  expect(await detail()).toMatchObject({ ...stands, verdict_reason: null, needs_confirmation: false });
  await expectExactCounts();
});
