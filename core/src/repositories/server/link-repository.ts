import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { lockAdding } from './change-repositories.ts';
import './tables.ts';
import { addRepositoryEvents, lockFields, publishChange, requireNoBranch } from './update-repository.ts';
import './tables.ts';

export interface SourceLink {
  caller: Caller;
  id: string;
  sourceControl: string;
  externalId: string;
  /** As the provider has it now. */
  found: { name: string; url: string; defaultBranch: string | null };
}

/** Findings of two repositories cannot be told to be the same ones, so that only one may stand for it. @throws conflict */
const requireNotImported = async (db: Db, link: SourceLink): Promise<void> => {
  const { caller, id, sourceControl, externalId, found } = link;
  const { rows } = await sql<{ nickname: string }>`
    select nickname from repositories
    where client_id = ${caller.clientId} and source_control = ${sourceControl} and id <> ${id}
      and (external_id = ${externalId} or (url <> '' and lower(url) = lower(${found.url})))
    limit 1
  `.execute(db);
  const [other] = rows;
  if (other === undefined) return;
  throw new AppError(
    'conflict',
    say('“{repository}” is here already as “{nickname}”. Upload the reports there, or delete it first.', {
      repository: found.name,
      nickname: other.nickname,
    }),
  );
};

/**
 * Makes an application, whose reports were uploaded, the repository of a provider, so that its files can be read and its fixes delivered.
 * Its findings, verdicts and components stay. @throws repository_not_found; conflict where it has a source control already, is sample
 * data, the repository is here already, or the provider's default branch has findings of its own here
 */
export const linkToSource = async (db: Db, link: SourceLink): Promise<void> => {
  const { caller, id, sourceControl, externalId, found } = link;
  const { clientId } = caller;
  await lockAdding(db, clientId);
  const stored = await lockFields(db, clientId, id);
  if (stored.is_sample)
    throw new AppError('conflict', msg('Sample data has no repository. Upload reports of your own.'));
  if (stored.source_control !== 'git')
    throw new AppError('conflict', say('“{name}” comes from a source control already.', { name: stored.nickname }));
  await requireNotImported(db, link);
  const branch = found.defaultBranch ?? stored.repository_branch;
  if (branch !== stored.repository_branch) await requireNoBranch(db, { clientId, id, branch });
  await db
    .updateTable('repositories')
    .set({ source_control: sourceControl, external_id: externalId, url: found.url, repository_branch: branch })
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .execute();
  const from = stored.url === '' ? null : stored.url;
  await addRepositoryEvents(db, [{ clientId, repositoryId: id, actor: caller, field: 'source', from, to: found.name }]);
  await publishChange(db, { clientId, id, userIds: stored.owner === null ? [] : [stored.owner] });
};
