import { type Static, Type } from 'typebox';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { defineJob, type JobQueue } from '../../platform/server/jobs/define-job.ts';
import { defineJobState } from '../../platform/server/jobs/job-state.ts';
import { lockScoring, rescoreRepository } from '../../prioritisation/server/index.ts';
import { type AnalysisLimits, analyseInThread } from './analysis/analyse-in-thread.ts';
import { computeUses, USES_VERSION, writeImports } from './package-uses.ts';

export { loadLanguage, openParser } from './analysis/grammars.ts';
export { type KnownUses, readKnownUses, readUseOfComponent } from './package-uses.ts';

const JOB = 'reachability.package-uses';

/** The repository, the key, has findings that its uses are not computed for. No row: nothing to do. */
const usesState = defineJobState(
  JOB,
  Type.Object({
    /** Findings were scored with another analysis than the newest. */
    rescores: Type.Boolean({ default: true }),
  }),
);

const RepositoryRef = Type.Object({ clientId: Type.String(), repositoryId: Type.String() });
type RepositoryRef = Static<typeof RepositoryRef>;

type Queue = Pick<JobQueue, 'enqueue'>;

export interface ReachabilityDeps {
  database: DatabaseHandle;
  jobs: Queue;
}

/**
 * In an import's transaction, after SHARE_SCORING: findings of repository $2 were scored with the uses of version $3 (`readKnownUses`). Asks
 * nothing of a repository that was never analysed; for new scores only where it was analysed meanwhile.
 */
export const ASK_FOR_PACKAGE_USES = `
  insert into job_state as t (client_id, job, key, due_at, state)
  select $1::uuid, '${JOB}', $2::text, now(), jsonb_build_object('rescores', newest.version <> $3::text)
  from (select ${USES_VERSION} as version from package_imports where client_id = $1::uuid and repository_id = $2::text::uuid) newest
  where newest.version <> '' or $3::text <> ''
  on conflict (client_id, job, key) do update set due_at = now(), requests = t.requests + 1,
    state = jsonb_build_object('rescores',
      coalesce((t.state->>'rescores')::boolean, true) or (excluded.state->>'rescores')::boolean)`;

const REASON = 'Imports of the application read';

const scoreWithUses = (db: Db, jobs: Queue, ref: RepositoryRef): Promise<void> =>
  rescoreRepository(db, jobs, ref, REASON);

/** After an import: the uses of its definitions, and scores where they were made with others. A killed run is done again. */
export const computePackageUses = defineJob({
  name: JOB,
  input: RepositoryRef,
  key: ({ repositoryId }) => repositoryId,
  retry: { limit: 5 },
  // an import asked for it, or a job was lost
  ofDue: ({ clientId, key }) => ({ clientId, repositoryId: key }),
  run: ({ database, jobs }: ReachabilityDeps, { data }) =>
    database.forClient(data.clientId, async (db) => {
      const subject = { clientId: data.clientId, key: data.repositoryId };
      // no import commits while this runs: what it asks for is asked again
      await lockScoring(db, data.clientId);
      const asked = await usesState.lock(db, subject);
      if (asked?.isDue !== true) return;
      await computeUses(db, data);
      if (asked.state.rescores) await scoreWithUses(db, jobs, data);
      await usesState.remove(db, subject);
    }),
});

/** What became of an analysis. */
export type RecordedImports =
  /** Stored; scores follow by a job where they change. */
  | 'recorded'
  /** It took too long or too much memory; of the repository nothing is known any more. */
  | 'gave_up'
  /** The repository was removed meanwhile. */
  | 'removed';

/**
 * Reads which packages the source in a folder imports, stores it in place of what was known of the repository and its branches, and asks for
 * new scores. Nothing in the folder is run or changed. @throws what the signal says
 */
export const recordImports = async (
  { database, jobs }: ReachabilityDeps,
  request: RepositoryRef & { commit: string; folder: string; signal: AbortSignal; limits?: AnalysisLimits },
): Promise<RecordedImports> => {
  const { clientId, repositoryId, commit, folder, signal, limits } = request;
  const imports = await analyseInThread(folder, signal, limits);
  return database.forClient(clientId, async (db) => {
    // an import commits before, and its findings are seen here, or after, and asks for its uses
    await lockScoring(db, clientId);
    const repository = await db
      .selectFrom('repositories')
      .select('id')
      .where('client_id', '=', clientId)
      .where('id', '=', repositoryId)
      .forKeyShare()
      .executeTakeFirst();
    if (repository === undefined) return 'removed';
    // an older commit's would be believed of this one
    await writeImports(db, { clientId, repositoryId, commit }, imports ?? []);
    const isChanged = await computeUses(db, { clientId, repositoryId });
    if (isChanged) await scoreWithUses(db, jobs, { clientId, repositoryId });
    return imports === undefined ? 'gave_up' : 'recorded';
  });
};

/** Jobs of this slice; the server runs them. A new one is one more name. */
export const reachabilityJobs = [computePackageUses] as const;
