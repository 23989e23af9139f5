import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { sql } from 'kysely';
import { Type } from 'typebox';
import { highestSeverity, type Notice, notify } from '../../../notifications/server/index.ts';
import { type Sentence, say, sayCount } from '../../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { defineJobState } from '../../../platform/server/jobs/job-state.ts';
import { readSlaRules } from '../filter/resolve-filter.ts';
import { countEntered, type Entered, type EnteredCount } from './entered.ts';

const JOB = 'findings.tell-due';
/** The last day that was told of; empty before the first run. */
const told = defineJobState(JOB, Type.Object({ until: Type.String({ default: '' }) }));

/** After a longer stop only these days are made up for: the list itself shows everything. */
const MAX_DAYS = 7;
const DAY_MS = 86_400_000;

const dayOf = (at: Date): string => at.toISOString().slice(0, 10);
const daysBefore = (day: string, days: number): string => dayOf(new Date(Date.parse(day) - days * DAY_MS));

const STATES = ['due_soon', 'overdue'] as const;

const total = (counts: readonly EnteredCount[]): number => counts.reduce((sum, { count }) => sum + count, 0);

const countsOf: Record<Entered, (count: number) => Sentence> = {
  due_soon: (count) => say('{count} due soon', { count }),
  overdue: (count) => say('{count} overdue', { count }),
};

const severityCount: Record<Severity, (count: number) => Sentence> = {
  critical: (count) => say('{count} critical', { count }),
  high: (count) => say('{count} high', { count }),
  medium: (count) => say('{count} medium', { count }),
  low: (count) => say('{count} low', { count }),
  informational: (count) => say('{count} informational', { count }),
};

/** Such as "Now overdue: 1 critical, 3 high." */
const sentenceOf = (state: Entered, counts: readonly EnteredCount[]): Sentence[] => {
  const list = SEVERITIES.flatMap((severity) => {
    const count = total(counts.filter((one) => one.state === state && one.severity === severity));
    return count === 0 ? [] : [severityCount[severity](count)];
  });
  if (list.length === 0) return [];
  return [state === 'due_soon' ? say('Now due soon: {list}.', { list }) : say('Now overdue: {list}.', { list })];
};

const messageOf = (counts: readonly EnteredCount[]): Sentence => {
  const [first = { text: '' }, second] = STATES.flatMap((state) => sentenceOf(state, counts));
  return second === undefined ? first : { text: '{first} {second}', values: { first, second } };
};

/** `person`: whose findings they are; null: of nobody. */
const noticeOf = (clientId: string, counts: readonly EnteredCount[], person: string | null): Notice => {
  const severity = highestSeverity(counts.map((one) => one.severity));
  const all = total(counts);
  const parts = STATES.flatMap((state) => {
    const count = total(counts.filter((one) => one.state === state));
    return count === 0 ? [] : [countsOf[state](count)];
  });
  return {
    clientId,
    type: 'sla_due',
    title:
      person === null
        ? sayCount(all, '{count} finding that nobody owns: {parts}', '{count} findings that nobody owns: {parts}', {
            parts,
          })
        : sayCount(all, '{count} finding of yours: {parts}', '{count} findings of yours: {parts}', { parts }),
    message: messageOf(counts),
    link: `/findings?sla=${STATES.filter((state) => counts.some((one) => one.state === state)).join(',')}`,
    to: person === null ? { permission: 'findings.triage' } : { userIds: [person] },
    ...(severity === null ? {} : { severity }),
    channelTitle: null,
  };
};

/** One notice for each person, and one for what nobody owns. */
export const noticesOf = (clientId: string, counts: readonly EnteredCount[]): Notice[] => {
  const people = [...new Set(counts.flatMap((one) => one.people))].sort();
  const own = people.map((person) =>
    noticeOf(
      clientId,
      counts.filter((one) => one.people.includes(person)),
      person,
    ),
  );
  const nobodys = counts.filter((one) => one.people.length === 0);
  return nobodys.length === 0 ? own : [...own, noticeOf(clientId, nobodys, null)];
};

/** What channels of the organisation are told: of all findings together. */
const channelNoticeOf = (clientId: string, counts: readonly EnteredCount[]): Notice => {
  const { title: _, channelTitle: __, ...notice } = noticeOf(clientId, counts, null);
  const all = total(counts);
  return {
    ...notice,
    title: sayCount(all, '{count} finding is due soon or overdue', '{count} findings are due soon or overdue'),
    to: { userIds: [] },
  };
};

/** In one transaction with the day that is kept: of two runs one tells. @returns how many notices. */
const tellClient = async (db: Db, clientId: string): Promise<number> => {
  await told.request(db, { clientId });
  const stored = await told.lock(db, { clientId });
  const now = await sql<{ now: Date }>`select now()`.execute(db);
  const until = dayOf(now.rows[0]?.now ?? new Date());
  const since = [stored?.state.until || daysBefore(until, 1), daysBefore(until, MAX_DAYS)].sort().at(-1) ?? until;
  await told.finish(db, { clientId }, { requests: stored?.requests ?? 0, change: { until } });
  if (since >= until) return 0;
  const allowed = await readSlaRules(db, clientId);
  const counts = await countEntered(db, { clientId, days: { since, until }, allowed });
  const notices = noticesOf(clientId, counts);
  for (const notice of notices) await notify(db, notice);
  if (notices.length > 0) await notify(db, channelNoticeOf(clientId, counts));
  return notices.length;
};

/** Tells of findings that became due soon or overdue since the last run. Safe in several processes. @returns how many notices. */
export const tellDue = async (database: DatabaseHandle): Promise<number> => {
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').orderBy('id').execute());
  let count = 0;
  for (const { id } of clients) count += await database.forClient(id, (db) => tellClient(db, id));
  return count;
};

/** Every morning (UTC), before the daily e-mail is put together. */
export const tellOfDueDates = defineJob({
  name: JOB,
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { cron: '50 5 * * *' },
  run: ({ database }: { database: DatabaseHandle }) => tellDue(database),
});
