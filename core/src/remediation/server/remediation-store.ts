import { randomUUID } from 'node:crypto';
import { type Selectable, sql, type Updateable } from 'kysely';
import {
  type FixFacts,
  followRemediation,
  lockFindings,
  readFixFacts,
  type Viewer,
} from '../../findings/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { ENGLISH } from '../../platform/model/translator.ts';
import type { Db } from '../../platform/server/database.ts';
import { publish } from '../../platform/server/events.ts';
import {
  type ChangeKind,
  FINDING_STATUS_OF,
  nextStatus,
  PROCESSING_LABELS,
  type RemediationEvent,
} from '../model/states.ts';
import type { RemediationsTable, RunRequest } from './tables.ts';

export type Remediation = Selectable<RemediationsTable>;

/** Who changes a remediation; null for the server itself. */
export type Actor = string | null;

export interface HistoryEntry {
  actor: Actor;
  kind: ChangeKind;
  from?: string | null;
  to?: string | null;
  detail?: string | null;
}

/** Notes what happened to a remediation. */
export const addEvent = async (
  db: Db,
  { client_id, id }: Pick<Remediation, 'client_id' | 'id'>,
  entry: HistoryEntry,
) => {
  await db
    .insertInto('remediation_events')
    .values({
      client_id,
      remediation_id: id,
      actor: entry.actor,
      kind: entry.kind,
      from_value: entry.from ?? null,
      to_value: entry.to ?? null,
      detail: entry.detail ?? null,
    })
    .execute();
};

/** A remediation as it stands. */
export const readRemediation = (db: Db, clientId: string, id: string): Promise<Remediation | undefined> =>
  db.selectFrom('remediations').selectAll().where('client_id', '=', clientId).where('id', '=', id).executeTakeFirst();

/** The remediation of a finding. Index: remediations_finding. */
export const readRemediationOf = (db: Db, clientId: string, findingId: string): Promise<Remediation | undefined> =>
  db
    .selectFrom('remediations')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('finding_id', '=', findingId)
    .executeTakeFirst();

/** A remediation whose finding the viewer may see, with the facts of that. @throws remediation_not_found */
export const requireRemediation = async (
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<{ remediation: Remediation; facts: FixFacts }> => {
  const remediation = await readRemediation(db, viewer.clientId, id);
  const facts = remediation === undefined ? undefined : await readFixFacts(db, { viewer, id: remediation.finding_id });
  if (remediation === undefined || facts === undefined) throw new AppError('remediation_not_found');
  return { remediation, facts };
};

/** Columns that an event may set besides the state. */
export type Columns = Omit<
  Updateable<RemediationsTable>,
  'client_id' | 'id' | 'finding_id' | 'repository_id' | 'processing_status'
>;

const updateOf = (
  db: Db,
  { client_id, id }: Pick<Remediation, 'client_id' | 'id'>,
  columns: Updateable<RemediationsTable>,
) =>
  db
    .updateTable('remediations')
    .set({ ...columns, updated_at: sql`clock_timestamp()` })
    .where('client_id', '=', client_id)
    .where('id', '=', id);

/** Writes columns that are no change of state. */
export const updateRemediation = async (db: Db, now: Pick<Remediation, 'client_id' | 'id'>, columns: Columns) => {
  await updateOf(db, now, columns).execute();
};

export interface Transition {
  event: RemediationEvent;
  actor: Actor;
  columns?: Columns;
  /** For the history. */
  detail?: string | null;
  /** Asked under the locks: where it says no, somebody else has taken over and nothing is written. */
  guard?: (db: Db) => Promise<boolean>;
}

/**
 * Moves a remediation, and with it the status of its finding. The finding is locked first, the remediation after it, everywhere; what it
 * is moved from is read under these locks. @throws conflict where the event means nothing in its state; @returns what it is now
 */
export const moveRemediation = async (
  db: Db,
  now: Pick<Remediation, 'client_id' | 'id' | 'finding_id'>,
  { event, actor, columns = {}, detail = null, guard }: Transition,
): Promise<Remediation> => {
  const { client_id: clientId, id, finding_id: findingId } = now;
  await lockFindings(db, { clientId, ids: [findingId] });
  const stored = await db
    .selectFrom('remediations')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (stored === undefined) throw new AppError('remediation_not_found');
  if (guard !== undefined && !(await guard(db))) return stored;
  const status = nextStatus(stored.processing_status, event);
  if (status === undefined) throw new AppError('conflict', refusalOf(stored, event));
  await followRemediation(db, {
    clientId,
    actor,
    ids: [findingId],
    status: FINDING_STATUS_OF[status],
    reason: `Remediation: ${PROCESSING_LABELS[status]}`,
  });
  const written = await updateOf(db, now, { ...columns, processing_status: status })
    .returningAll()
    .executeTakeFirstOrThrow();
  await addEvent(db, now, { actor, kind: event, from: stored.processing_status, to: status, detail });
  await publish(db, {
    clientId,
    type: 'remediation.changed',
    data: { remediation_id: id, finding_id: findingId, processing_status: status },
    audience: { repositoryIds: [stored.repository_id], userIds: actor === null ? [] : [actor] },
  });
  return written;
};

const REFUSALS: Partial<Record<RemediationEvent, string>> = {
  generate: msg('Its state is “{status}”, in which it cannot be generated again.'),
  edit: msg('Its state is “{status}”, in which it cannot be edited.'),
  open_pull_request: msg('Its state is “{status}”, in which it cannot be opened as a pull request.'),
  open_issue: msg('Its state is “{status}”, in which it cannot be opened as an issue.'),
  set_settings: msg('Its state is “{status}”, in which it cannot be applied.'),
};
const NO_SUCH_CHANGE = msg('Its state is “{status}”, in which it cannot be changed so.');

const refusalOf = ({ processing_status: status }: Remediation, event: RemediationEvent): string =>
  ENGLISH.fill(REFUSALS[event] ?? NO_SUCH_CHANGE, { status: PROCESSING_LABELS[status] });

/** A run may take so long before another takes its place. */
const RUN_SECONDS = 60;

export interface RunOptions {
  /** One that has several remediations. */
  runId?: string;
  /** Left out where a job of its own does it again. */
  request?: RunRequest;
}

/** Another run has the remediation; a job waits until that is over. */
export class RunTaken extends AppError {
  constructor() {
    super('conflict', msg('It is being worked on at the moment. Try again in a minute.'));
  }
}

/**
 * Takes a remediation for one run that asks a provider; the lease keeps others away and ends by itself where the process dies.
 * @returns the id of the run; undefined where another one has it
 */
const claimRun = async (
  db: Db,
  now: Pick<Remediation, 'client_id' | 'id'>,
  { runId = randomUUID(), request }: RunOptions,
): Promise<string | undefined> => {
  const claimed = await updateOf(db, now, {})
    .set({
      run_id: runId,
      run_until: sql<Date>`clock_timestamp() + make_interval(secs => ${RUN_SECONDS})`,
      run_request: request === undefined ? null : JSON.stringify(request),
    })
    .where((when) => when.or([when('run_until', 'is', null), when('run_until', '<', sql<Date>`clock_timestamp()`)]))
    .executeTakeFirst();
  return claimed.numUpdatedRows > 0n ? runId : undefined;
};

/** The same for whoever does not want to wait. @throws RunTaken */
export const takeRun = async (
  db: Db,
  now: Pick<Remediation, 'client_id' | 'id'>,
  options: RunOptions = {},
): Promise<string> => {
  const runId = await claimRun(db, now, options);
  if (runId !== undefined) return runId;
  throw new RunTaken();
};

/** Whether a run still has its remediation: its last write asks this, under the lock of the row. */
export const holdsRun = async (db: Db, now: Pick<Remediation, 'client_id' | 'id'>, runId: string): Promise<boolean> => {
  const row = await db
    .selectFrom('remediations')
    .select('run_id')
    .where('client_id', '=', now.client_id)
    .where('id', '=', now.id)
    .forUpdate()
    .executeTakeFirst();
  return row?.run_id === runId;
};

/** Gives the run its whole time anew. @returns whether it still has its remediation */
export const extendRun = async (
  db: Db,
  now: Pick<Remediation, 'client_id' | 'id'>,
  runId: string,
): Promise<boolean> => {
  const extended = await updateOf(db, now, {})
    .set({ run_until: sql<Date>`clock_timestamp() + make_interval(secs => ${RUN_SECONDS})` })
    .where('run_id', '=', runId)
    .executeTakeFirst();
  return extended.numUpdatedRows > 0n;
};

/** The same of all that one run has. Index: remediations_running. */
export const extendRuns = async (db: Db, run: { clientId: string; runId: string }): Promise<void> => {
  await db
    .updateTable('remediations')
    .set({ run_until: sql<Date>`clock_timestamp() + make_interval(secs => ${RUN_SECONDS})` })
    .where('client_id', '=', run.clientId)
    .where('run_until', 'is not', null)
    .where('run_id', '=', run.runId)
    .execute();
};

/** Gives back what one run has, or one remediation of it. Index: remediations_running. */
export const releaseRuns = async (db: Db, run: { clientId: string; runId: string; id?: string }): Promise<void> => {
  const held = db
    .updateTable('remediations')
    .set(NO_RUN)
    .where('client_id', '=', run.clientId)
    .where('run_until', 'is not', null)
    .where('run_id', '=', run.runId);
  await (run.id === undefined ? held : held.where('id', '=', run.id)).execute();
};

/** What ends the run. */
export const NO_RUN = { run_id: null, run_until: null, run_request: null } as const;

/** Gives a remediation back where the run did not come to its end. */
export const releaseRun = async (db: Db, now: Pick<Remediation, 'client_id' | 'id'>, runId: string): Promise<void> => {
  await updateOf(db, now, NO_RUN).where('run_id', '=', runId).execute();
};
