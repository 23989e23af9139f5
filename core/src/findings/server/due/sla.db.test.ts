import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRandomFindings, type KnownFinding } from '../../../testing/random-findings.ts';
import {
  DEFAULT_SLA_DAYS,
  DEFAULT_SLA_RULES,
  type DueStart,
  dueDateOf,
  SLA_STATES,
  type SlaDays,
  slaStateOf,
} from '../../model/sla.ts';

let server: TestServer;
let findings: KnownFinding[];
let theirs: string;
const DAY_MS = 86_400_000;

beforeAll(async () => {
  server = await startTestServer();
  const other = await createUsers(server.scene.database, 'Other');
  theirs = other.admin.token;
  const fill = async (clientId: string, user: string, count: number) =>
    (await insertRandomFindings(server.scene.owner, { clientId, users: [user], count, start: 21 })).findings;
  findings = await fill(server.users.clientId, server.users.cyberoper.id, 600);
  await fill(other.clientId, other.cyberoper.id, 60);
});
afterAll(() => server.close());

type As = 'admin' | 'cyberoper' | 'developer' | 'superadmin' | { token: string };
const read = (as: As) => server.call('GET', '/client/sla', { as });
const save = (body: unknown, as: As = 'admin') => server.call('PUT', '/client/sla', { as, body });
const total = async (query: string, as: As = 'admin'): Promise<number> =>
  (await server.call('GET', `/findings?pagination[pageSize]=1${query}`, { as })).body.meta.pagination.total;
const facet = async (query = ''): Promise<Record<string, number>> => {
  const { body } = await server.call('GET', `/filter/findings?filter_key=sla${query}`, { as: 'admin' });
  return Object.fromEntries(
    body.data.sla.map((option: { value: string; count: number }) => [option.value, option.count]),
  );
};
const isOpen = async (): Promise<Set<string>> => {
  const { rows } = await server.scene.owner.query('select id from findings where is_open');
  return new Set(rows.map((row) => row.id));
};
/** Whole days (UTC) since the day of a date. */
const ageOf = (date: string): number => Math.floor(Date.now() / DAY_MS) - Math.floor(Date.parse(date) / DAY_MS);

const expectAll = async (days: SlaDays, starts: DueStart = 'reported'): Promise<void> => {
  const startOf = ({ date, first_seen }: { date: string; first_seen: string }) =>
    starts === 'found' ? first_seen : date;
  const open = await isOpen();
  const counted = { overdue: 0, due_soon: 0, ok: 0 };
  const grype = { overdue: 0, due_soon: 0, ok: 0 };
  for (const finding of findings.filter(({ id }) => open.has(id))) {
    const state = slaStateOf(finding.severity, ageOf(startOf(finding)), days);
    counted[state] += 1;
    if (finding.tool === 'grype') grype[state] += 1;
  }
  const options = await facet();
  const narrowed = await facet('&filters[tool]=grype');
  const long = await facet('&filters[tool]=grype&filters[priority_gt]=0');
  for (const state of SLA_STATES) {
    expect(options[state] ?? 0, state).toBe(counted[state]);
    expect(narrowed[state] ?? 0, state).toBe(grype[state]);
    expect(long[state] ?? 0, state).toBe(grype[state]);
    expect(await total(`&filters[sla]=${state}`), state).toBe(counted[state]);
    expect(await total(`&filters[sla]=${state}&filters[tool]=grype&filters[priority_gt]=0`), state).toBe(grype[state]);
  }
  const { body } = await server.call('GET', '/findings?pagination[pageSize]=50&sort_field=date', { as: 'admin' });
  for (const { _id, attributes } of body.data) {
    const due = open.has(_id) ? dueDateOf(attributes.severity, new Date(startOf(attributes)), days) : null;
    expect(attributes.due_date).toBe(due);
    expect(attributes.due_from).toBe(due === null ? null : startOf(attributes).slice(0, 10));
  }
};

test('the days of an organisation decide what is overdue, in list, counts, facets and due dates', async () => {
  expect((await read('cyberoper')).body.data).toEqual({ ...DEFAULT_SLA_RULES, updated_at: null, updated_by: null });
  await expectAll(DEFAULT_SLA_DAYS);
  const before = await total('&filters[sla]=overdue', { token: theirs });
  const saved = await save({ critical: null, high: 3650, informational: 1 });
  expect(saved.body).toMatchObject({
    success: true,
    data: {
      critical: null,
      high: 3650,
      medium: 30,
      low: 90,
      informational: 1,
      updated_by: server.users.admin.username,
    },
  });
  await expectAll({ critical: null, high: 3650, medium: 30, low: 90, informational: 1 });
  // two at once change two severities: both stand
  await Promise.all([save({ low: 5 }), save({ medium: 400 })]);
  await expectAll({ critical: null, high: 3650, medium: 400, low: 5, informational: 1 });
  const none = { critical: null, high: null, medium: null, low: null, informational: null };
  await save(none);
  await expectAll(none);
  expect(await total('&filters[sla]=overdue,due_soon')).toBe(0);
  // another organisation keeps its own
  expect(await total('&filters[sla]=overdue', { token: theirs })).toBe(before);
  expect((await read({ token: theirs })).body.data.updated_at).toBeNull();
  await save({ ...DEFAULT_SLA_DAYS });
  await expectAll(DEFAULT_SLA_DAYS);
});

test('due dates count from the first import here where the organisation says so, and nothing else of it changes', async () => {
  const before = await total('&filters[sla]=overdue', { token: theirs });
  expect((await save({ starts: 'found' })).body.data).toMatchObject({ ...DEFAULT_SLA_DAYS, starts: 'found' });
  await expectAll(DEFAULT_SLA_DAYS, 'found');
  await save({ high: 40 });
  await expectAll({ ...DEFAULT_SLA_DAYS, high: 40 }, 'found');
  expect(await total('&filters[sla]=overdue', { token: theirs })).toBe(before);
  await save({ ...DEFAULT_SLA_RULES });
  await expectAll(DEFAULT_SLA_DAYS);
  expect((await save({ starts: 'published' })).status).toBe(422);
});

test('only an admin writes, a developer does not read, and what is no number of days is refused beside its field', async () => {
  for (const as of ['cyberoper', 'developer', 'superadmin'] as const) {
    expect((await save({ critical: 2 }, as)).status, as).toBe(403);
  }
  expect((await read('developer')).status).toBe(403);
  for (const critical of [0, -1, 3651, 1.5, '7', true, [], {}, 1e300]) {
    const answer = await save({ critical });
    expect(answer.status, JSON.stringify(critical)).toBe(422);
    expect(answer.body.detail[0].loc.at(-1)).toBe('critical');
  }
  expect((await save({})).status).toBe(422);
  expect((await save({ urgent: 1 })).status).toBe(422);
  expect((await read('admin')).body.data.critical).toBe(1);
});
