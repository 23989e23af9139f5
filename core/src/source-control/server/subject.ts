import { Type } from 'typebox';
import type { Db } from '../../platform/server/database.ts';

/** A repository of a client. */
export interface RepositoryRef {
  clientId: string;
  repositoryId: string;
}

/** The same as the input of a job. */
export const RepositoryInput = Type.Object({ clientId: Type.String(), repositoryId: Type.String() });

/** The repository as its provider knows it. Reads the primary key of repositories. */
export const findSubject = (db: Db, { clientId, repositoryId }: RepositoryRef) =>
  db
    .selectFrom('repositories')
    .select(['source_control', 'external_id', 'is_sample'])
    .where('client_id', '=', clientId)
    .where('id', '=', repositoryId)
    .executeTakeFirst();
