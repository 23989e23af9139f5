import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import type { Db } from '../../platform/server/database.ts';
import type { RepositoriesTable } from './tables.ts';

export interface NewRepository {
  clientId: string;
  nickname: string;
  url: string;
  sourceControl: RepositoriesTable['source_control'];
  branch: string;
  externalId: string | null;
  tags: string[];
  owner: string | null;
  isSample?: boolean;
}

/**
 * Adds a repository, or finds the one that is there: same source control and address, or without an address same name.
 * Two at once make one (unique index repositories_address).
 * @returns its id, and whether it was made now.
 */
export const upsertRepository = async (db: Db, repository: NewRepository): Promise<{ id: string; isNew: boolean }> => {
  const { clientId, nickname, url, sourceControl } = repository;
  const made = await sql<{ id: string }>`
    insert into repositories (client_id, nickname, url, source_control, repository_branch, external_id, tags, owner, is_sample)
    values (${clientId}, ${nickname}, ${url}, ${sourceControl}, ${repository.branch}, ${repository.externalId},
      ${repository.tags}::text[], ${repository.owner}, ${repository.isSample ?? false})
    on conflict do nothing
    returning id
  `.execute(db);
  const [row] = made.rows;
  if (row !== undefined) return { id: row.id, isNew: true };
  const known = await sql<{ id: string }>`
    select id from repositories
    where client_id = ${clientId} and source_control = ${sourceControl}
      and lower(case when url = '' then 'name:' || nickname else url end) = lower(${url === '' ? `name:${nickname}` : url})
  `.execute(db);
  const [found] = known.rows;
  if (found === undefined) throw new Error('A repository was neither made nor found');
  return { id: found.id, isNew: false };
};

/** Removes what one slice keeps of a repository. `repositoryIds`: of its branches, then of the repository. */
export type RepositoryRemoval = (
  db: Db,
  request: { clientId: string; repositoryIds: readonly string[] },
) => Promise<void>;

/**
 * Removes a repository with all that other slices keep of it: each of them offers a removal, because only the owner of a
 * table writes it. They run in the given order. @throws repository_not_found.
 */
export const removeRepository = async (
  db: Db,
  request: { clientId: string; id: string; removals: readonly RepositoryRemoval[] },
): Promise<{ owner: string | null }> => {
  const { clientId, id, removals } = request;
  // The same lock as an import takes, so that none writes into what is being removed.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`repository:${id}`}, 0))`.execute(db);
  const { rows } = await sql<{ owner: string | null }>`
    select owner from repositories where client_id = ${clientId} and id = ${id} for update
  `.execute(db);
  const [known] = rows;
  if (known === undefined) throw new AppError('repository_not_found');
  const branches = await sql<{ id: string }>`
    select id from repository_branches where client_id = ${clientId} and repository_id = ${id} order by id
  `.execute(db);
  const repositoryIds = [...branches.rows.map((branch) => branch.id), id];
  for (const remove of removals) await remove(db, { clientId, repositoryIds });
  await sql`delete from repositories where client_id = ${clientId} and id = ${id}`.execute(db);
  return known;
};
