import { createTestDatabase, type TestDatabase } from '@breakwater/tools/testing/database.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { insertRandomFindings, type KnownFinding } from '../../../testing/random-findings.ts';
import { DEFAULT_SLA_DAYS, type SlaState, slaStateOf } from '../../model/sla.ts';
import { tellDue } from './tell-due.ts';

let scene: TestDatabase;
let ours: TestUsers;
let findings: KnownFinding[];
const DAY_MS = 86_400_000;

beforeAll(async () => {
  scene = await createTestDatabase();
  ours = await createUsers(scene.database);
  const users = [ours.admin.id, ours.cyberoper.id];
  ({ findings } = await insertRandomFindings(scene.owner, { clientId: ours.clientId, users, count: 4000, start: 5 }));
  // half within ten days, half back to the longest limit
  await scene.owner.query(
    `update findings f set date = now() - make_interval(days => case when n.n % 2 = 0 then n.n % 10 else n.n % 95 end),
       issue_owner = case n.n % 5 when 0 then $1::uuid when 1 then $2::uuid end
     from (select id, row_number() over (order by id)::int n from findings) n where n.id = f.id`,
    users,
  );
});
afterAll(() => scene.drop());
beforeEach(() => scene.owner.query('truncate notifications; truncate job_state'));

interface Row {
  severity: KnownFinding['severity'];
  age: number;
  people: string[];
}

/** Open findings as they are stored, with their age in days (UTC). */
const readOpen = async (start: 'date' | 'first_seen' = 'date'): Promise<Row[]> => {
  const severities = new Map(findings.map(({ id, severity }) => [id, severity]));
  const { rows } = await scene.owner.query(
    `select id, issue_owner, developers, (now() at time zone 'UTC')::date - (${start} at time zone 'UTC')::date as age from findings where is_open`,
  );
  return rows.map((row) => ({
    severity: severities.get(row.id) ?? 'low',
    age: Number(row.age),
    people: [...new Set<string>([...(row.developers ?? []), ...(row.issue_owner === null ? [] : [row.issue_owner])])],
  }));
};

/** How many entered a state within so many days, for one person or for nobody, by the rule that the list follows. */
const entered = (rows: readonly Row[], { state, days, person }: { state: SlaState; days: number; person?: string }) =>
  rows.filter(({ severity, age, people }) => {
    const now = slaStateOf(severity, age, DEFAULT_SLA_DAYS);
    const isTheirs = person === undefined ? people.length === 0 : people.includes(person);
    if (!isTheirs) return false;
    const steps = Array.from({ length: days }, (_, back) => age - back);
    return steps.some(
      (at) =>
        slaStateOf(severity, at, DEFAULT_SLA_DAYS) === state &&
        slaStateOf(severity, at - 1, DEFAULT_SLA_DAYS) !== state &&
        now !== 'ok',
    );
  }).length;

const titles = async (user: string): Promise<string[]> =>
  (
    await scene.owner.query(
      `select title from notifications where user_id = $1 and notification_type = 'sla_due' order by title`,
      [user],
    )
  ).rows.map((row) => row.title);

const expected = (rows: readonly Row[], days: number, person?: string): string => {
  const of = person === undefined ? {} : { person };
  const soon = entered(rows, { state: 'due_soon', days, ...of });
  const late = entered(rows, { state: 'overdue', days, ...of });
  const parts = [...(soon > 0 ? [`${soon} due soon`] : []), ...(late > 0 ? [`${late} overdue`] : [])];
  const all = soon + late;
  const whose = person === undefined ? 'that nobody owns' : 'of yours';
  expect(all).toBeGreaterThan(0);
  return `${all} ${all === 1 ? 'finding' : 'findings'} ${whose}: ${parts.join(', ')}`;
};

test('owners hear of what became due soon or overdue, those who triage of what nobody owns, once a day', async () => {
  const open = await readOpen();
  await Promise.all([tellDue(scene.database), tellDue(scene.database)]);
  const nobodys = expected(open, 1);
  expect(await titles(ours.admin.id)).toEqual([expected(open, 1, ours.admin.id), nobodys].sort());
  expect(await titles(ours.cyberoper.id)).toEqual([expected(open, 1, ours.cyberoper.id), nobodys].sort());
  expect(await titles(ours.developer.id)).toEqual([]);
  const { rows } = await scene.owner.query('select distinct link from notifications');
  expect(rows.every(({ link }) => String(link).startsWith('/findings?sla='))).toBe(true);
});

test('days that the server was down are made up for, a week at most', async () => {
  const open = await readOpen();
  const day = (back: number) => new Date(Date.now() - back * DAY_MS).toISOString().slice(0, 10);
  for (const [back, days] of [
    [3, 3],
    [60, 7],
  ] as const) {
    await scene.owner.query('truncate notifications; truncate job_state');
    await scene.owner.query(
      `insert into job_state (client_id, job, state) values ($1, 'findings.tell-due', jsonb_build_object('until', $2::text))`,
      [ours.clientId, day(back)],
    );
    await tellDue(scene.database);
    expect(await titles(ours.admin.id)).toContain(expected(open, days));
    expect(await tellDue(scene.database)).toBe(0);
  }
});

test('who counts from the first import hears of it by those days', async () => {
  await scene.owner.query('truncate notifications; truncate job_state');
  await scene.owner.query(
    `insert into sla_days (client_id, critical, high, medium, low, starts) values ($1, 1, 7, 30, 90, 'found')`,
    [ours.clientId],
  );
  const open = await readOpen('first_seen');
  expect(expected(open, 1)).not.toBe(expected(await readOpen(), 1));
  await tellDue(scene.database);
  expect(await titles(ours.admin.id)).toContain(expected(open, 1));
});
