import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import type { Db } from '../../platform/server/database.ts';
import './tables.ts';

export interface NewRepository {
  clientId: string;
  nickname: string;
  url: string;
  sourceControl: string;
  branch: string;
  externalId: string | null;
  tags: string[];
  owner: string | null;
  isSample?: boolean;
}

const keyOf = (url: string, nickname: string): string => (url === '' ? `name:${nickname}` : url);

/** The repository of an id at the provider, else of the address. Indexes: repositories_external_id, repositories_address. */
const findRepository = async (db: Db, repository: NewRepository) => {
  const { clientId, sourceControl, externalId } = repository;
  const { rows } = await sql<{ id: string; external_id: string | null; url: string }>`
    (select id, external_id, url, 0 as rank from repositories
      where client_id = ${clientId} and source_control = ${sourceControl} and external_id = ${externalId})
    union all
    (select id, external_id, url, 1 from repositories
      where client_id = ${clientId} and source_control = ${sourceControl}
        and lower(case when url = '' then 'name:' || nickname else url end) = lower(${keyOf(repository.url, repository.nickname)}))
    order by rank limit 1`.execute(db);
  const [found] = rows;
  if (found === undefined) throw new Error('A repository was neither made nor found');
  return found;
};

/** Another address of the same id: it was renamed at the provider. Another id at the same address: it was made anew there. */
const followProvider = async (
  db: Db,
  repository: NewRepository,
  found: { id: string; external_id: string | null; url: string },
): Promise<void> => {
  const { clientId, sourceControl, externalId, url } = repository;
  if (externalId === null) return;
  if (found.external_id !== externalId) {
    await db
      .updateTable('repositories')
      .set({ external_id: externalId })
      .where('client_id', '=', clientId)
      .where('id', '=', found.id)
      .execute();
  } else if (url !== '' && found.url !== url) {
    await sql`
      update repositories r set url = ${url}
      where r.client_id = ${clientId} and r.id = ${found.id} and not exists (
        select from repositories o
        where o.client_id = r.client_id and o.source_control = ${sourceControl} and o.id <> r.id and o.url <> '' and lower(o.url) = lower(${url}))
    `.execute(db);
  }
};

/**
 * Adds a repository, or finds the one that is there: same source control and id at the provider, else same address, or without an address
 * same name. Two at once make one (unique indexes repositories_address, repositories_external_id).
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
  const found = await findRepository(db, repository);
  await followProvider(db, repository, found);
  return { id: found.id, isNew: false };
};

/** One list of repositories at a time: two that hold the same ones in another order would wait for each other for ever. */
export const lockAdding = async (db: Db, clientId: string): Promise<void> => {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`repositories:${clientId}`}, 0))`.execute(db);
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
