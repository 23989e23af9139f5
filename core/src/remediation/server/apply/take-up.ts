import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Viewer } from '../../../findings/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob } from '../../../platform/server/jobs/define-job.ts';
import { generate } from '../generate.ts';
import { addEvent, moveRemediation, NO_RUN, type Remediation, releaseRun } from '../remediation-store.ts';
import type { RemediationDeps } from '../source-files.ts';
import type { RunRequest } from '../tables.ts';
import { openIssue, openPullRequest } from './open.ts';
import { readViewer } from './read-viewer.ts';

const EVERY_SECONDS = 15;
const MAX_AT_ONCE = 20;
/** Taken up so often without an end: it ends every process that is at it. */
const MAX_ATTEMPTS = 3;
/** A job of many does its own again within minutes; one that was given up does not. */
const ORPHANED_MINUTES = 15;
const BROKEN_OFF = msg('This broke off because of an internal error. Generate it again.');

type Key = Pick<Remediation, 'client_id' | 'id'>;

/** Index: remediations_running. */
const readBroken = (db: Db): Promise<Key[]> =>
  db
    .selectFrom('remediations')
    .select(['client_id', 'id'])
    .where('run_until', '<', sql<Date>`clock_timestamp()`)
    .where((when) =>
      when.or([
        when('run_request', 'is not', null),
        when('run_until', '<', sql<Date>`clock_timestamp() - make_interval(mins => ${ORPHANED_MINUTES})`),
      ]),
    )
    .orderBy('run_until')
    .limit(MAX_AT_ONCE)
    .execute();

const find = (db: Db, { client_id, id }: Key): Promise<Remediation | undefined> =>
  db
    .selectFrom('remediations')
    .selectAll()
    .where('client_id', '=', client_id)
    .where('id', '=', id)
    .where('run_until', '<', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();

interface Broken {
  now: Remediation;
  request: RunRequest;
  viewer: Viewer;
}

/** What nobody does any more: a generation has failed, and what was to be opened can be opened again. */
const giveUp = async (db: Db, now: Remediation): Promise<void> => {
  if (now.processing_status === 'processing') {
    const columns = { ...NO_RUN, failure: BROKEN_OFF };
    const guard = async (inside: Db) => (await find(inside, now))?.run_id === now.run_id;
    await moveRemediation(db, now, { event: 'fail', actor: null, columns, detail: BROKEN_OFF, guard });
    return;
  }
  if (now.run_id !== null) await releaseRun(db, now, now.run_id);
  await addEvent(db, now, {
    actor: null,
    kind: 'open_failed',
    detail: msg('It broke off because of an internal error.'),
  });
};

/** What is to be done for a run whose process died; undefined where nothing is, or it was given up. */
const decide = (database: DatabaseHandle, key: Key): Promise<Broken | undefined> =>
  database.forClient(key.client_id, async (db) => {
    const now = await find(db, key);
    if (now === undefined) return undefined;
    const request = now.run_request;
    const viewer =
      request === null
        ? undefined
        : await readViewer(db, key.client_id, { actor: request.actor, kind: 'remediation.generate' });
    if (request !== null && viewer !== undefined && request.attempts < MAX_ATTEMPTS) return { now, request, viewer };
    await giveUp(db, now);
    return undefined;
  });

const goOn = async (deps: RemediationDeps, { now, request, viewer }: Broken): Promise<void> => {
  const { work } = request;
  const attempts = request.attempts + 1;
  if (work.kind === 'generate') {
    const { type, isByAi, templateValues } = work;
    await generate(deps, {
      ...{ viewer, findingId: now.finding_id, type, attempts },
      ...(isByAi === undefined ? {} : { isByAi }),
      ...(templateValues === undefined ? {} : { templateValues }),
    });
    return;
  }
  await (work.as === 'issue' ? openIssue : openPullRequest)(deps, { viewer, id: now.id, attempts });
};

/** Ends the run where even the beginning is refused, so that it is not tried for ever. */
const settle = (database: DatabaseHandle, key: Key): Promise<void> =>
  database.forClient(key.client_id, async (db) => {
    const now = await find(db, key);
    if (now !== undefined) await giveUp(db, now);
  });

/** Does again what processes have begun that died meanwhile, in every organisation. @returns how many */
export const takeUpBroken = async (deps: RemediationDeps, database: DatabaseHandle): Promise<number> => {
  let count = 0;
  const errors: unknown[] = [];
  for (const key of await database.forIdentity(readBroken)) {
    const broken = await decide(database, key);
    if (broken === undefined) continue;
    count += 1;
    try {
      await goOn(deps, broken);
    } catch (error) {
      // an error of ours is the queue's to report, and keeps nobody else waiting
      if (error instanceof AppError) await settle(database, key);
      else errors.push(error);
    }
  }
  if (errors.length > 0) throw errors[0];
  return count;
};

export const takeUp = defineJob({
  name: 'remediation.take-up',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: EVERY_SECONDS },
  run: ({ remediation, database }: { remediation: RemediationDeps; database: DatabaseHandle }) =>
    takeUpBroken(remediation, database),
});
