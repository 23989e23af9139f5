import { sql } from 'kysely';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { publishProgress, purgeClientJobs } from '../../../platform/server/jobs/client-jobs.ts';
import type { ReferenceData } from '../../model/reference.ts';
import { scorePriority } from '../../model/score-priority.ts';
import { loadReferenceData } from '../feeds/reference-data.ts';
import { readScored } from './read-scored.ts';
import { lockScoring, readPriorityRules, runIn, settingsState } from './stored-rules.ts';
import { writePriorities } from './write-priorities.ts';

/** Findings of one transaction: long enough to be quick, short enough that an import need not wait. */
export const BATCH = 500;

interface Cursor {
  after: string;
  done: number;
  total: number;
  jobId: string | null;
  requests: number;
}

/** Locked: whoever saves settings at this moment begins it anew, and that is not to be written over. */
const readCursor = async (db: Db, clientId: string): Promise<Cursor | undefined> => {
  const stored = await settingsState.lock(db, { clientId });
  return stored?.isDue === true ? { ...stored.state, requests: stored.requests } : undefined;
};

/** Locked, so that what a person or an import writes at the same moment counts. */
const lockIds = async (db: Db, clientId: string, after: string): Promise<string[]> => {
  // index: primary key
  const { rows } = await sql<{ id: string }>`
    select id from findings where client_id = ${clientId} and id > ${after} order by id limit ${BATCH} for no key update`.execute(
    db,
  );
  return rows.map(({ id }) => id);
};

/** Keeps the job of whoever saved in step; without one nobody is told. */
const updateJobProgress = async (
  db: Db,
  clientId: string,
  { jobId, done, total }: Cursor,
  isDone: boolean,
): Promise<void> => {
  if (jobId === null) return;
  const all = isDone ? done : Math.max(total, done);
  const status = isDone ? 'done' : 'running';
  await db
    .updateTable('client_jobs')
    .set({ status, position: done, done, total: all, ...(isDone ? { finished_at: new Date() } : {}) })
    .where('client_id', '=', clientId)
    .where('id', '=', jobId)
    .execute();
  await publishProgress(db, { clientId, id: jobId, status, done, refused: 0, total: all });
};

const finish = async (db: Db, clientId: string, cursor: Cursor): Promise<void> => {
  const { requests, done } = cursor;
  await settingsState.finish(db, { clientId }, { requests, change: { total: done, jobId: null } });
  await updateJobProgress(db, clientId, cursor, true);
  await purgeClientJobs(db, clientId);
};

/**
 * Scores locked findings with the newest rules. @param reasonOf why, for their history; it gets the version of the settings.
 */
export const scoreAnew = async (
  db: Db,
  request: {
    clientId: string;
    ids: readonly string[];
    reference: Pick<ReferenceData, 'cwe'>;
    reasonOf(version: number): string;
  },
): Promise<void> => {
  const { clientId, ids, reference, reasonOf } = request;
  const { rules, version } = await readPriorityRules(runIn(db), clientId);
  const findings = await readScored(db, { clientId, ids, reference });
  const scored = findings.map(({ id, facts }) => ({ id, ...scorePriority(facts, rules) }));
  await writePriorities(db, { clientId, scored, reason: reasonOf(version) });
};

/** One step: all of it or nothing. @returns false at the end. */
const rescoreBatch = (
  database: DatabaseHandle,
  clientId: string,
  reference: Pick<ReferenceData, 'cwe'>,
): Promise<boolean> =>
  database.forClient(clientId, async (db) => {
    await lockScoring(db, clientId);
    const cursor = await readCursor(db, clientId);
    if (cursor === undefined) return false;
    const ids = await lockIds(db, clientId, cursor.after);
    const last = ids.at(-1);
    if (last === undefined) {
      await finish(db, clientId, cursor);
      return false;
    }
    await scoreAnew(db, {
      clientId,
      ids,
      reference,
      reasonOf: (version) => `Prioritisation settings, version ${version}`,
    });
    const done = cursor.done + ids.length;
    await settingsState.save(db, { clientId }, { after: last, done });
    await updateJobProgress(db, clientId, { ...cursor, done }, false);
    return true;
  });

/**
 * Brings every finding of a client to its newest settings, step by step. A killed run goes on where it stood; a second one at the
 * same time waits for its steps; settings that are saved meanwhile begin it anew. EPSS and KEV are left to rescoreClient.
 */
export const rescoreSettings = async (
  database: DatabaseHandle,
  clientId: string,
  signal: AbortSignal,
): Promise<void> => {
  const reference = await loadReferenceData();
  while (await rescoreBatch(database, clientId, reference)) signal.throwIfAborted();
};
