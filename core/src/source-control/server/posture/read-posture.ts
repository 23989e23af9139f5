import { sql } from 'kysely';
import { type ImportedRecord, importRecords, type UploadDependencies } from '../../../ingest/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { POSTURE_TITLE, POSTURE_TOOL, postureFinding } from '../../../platform/model/posture-checks.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type PostureState, postureStates } from '../../model/posture.ts';
import type { SourceControlDeps } from '../deps.ts';
import { findSubject, type RepositoryRef } from '../subject.ts';
import './tables.ts';

/** What readings of settings need besides the slice's own. */
export interface PostureDeps extends SourceControlDeps {
  ingest: UploadDependencies;
}

/** What says what a source control can do. */
interface CapabilityDeps {
  connections: Pick<SourceControlDeps['connections'], 'capability'>;
}

/** Dozens of requests one after the other, of a provider that may be slow. */
const READING_MS = 120_000;
const NEXT_HOURS = 24;
const AFTER_FAILURE_HOURS = 1;
const MAX_PROBLEM = 1000;

/** Whether settings of repositories of a source control can be read at all. In a transaction of the organisation. */
export const canReadPosture = async (
  { connections }: CapabilityDeps,
  db: Db,
  connectionKey: { clientId: string; connectorId: string },
): Promise<boolean> => (await connections.capability(connectionKey, 'scm', db))?.posture !== undefined;

/** Why the settings of a repository are never read; null where they are. In a transaction of the organisation. */
export const postureIssue = async (
  deps: CapabilityDeps,
  db: Db,
  { clientId, ...repository }: Readonly<{ clientId: string; source_control: string; external_id: string | null }>,
): Promise<string | null> => {
  if (!(await canReadPosture(deps, db, { clientId, connectorId: repository.source_control })))
    return msg('Its source control has no settings that can be read.');
  if (repository.external_id !== null) return null;
  return msg(
    'It was added by its address. Import it through the connection of its source control, so that its settings can be read.',
  );
};

/** Keeps what came of a reading. A removed repository keeps nothing. */
const keep = async (
  db: Db,
  { clientId, repositoryId }: RepositoryRef,
  outcome: { answers: readonly PostureState[] } | { problem: string },
): Promise<void> => {
  const isRead = 'answers' in outcome;
  const answers = isRead ? JSON.stringify(outcome.answers) : null;
  const problem = isRead ? null : outcome.problem.slice(0, MAX_PROBLEM).toWellFormed();
  await sql`
    insert into repository_posture as p (client_id, repository_id, answers, read_at, problem, next_at)
    select client_id, id, coalesce(${answers}::jsonb, '[]'), case when ${isRead} then now() end, ${problem}::text,
      now() + make_interval(hours => ${isRead ? NEXT_HOURS : AFTER_FAILURE_HOURS})
    from repositories where client_id = ${clientId} and id = ${repositoryId}
    on conflict (client_id, repository_id) do update
    set answers = coalesce(${answers}::jsonb, p.answers), read_at = coalesce(excluded.read_at, p.read_at),
      problem = excluded.problem, next_at = excluded.next_at`.execute(db);
};

/** What the settings come to: a finding for each that is wrong; of what could not be seen nothing is said. */
export const recordsOf = (states: readonly PostureState[]): ImportedRecord[] => {
  const unchecked = states.flatMap(({ check, state }) => (state === 'unknown' ? [check] : []));
  const findings = states.flatMap(({ check, state, detail, url }) =>
    state === 'at-risk' ? [postureFinding(check, { detail, url })] : [],
  );
  return unchecked.length === 0 ? findings : [{ kind: 'coverage', unchecked }, ...findings];
};

const readAndImport = async (
  deps: PostureDeps,
  { clientId, repositoryId }: RepositoryRef,
  { userId, signal }: { userId: string | null; signal: AbortSignal },
): Promise<string> => {
  const { subject, issue, scm } = await deps.database.forClient(clientId, async (db) => {
    const found = await findSubject(db, { clientId, repositoryId });
    if (found === undefined) throw new AppError('repository_not_found');
    return {
      subject: found,
      issue: await postureIssue(deps, db, { clientId, ...found }),
      scm: await deps.connections.capability({ clientId, connectorId: found.source_control }, 'scm', db),
    };
  });
  const { source_control: connectorId, external_id: externalId } = subject;
  if (issue !== null || externalId === null || scm?.posture === undefined) {
    throw new AppError('conflict', issue ?? msg('Its settings cannot be read.'));
  }
  const ask = scm.posture.bind(scm);
  const answers = await deps.connections.use({ clientId, connectorId }, (ctx) => ask(ctx, externalId), {
    timeoutMs: READING_MS,
    signal,
  });
  const states = postureStates(answers);
  const scanId = await importRecords(
    deps.ingest,
    { clientId, repositoryId, connectorId, toolId: POSTURE_TOOL, label: POSTURE_TITLE, userId },
    recordsOf(states),
  );
  await deps.database.forClient(clientId, (db) => keep(db, { clientId, repositoryId }, { answers: states }));
  return scanId;
};

/**
 * Reads the settings of a repository at its provider and imports what is wrong with them, the one way of a finding. A failure stands with the
 * repository and is tried again within hours; what was known before stays. @returns the import's scan
 * @throws AppError with the reason
 */
export const readPosture = async (
  deps: PostureDeps,
  repository: RepositoryRef,
  request: { userId: string | null; signal: AbortSignal },
): Promise<string> => {
  try {
    return await readAndImport(deps, repository, request);
  } catch (error) {
    if (error instanceof AppError && !request.signal.aborted) {
      const problem = error.userMessage;
      await deps.database.forClient(repository.clientId, (db) => keep(db, repository, { problem }));
    }
    throw error;
  }
};

/** What is known of the settings of a repository. */
export const readKept = (db: Db, { clientId, repositoryId }: RepositoryRef) =>
  db
    .selectFrom('repositories as r')
    .leftJoin('repository_posture as p', (join) =>
      join.onRef('p.client_id', '=', 'r.client_id').onRef('p.repository_id', '=', 'r.id'),
    )
    .select(['r.source_control', 'r.external_id', 'p.answers', 'p.read_at', 'p.problem'])
    .where('r.client_id', '=', clientId)
    .where('r.id', '=', repositoryId)
    .executeTakeFirst();
