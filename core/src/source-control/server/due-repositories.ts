import { connectionProblem } from '../../connectors/server/index.ts';
import type { Db } from '../../platform/server/database.ts';
import type { JobQueue, JobType } from '../../platform/server/jobs/define-job.ts';
import type { SourceControlDeps } from './deps.ts';
import type { RepositoryRef } from './subject.ts';

/** How often it is looked for repositories that are due. */
export const EVERY_SECONDS = 60;
/** Of one organisation at one look; the others follow at the next one. */
export const MAX_AT_ONCE = 200;

/** Whether something is done with the repositories of a source control. In a transaction of the organisation. */
export type Concerns = (db: Db, connectionKey: { clientId: string; connectorId: string }) => Promise<boolean>;

/** Source controls of an organisation, also those that it added, with whose repositories it is done. In a transaction of it. */
const sourceControlsOf = async (
  { connections }: Pick<SourceControlDeps, 'connections'>,
  db: Db,
  { clientId, concerns }: { clientId: string; concerns: Concerns },
): Promise<string[]> => {
  const found: string[] = [];
  for (const { connector } of await connections.entries(db, clientId))
    if (await concerns(db, { clientId, connectorId: connector.id })) found.push(connector.id);
  return found;
};

/** Which repositories of a client are due; with `id` only that one. */
export type ReadDue = (
  db: Db,
  request: { clientId: string; sourceControls: readonly string[]; id?: string },
) => Promise<string[]>;

/** Whether something is still due for one repository: a job may come late, or twice. */
export const isDue = (
  deps: Pick<SourceControlDeps, 'database' | 'connections'>,
  { concerns, readDue }: Pick<DueWork, 'concerns' | 'readDue'>,
  { clientId, repositoryId }: RepositoryRef,
): Promise<boolean> =>
  deps.database.forClient(clientId, async (db) => {
    const sourceControls = await sourceControlsOf(deps, db, { clientId, concerns });
    return (await readDue(db, { clientId, sourceControls, id: repositoryId })).length > 0;
  });

/** What is done with repositories of connected source controls, again and again. */
interface DueWork {
  readonly job: JobType<RepositoryRef>;
  readonly concerns: Concerns;
  readonly readDue: ReadDue;
}

/**
 * Enqueues a job for every repository that is due, in every organisation, where the connection to its source control works.
 * @returns how many
 */
export const enqueueDueRepositories = async (
  deps: Pick<SourceControlDeps, 'database' | 'connections'>,
  jobs: Pick<JobQueue, 'enqueue'>,
  { job, concerns, readDue }: DueWork,
): Promise<number> => {
  const { database, connections } = deps;
  const clients = await database.forIdentity((db) => db.selectFrom('clients').select('id').orderBy('id').execute());
  let count = 0;
  for (const { id: clientId } of clients) {
    await database.forClient(clientId, async (db) => {
      const connected: string[] = [];
      for (const id of await sourceControlsOf(deps, db, { clientId, concerns })) {
        // without a connection there is nothing to ask; a limit that the provider set passes by itself
        if (connectionProblem(await connections.item(db, clientId, id)) === null) connected.push(id);
      }
      if (connected.length === 0) return;
      const due = await readDue(db, { clientId, sourceControls: connected });
      for (const repositoryId of due) await jobs.enqueue(db, job, { clientId, repositoryId });
      count += due.length;
    });
  }
  return count;
};
