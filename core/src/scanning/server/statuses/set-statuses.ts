import type { ScmWrite } from '@breakwater/sdk';
import { sql } from 'kysely';
import { COMMIT_STATUS_JOB, CommitStatusInput, commitStatusState } from '../../../ingest/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import { defineJob, type JobRun } from '../../../platform/server/jobs/define-job.ts';
import { runAlone } from '../../../platform/server/jobs/run-alone.ts';
import { CHECK_NAME } from '../../model/commit-status.ts';
import { readScanTargets, type ScanRepository } from '../requests/list-scan-requests.ts';
import type { ScanJobDeps } from '../run/run-tools.ts';
import { digestOf, readWantedStatuses, type WantedStatus } from './wanted-statuses.ts';
import '../tables.ts';

const STEP_MS = 15_000;
/** Waits between tries. After the last one the status stays unset, with its reason. */
const RETRY_SECONDS = [30, 120, 600, 1800, 3600];
const MAX_PROBLEM = 500;
const WHOLE_HASH = /^(?:[0-9a-f]{40}|[0-9a-f]{64})$/;

interface Place {
  clientId: string;
  repository: ScanRepository & { external_id: string };
  write: ScmWrite;
}

/** Where the statuses of a repository go; undefined where nobody wants them, or no provider takes them. */
const placeOf = async (
  { scanning: { connections } }: ScanJobDeps,
  db: Db,
  { clientId, repositoryId }: { clientId: string; repositoryId: string },
): Promise<Place | undefined> => {
  const client = db.selectFrom('clients').select('pipeline_integration').where('id', '=', clientId);
  if ((await client.executeTakeFirst())?.pipeline_integration !== true) return undefined;
  const [repository] = await readScanTargets(db, { clientId, onlyOwnedBy: null, ids: [repositoryId] });
  if (repository?.external_id == null) return undefined;
  const scm = await connections.capability({ clientId, connectorId: repository.source_control }, 'scm', db);
  if (scm?.write === undefined) return undefined;
  const { write } = scm;
  return { clientId, repository: { ...repository, external_id: repository.external_id }, write };
};

const readStored = (db: Db, { clientId, repository }: Place) =>
  db
    .selectFrom('commit_statuses')
    .select(['commit_hash', 'said', 'tried', 'attempts', 'pull_request', 'comment_url'])
    .select(sql<boolean>`coalesce(retry_at > clock_timestamp(), false)`.as('isWaiting'))
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repository.id)
    .orderBy('changed_at', 'desc')
    .limit(500)
    .execute();

type Stored = Awaited<ReturnType<typeof readStored>>[number];

/** One comment a pull request; that there is nothing new is said only where something was. */
const comment = async ({ scanning }: ScanJobDeps, place: Place, wanted: WantedStatus, stored: readonly Stored[]) => {
  const { clientId, repository, write } = place;
  let told: { pull_request: number; comment_url: string } | undefined;
  for (const { pullRequest, text, isWorthSaying } of wanted.comments) {
    const isThere = stored.some((one) => one.pull_request === pullRequest && one.comment_url !== null);
    if (!isWorthSaying && !isThere) continue;
    const idempotencyKey = `findings:${repository.id}:${pullRequest}`;
    const key = { clientId, connectorId: repository.source_control };
    const { url } = await scanning.connections.use(
      key,
      (ctx) => write.comment(ctx, { repository: repository.external_id, number: pullRequest, text, idempotencyKey }),
      { timeoutMs: STEP_MS },
    );
    told = { pull_request: pullRequest, comment_url: url };
  }
  return told;
};

const setStatus = async ({ scanning }: ScanJobDeps, place: Place, wanted: WantedStatus): Promise<void> => {
  const { clientId, repository, write } = place;
  const { commit, state, description, url } = wanted;
  const status = {
    ...{ repository: repository.external_id, commit, state, name: CHECK_NAME, description },
    ...(url === undefined ? {} : { url }),
    idempotencyKey: `status:${repository.id}:${commit}:${digestOf(wanted)}`,
  };
  const key = { clientId, connectorId: repository.source_control };
  await scanning.connections.use(key, (ctx) => write.setStatus(ctx, status), { timeoutMs: STEP_MS });
};

/** What became of a try. `retryInSeconds`: null where it is not tried again. */
type Outcome =
  | { isDone: true; told: { pull_request: number; comment_url: string } | undefined }
  | { isDone: false; problem: string; isFinal: boolean };

const tell = async (deps: ScanJobDeps, place: Place, wanted: WantedStatus, stored: readonly Stored[]) => {
  if (!WHOLE_HASH.test(wanted.commit)) {
    const problem = msg('The upload names only the beginning of the hash of its commit. Send all 40 characters.');
    return { isDone: false, problem, isFinal: true } as const;
  }
  try {
    await setStatus(deps, place, wanted);
    return { isDone: true, told: await comment(deps, place, wanted, stored) } as const;
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    // a connection that nobody made has nobody who waits for a status
    if (error.code === 'integration_not_configured') return null;
    return { isDone: false, problem: error.userMessage.slice(0, MAX_PROBLEM), isFinal: false } as const;
  }
};

/** Notes how a try ended. @returns in how many seconds the next one is due; undefined for none */
const keep = async (
  db: Db,
  { clientId, repository }: Place,
  {
    wanted,
    outcome,
    before,
    readAt,
  }: { wanted: WantedStatus; outcome: Outcome; before: Stored | undefined; readAt: Date },
): Promise<number | undefined> => {
  const digest = digestOf(wanted);
  const attempts = before?.tried === digest ? before.attempts + 1 : 1;
  const seconds = outcome.isDone || outcome.isFinal ? undefined : RETRY_SECONDS[attempts - 1];
  const row = {
    ...{ tried: digest, attempts, changed_at: readAt, problem: outcome.isDone ? null : outcome.problem },
    retry_at: seconds === undefined ? null : sql<Date>`clock_timestamp() + make_interval(secs => ${seconds})`,
    ...(outcome.isDone ? { said: digest, state: wanted.state, description: wanted.description, ...outcome.told } : {}),
  };
  await db
    .insertInto('commit_statuses')
    .values({ client_id: clientId, repository_id: repository.id, commit_hash: wanted.commit, ...row })
    .onConflict((conflict) => conflict.columns(['client_id', 'repository_id', 'commit_hash']).doUpdateSet(row))
    .execute();
  return seconds;
};

/** Nothing new to say, tried often enough, or not due yet. */
const isOver = (wanted: WantedStatus, before: Stored | undefined): boolean => {
  const digest = digestOf(wanted);
  if (before === undefined) return false;
  if (before.said === digest && before.tried === digest) return true;
  return before.tried === digest && (before.isWaiting || before.attempts > RETRY_SECONDS.length);
};

/** Tells the provider of a repository what it does not show yet. @returns in how many seconds to try again; undefined for never */
const tellProvider = async (
  deps: ScanJobDeps,
  { clientId, repositoryId }: { clientId: string; repositoryId: string },
  signal: AbortSignal,
): Promise<number | undefined> => {
  const { database, publicOrigin } = deps.scanning;
  const plan = await database.forClient(clientId, async (db) => {
    const place = await placeOf(deps, db, { clientId, repositoryId });
    if (place === undefined) return undefined;
    const { rows } = await sql<{ now: Date }>`select now()`.execute(db);
    const readAt = rows[0]?.now ?? new Date();
    const { repository } = place;
    const wanted = await readWantedStatuses(db, { clientId, repository, publicOrigin });
    return { place, readAt, wanted, stored: await readStored(db, place) };
  });
  let next: number | undefined;
  for (const wanted of plan?.wanted ?? []) {
    if (plan === undefined) break;
    signal.throwIfAborted();
    const before = plan.stored.find((one) => one.commit_hash === wanted.commit);
    if (isOver(wanted, before)) continue;
    const outcome = await tell(deps, plan.place, wanted, plan.stored);
    if (outcome === null) return undefined;
    const kept = { wanted, outcome, before, readAt: plan.readAt };
    const seconds = await database.forClient(clientId, (db) => keep(db, plan.place, kept));
    if (seconds !== undefined) next = Math.min(next ?? seconds, seconds);
  }
  return next;
};

interface CommitStatusRef {
  clientId: string;
  repositoryId: string;
}

/** Sets the statuses of the commits of one repository, and comments on its pull requests. Never fails a scan: what went wrong is kept beside it. */
export const setCommitStatuses = defineJob({
  ...COMMIT_STATUS_JOB,
  input: CommitStatusInput,
  ofDue: ({ clientId, key }) => ({ clientId, repositoryId: key }),
  run: (deps: ScanJobDeps, { data, signal }: JobRun<CommitStatusRef>) => {
    const subject = { clientId: data.clientId, key: data.repositoryId };
    const run = { job: COMMIT_STATUS_JOB, state: commitStatusState, subject, input: data };
    return runAlone({ database: deps.scanning.database, jobs: deps.jobs }, run, () => tellProvider(deps, data, signal));
  },
});
