import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { RepositoriesTable } from '../tables.ts';

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
