import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { defineJob, type JobQueue } from '../../../platform/server/jobs/define-job.ts';
import { defineJobState } from '../../../platform/server/jobs/job-state.ts';
import type { ReferenceData } from '../../model/reference.ts';
import { loadReferenceData } from '../feeds/reference-data.ts';
import { BATCH, scoreAnew } from './rescore-settings.ts';
import { FIRST_ID, lockScoring } from './stored-rules.ts';

const JOB = 'prioritisation.rescore-repository';
const REASON = 'Exposure or data of the repository changed';

/** How far the findings of a repository, the key, are scored with what is known of it now. No row: nothing to do. */
const repositoryState = defineJobState(
  JOB,
  Type.Object({
    after: Type.String({ default: FIRST_ID }),
    /** Why, for their history. */
    reason: Type.String({ default: REASON }),
  }),
);

const RepositoryRef = Type.Object({ clientId: Type.String(), repositoryId: Type.String() });
type RepositoryRef = Static<typeof RepositoryRef>;

/**
 * In an import's transaction, after SHARE_SCORING: its findings of repository $2 were scored with exposure $3 and data class $4. Where
 * somebody changed them meanwhile, the findings are gone through again.
 */
export const ASK_FOR_REPOSITORY_PRIORITIES = `
  insert into job_state as t (client_id, job, key, due_at, state)
  select client_id, '${JOB}', id::text, now(), '{"after": "${FIRST_ID}"}' from repositories
  where client_id = $1 and id = $2 and (exposure, data_class) is distinct from ($3, $4)
  on conflict (client_id, job, key) do update set due_at = now(), requests = t.requests + 1, state = excluded.state`;

/**
 * The next findings of the repository and its branches, locked as those of the settings are. Found first and locked then: one that a
 * verdict moves to another cell meanwhile would fail the condition when it is looked at again. Indexes: findings_by_cell, primary key.
 */
const lockIds = async (db: Db, { clientId, repositoryId }: RepositoryRef, after: string): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select f.id from findings f
    where f.client_id = ${clientId} and f.id > ${after} and f.cell in (
      select c.cell from aggregate_sources k
      join aggregate_cells c on c.client_id = k.client_id and c.source = k.source
      where k.client_id = ${clientId} and (k.repository_id = ${repositoryId} or k.repository_id in (
        select id from repository_branches where client_id = ${clientId} and repository_id = ${repositoryId})))
    order by f.id limit ${BATCH}`.execute(db);
  const ids = rows.map(({ id }) => id);
  await sql`
    select from unnest(${ids}::uuid[]) wanted (id)
    join findings f on f.client_id = ${clientId} and f.id = wanted.id
    order by f.id for no key update of f`.execute(db);
  return ids;
};

/** One step: all of it or nothing. @returns false at the end. */
const rescoreBatch = (
  database: DatabaseHandle,
  ref: RepositoryRef,
  reference: Pick<ReferenceData, 'cwe'>,
): Promise<boolean> =>
  database.forClient(ref.clientId, async (db) => {
    const { clientId, repositoryId } = ref;
    const subject = { clientId, key: repositoryId };
    await lockScoring(db, clientId);
    const stored = await repositoryState.lock(db, subject);
    if (stored?.isDue !== true) return false;
    const ids = await lockIds(db, ref, stored.state.after);
    const last = ids.at(-1);
    if (last === undefined) {
      // locked: a request that comes now waits, and makes a row of its own
      await repositoryState.remove(db, subject);
      return false;
    }
    await scoreAnew(db, { clientId, ids, reference, reasonOf: () => stored.state.reason });
    await repositoryState.save(db, subject, { after: last });
    return true;
  });

/** Scores the findings of one repository anew. A killed run goes on where it stood. */
export const applyRepository = defineJob({
  name: JOB,
  input: RepositoryRef,
  key: ({ repositoryId }) => repositoryId,
  retry: { limit: 5 },
  // an import asked for it, or a job was lost
  ofDue: ({ clientId, key }) => ({ clientId, repositoryId: key }),
  run: async ({ database }: { database: DatabaseHandle }, { data, signal }) => {
    const reference = await loadReferenceData();
    while (await rescoreBatch(database, data, reference)) signal.throwIfAborted();
  },
});

/**
 * After a change of what is known of a repository (exposure, data class, the packages that it imports), in the same transaction: its findings
 * are scored anew by a job. @param reason for their history
 */
export const rescoreRepository = async (
  db: Db,
  jobs: Pick<JobQueue, 'enqueue'>,
  { clientId, repositoryId }: RepositoryRef,
  reason = REASON,
): Promise<void> => {
  await repositoryState.request(db, { clientId, key: repositoryId }, { after: FIRST_ID, reason });
  // a job that waits already may run before this commits
  await jobs.enqueue(db, applyRepository, { clientId, repositoryId }, { key: randomUUID() });
};
