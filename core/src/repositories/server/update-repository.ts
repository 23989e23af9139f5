import { sql } from 'kysely';
import type { Static } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { can } from '../../platform/model/permissions.ts';
import { say } from '../../platform/model/sentence.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { Db } from '../../platform/server/database.ts';
import type { Caller } from '../../platform/server/endpoint.ts';
import { publish } from '../../platform/server/events.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import { rescoreRepository } from '../../prioritisation/server/index.ts';
import type { RepositoryChange } from '../api/routes.ts';
import { keptTags } from '../model/repository-fields.ts';
import './tables.ts';

type Change = Static<typeof RepositoryChange>;
type Field = keyof Change;

const FIELDS = ['nickname', 'repository_branch', 'owner', 'tags', 'exposure', 'data_class', 'schedule'] as const;

/** @throws validation_failed: an owner must be an active user of the same client; row-level security hides all others. */
export const requireOwners = async (db: Db, owners: readonly string[], loc: string[]): Promise<void> => {
  if (owners.length === 0) return;
  const known = await db
    .selectFrom('users')
    .select('id')
    .where('id', 'in', [...owners])
    .where('status', '=', 'active')
    .execute();
  const missing = owners.filter((owner) => !known.some((user) => user.id === owner));
  if (missing.length === 0) return;
  throw new AppError('validation_failed', undefined, {
    issues: missing.map((owner) => ({
      loc,
      msg: sayEnglish('There is no user {owner} here.', { owner }),
      type: 'unknown_user',
    })),
  });
};

/** The stored fields, locked. @throws repository_not_found */
export const lockFields = async (db: Db, clientId: string, id: string) => {
  const row = await db
    .selectFrom('repositories')
    .select([...FIELDS, 'url', 'source_control', 'is_sample'])
    .where('client_id', '=', clientId)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) throw new AppError('repository_not_found');
  return row;
};

type Stored = Awaited<ReturnType<typeof lockFields>>;

/** Without an address the name tells repositories apart. @throws conflict */
const requireFreeName = async (db: Db, clientId: string, stored: Stored, nickname: string): Promise<void> => {
  if (stored.url !== '' || nickname.toLowerCase() === stored.nickname.toLowerCase()) return;
  const { rows } = await sql`
    select from repositories
    where client_id = ${clientId} and source_control = ${stored.source_control} and url = '' and lower(nickname) = lower(${nickname})
  `.execute(db);
  if (rows.length > 0) throw new AppError('conflict', say('There is a repository "{nickname}" already.', { nickname }));
};

/** A branch that reports were imported for has findings of its own, which would then stand beside those of the default branch. @throws conflict */
export const requireNoBranch = async (
  db: Db,
  repository: { clientId: string; id: string; branch: string },
): Promise<void> => {
  const found = await db
    .selectFrom('repository_branches')
    .select('id')
    .where('client_id', '=', repository.clientId)
    .where('repository_id', '=', repository.id)
    .where('name', '=', repository.branch)
    .executeTakeFirst();
  if (found === undefined) return;
  const why = sayEnglish(
    'Reports were imported for {branch} as another branch already, so that it has findings of its own.',
    { branch: repository.branch },
  );
  throw new AppError('conflict', say('{why} It cannot become the default branch.', { why }));
};

const readUsername = async (db: Db, id: string | null): Promise<string | null> => {
  if (id === null) return null;
  const row = await db.selectFrom('users').select('username').where('id', '=', id).executeTakeFirst();
  return row?.username ?? id;
};

/** A value as people read it in the history. */
const textOf = async (db: Db, field: Field, value: Stored[Field]): Promise<string | null> => {
  if (field === 'owner') return readUsername(db, typeof value === 'string' ? value : null);
  if (Array.isArray(value)) return value.length === 0 ? null : value.join(', ');
  return value;
};

const isSame = (before: Stored[Field], after: Stored[Field]): boolean =>
  JSON.stringify(before) === JSON.stringify(after);

/** What is changed by whom, for the history. Row of `repository_events`. */
export interface RepositoryEvent {
  clientId: string;
  repositoryId: string;
  actor: Pick<Caller, 'userId' | 'username'>;
  field: 'added' | 'workflow_pr' | 'source' | Field;
  from: string | null;
  to: string | null;
}

export const addRepositoryEvents = async (db: Db, events: readonly RepositoryEvent[]): Promise<void> => {
  if (events.length === 0) return;
  const rows = events.map(({ clientId, repositoryId, actor, field, from, to }) => ({
    ...{ client_id: clientId, repository_id: repositoryId, field, from_value: from, to_value: to },
    ...{ actor: actor.userId, actor_name: actor.username },
  }));
  await db.insertInto('repository_events').values(rows).execute();
};

/** Writes an event that is true once: asked for again with the same value, the history stays as it is. @throws repository_not_found */
export const addRepositoryEventOnce = async (db: Db, event: RepositoryEvent): Promise<void> => {
  const { clientId, repositoryId, field, to } = event;
  await lockFields(db, clientId, repositoryId);
  const known = await db
    .selectFrom('repository_events')
    .select('id')
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repositoryId)
    .where('field', '=', field)
    .where('to_value', '=', to)
    .executeTakeFirst();
  if (known === undefined) await addRepositoryEvents(db, [event]);
};

/** Tells open pages of whoever sees the repository, and of `userIds` besides, that something of it is another one now. */
export const publishChange = (
  db: Db,
  { clientId, id, userIds }: { clientId: string; id: string; userIds: readonly string[] },
): Promise<void> =>
  publish(db, {
    clientId,
    type: 'repository.changed',
    data: { repository_id: id },
    audience: { repositoryIds: [id], userIds },
  });

/** @throws whatever the new values may not be */
const judge = async (
  db: Db,
  { caller, id, stored, wanted }: { caller: Caller; id: string; stored: Stored; wanted: Partial<Stored> },
): Promise<void> => {
  const { clientId } = caller;
  if (wanted.schedule !== undefined && !can(caller.role, 'settings.write')) {
    throw new AppError('forbidden', msg('Your role may not change when repositories are scanned.'));
  }
  if (typeof wanted.owner === 'string') await requireOwners(db, [wanted.owner], ['body', 'owner']);
  if (wanted.nickname !== undefined) await requireFreeName(db, clientId, stored, wanted.nickname);
  if (wanted.repository_branch !== undefined) {
    await requireNoBranch(db, { clientId, id, branch: wanted.repository_branch });
  }
};

/**
 * Changes what is set of a repository and writes it into its history; the same values again change nothing. Another exposure or data
 * class scores its findings anew, by a job. @throws repository_not_found, validation_failed, conflict, forbidden
 */
export const updateRepository = async (
  db: Db,
  request: { caller: Caller; id: string; change: Change; jobs: Pick<JobQueue, 'enqueue'> },
): Promise<void> => {
  const { caller, id, change, jobs } = request;
  const { clientId } = caller;
  const stored = await lockFields(db, clientId, id);
  const asked = change.tags === undefined ? change : { ...change, tags: keptTags(change.tags) };
  const fields = FIELDS.filter((field) => asked[field] !== undefined && !isSame(stored[field], asked[field] ?? null));
  if (fields.length === 0) return;
  const wanted: Partial<Stored> = Object.fromEntries(fields.map((field) => [field, asked[field]]));
  await judge(db, { caller, id, stored, wanted });
  await db.updateTable('repositories').set(wanted).where('client_id', '=', clientId).where('id', '=', id).execute();
  const events: RepositoryEvent[] = [];
  for (const field of fields) {
    const from = await textOf(db, field, stored[field]);
    const to = await textOf(db, field, asked[field] ?? null);
    events.push({ clientId, repositoryId: id, actor: caller, field, from, to });
  }
  await addRepositoryEvents(db, events);
  if (wanted.exposure !== undefined || wanted.data_class !== undefined) {
    await rescoreRepository(db, jobs, { clientId, repositoryId: id });
  }
  await publishChange(db, { clientId, id, userIds: stored.owner === null ? [] : [stored.owner] });
};

/** When somebody leaves, their repositories go to another person or to nobody; the history of each says so. Index: repositories_owner. */
export const handOverRepositories = async (
  db: Db,
  request: { caller: Caller; from: { id: string; username: string }; to: string | null },
): Promise<void> => {
  const { caller, from, to } = request;
  const { clientId } = caller;
  const given = await db
    .updateTable('repositories')
    .set({ owner: to })
    .where('client_id', '=', clientId)
    .where('owner', '=', from.id)
    .returning('id')
    .execute();
  if (given.length === 0) return;
  const heir = await readUsername(db, to);
  const change = { clientId, actor: caller, field: 'owner', from: from.username, to: heir } as const;
  await addRepositoryEvents(
    db,
    given.map(({ id }) => ({ ...change, repositoryId: id })),
  );
  const userIds = [from.id, ...(to === null ? [] : [to])];
  for (const { id } of given) {
    await publishChange(db, { clientId, id, userIds });
  }
};
