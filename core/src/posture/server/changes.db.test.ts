import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRandomFindings, type KnownFinding } from '../../testing/random-findings.ts';
import { BOARD_CARDS } from '../model/board.ts';

let server: TestServer;
let findings: KnownFinding[];

const OPEN = 'filters[status]=enriched,pending_input,ready,pr_submitted,issued,pr_accepted,reopened';

beforeAll(async () => {
  server = await startTestServer();
  const { users, scene } = server;
  ({ findings } = await insertRandomFindings(scene.owner, {
    clientId: users.clientId,
    users: [users.developer.id],
    count: 200,
    start: 9,
  }));
  // thirty were found yesterday, all others are older; ten of the older ones were fixed yesterday, ten a month ago
  const { clientId } = users;
  await scene.owner.query(
    `update findings set first_seen = now() - interval '40 days', closed_at = null where client_id = $1`,
    [clientId],
  );
  const set = (change: string, from: number, to: number) =>
    scene.owner.query(`update findings set ${change} where client_id = $1 and id = any($2::uuid[])`, [
      clientId,
      findings.slice(from, to).map(({ id }) => id),
    ]);
  await set(`first_seen = now() - interval '1 day'`, 0, 30);
  await set(`status = 'mitigated', closed_at = now() - interval '1 day'`, 30, 40);
  await set(`status = 'mitigated', closed_at = now() - interval '30 days'`, 40, 50);
});
afterAll(() => server.close());

const listed = async (filters: Record<string, readonly string[] | string>) => {
  const query = Object.entries(filters).map(([key, value]) => `filters[${key}]=${[value].flat().join(',')}`);
  const { body } = await server.call('GET', `/findings?${query.join('&')}&pagination[pageSize]=1`, { as: 'admin' });
  return body.meta.pagination.total;
};

test('the changes of the week count what the list shows under their filters, and add up to the net', async () => {
  const { body } = await server.call('GET', `/findings_changes?${OPEN}`, { as: 'admin' });
  const { found, fixed, net, other, open } = body.data;
  expect(found.count).toBe(30);
  expect(fixed.count).toBe(10);
  expect(await listed(found.filters)).toBe(30);
  expect(await listed(fixed.filters)).toBe(10);
  for (const { most } of [found, fixed]) expect(await listed(most.filters)).toBe(most.count);
  expect(net).toBe(found.count - fixed.count + other);
  // all were inserted today
  expect(net).toBe(open);
});

test('fixed findings of a span are listed by both of its ends', async () => {
  const day = (ago: number) => new Date(Date.now() - ago * 86_400_000).toISOString().slice(0, 10);
  expect(await listed({ fixed_gt: day(35), fixed_lt: day(20) })).toBe(10);
  expect(await listed({ fixed_lt: day(0) })).toBe(20);
  expect(await listed({ fixed_gt: day(60), status: 'enriched' })).toBe(0);
});

test('owners are counted as the list counts them; nobody is only in the total', async () => {
  const { body } = await server.call('GET', `/findings_by_owner_chart?${OPEN}`, { as: 'admin' });
  const { series, segments, total, labels } = body.data;
  expect(labels).toHaveLength(1);
  let owned = 0;
  for (const [index, { data }] of series.entries()) {
    owned += data[0];
    if (segments[index][0] === null) continue;
    const { status: _status, ...segment } = segments[index][0];
    expect(await listed({ status: OPEN.slice(OPEN.indexOf('=') + 1), ...segment })).toBe(data[0]);
  }
  expect(owned).toBeGreaterThan(0);
  expect(owned).toBeLessThan(total);
});

test('an admin arranges the board for everyone of the organisation and nobody else', async () => {
  const before = await server.call('GET', '/dashboard_board', { as: 'developer' });
  expect(before.body.data).toEqual({ cards: [...BOARD_CARDS], hidden: [] });
  const body = { cards: ['owasp', 'age'], hidden: ['slsa'] };
  const saved = await server.call('PUT', '/dashboard_board', { as: 'admin', body });
  expect(saved.body.data.cards.slice(0, 2)).toEqual(['owasp', 'age']);
  const after = await server.call('GET', '/dashboard_board', { as: 'developer' });
  expect(after.body.data).toEqual(saved.body.data);
  expect((await server.call('PUT', '/dashboard_board', { as: 'developer', body })).status).toBe(403);
  expect(
    (await server.call('PUT', '/dashboard_board', { as: 'admin', body: { cards: ['x'], hidden: [] } })).status,
  ).toBe(422);
  const other = await createUsers(server.scene.database, 'Other');
  const theirs = await server.call('GET', '/dashboard_board', { as: { token: other.admin.token } });
  expect(theirs.body.data.cards).toEqual([...BOARD_CARDS]);
});

test('what is overdue follows the days of the organisation and the day that they count from, as the list says it', async () => {
  const chart = async () => (await server.call('GET', `/overdue_chart?${OPEN}`, { as: 'admin' })).body.data;
  const overdue = async () => (await chart()).series[0].data.reduce((sum: number, count: number) => sum + count, 0);
  const set = (body: object) => server.call('PUT', '/client/sla', { as: 'admin', body });
  expect((await chart()).labels).toEqual(['critical, 1 d', 'high, 7 d', 'medium, 30 d', 'low, 90 d']);
  expect(await overdue()).toBe(await listed({ sla: 'overdue' }));
  await set({ critical: 3, low: null, starts: 'found' });
  const { labels, segments, series, total } = await chart();
  expect(labels).toEqual(['critical, 3 d', 'high, 7 d', 'medium, 30 d']);
  for (const [index, part] of series.entries()) {
    for (const [at, count] of part.data.entries()) {
      if (count > 0) expect(await listed(segments[index][at])).toBe(count);
    }
  }
  expect(total).toBe(await listed({ status: OPEN.slice(OPEN.indexOf('=') + 1) }));
  expect((await server.call('GET', '/time_to_fix_chart', { as: 'admin' })).body.data.labels[0]).toBe('critical, 3 d');
  await set({ critical: 1, low: 90, starts: 'reported' });
});

test('ages count from the first import here, whatever day the tool reported', async () => {
  const { body } = await server.call('GET', `/backlog_age_chart?${OPEN}`, { as: 'admin' });
  const ages: number[] = body.data.labels.map((_: string, index: number) =>
    body.data.series.reduce((sum: number, { data }: { data: number[] }) => sum + (data[index] ?? 0), 0),
  );
  // thirty a day ago, all others forty days ago
  const status = OPEN.slice(OPEN.indexOf('=') + 1);
  const young = await listed({ status, found_gt: new Date(Date.now() - 7 * 86_400_000).toISOString().slice(0, 10) });
  expect(young).toBeGreaterThan(0);
  expect(ages).toEqual([young, 0, body.data.total - young, 0, 0, 0]);
});
