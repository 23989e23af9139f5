import { type RawBuilder, sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import { giveRole } from '../../../team/server/index.ts';
import type { ScimGroup } from '../../model/scim/group.ts';
import { scimRefusal } from '../../model/scim/refusals.ts';
import { roleOf } from '../../model/settings.ts';
import { readSettings } from '../settings-store.ts';
import { type FilterColumns, filterSql } from './filter-sql.ts';
import type { Page } from './read-users.ts';
import '../tables.ts';

export interface GroupRow {
  id: string;
  display_name: string;
  external_id: string | null;
  created_at: Date;
  updated_at: Date;
  members: { id: string; name: string }[];
}

const COLUMNS: FilterColumns = {
  id: { kind: 'text', of: sql`g.id::text` },
  displayname: { kind: 'text', of: sql`g.display_name` },
  externalid: { kind: 'text', of: sql`g.external_id` },
  'meta.created': { kind: 'time', of: sql`g.created_at` },
  'meta.lastmodified': { kind: 'time', of: sql`g.updated_at` },
};

/** Key: primary keys. */
const read = (db: Db, clientId: string, where: RawBuilder<boolean>, { offset, count }: Page) =>
  sql<GroupRow>`
    select g.id, g.display_name, g.external_id, g.created_at, g.updated_at, (
      select coalesce(jsonb_agg(jsonb_build_object('id', u.id, 'name', u.username) order by u.id), '[]')
      from provisioned_group_members m
      join users u on u.client_id = m.client_id and u.id = m.user_id
      where m.client_id = ${clientId} and m.group_id = g.id
    ) as members
    from provisioned_groups g where g.client_id = ${clientId} and ${where}
    order by g.id offset ${offset} limit ${count}`.execute(db);

/** A page in order of creation, and how many there are. @throws bad_request */
export const listGroups = async (
  db: Db,
  clientId: string,
  { filter, ...page }: Page & { filter: string | undefined },
): Promise<{ rows: GroupRow[]; total: number }> => {
  const where = filterSql(filter, COLUMNS);
  const { rows: counted } = await sql<{ total: number }>`
    select count(*)::integer as total from provisioned_groups g where g.client_id = ${clientId} and ${where}`.execute(
    db,
  );
  const { rows } = await read(db, clientId, where, page);
  return { rows, total: counted[0]?.total ?? 0 };
};

export const findGroup = async (db: Db, clientId: string, id: string): Promise<GroupRow | undefined> =>
  (await read(db, clientId, sql`g.id = ${id}::uuid`, { offset: 0, count: 1 })).rows[0];

/** Names of the groups of a member. Index: provisioned_group_members_user. */
export const groupNamesOf = async (db: Db, clientId: string, userId: string): Promise<string[]> => {
  const rows = await db
    .selectFrom('provisioned_group_members')
    .innerJoin('provisioned_groups', (join) =>
      join
        .onRef('provisioned_groups.client_id', '=', 'provisioned_group_members.client_id')
        .onRef('provisioned_groups.id', '=', 'provisioned_group_members.group_id'),
    )
    .select('provisioned_groups.display_name')
    .where('provisioned_group_members.client_id', '=', clientId)
    .where('provisioned_group_members.user_id', '=', userId)
    .execute();
  return rows.map(({ display_name }) => display_name);
};

/** Gives members the roles that their groups say. An only admin stays one: nobody else could put the groups right. */
const applyRoles = async (db: Db, clientId: string, userIds: Iterable<string>): Promise<void> => {
  const settings = await readSettings(db, clientId);
  if (settings === undefined || settings.role_rules.length === 0) return;
  for (const id of userIds) {
    const role = roleOf(await groupNamesOf(db, clientId, id), settings.role_rules, settings.default_role);
    if (role === undefined) continue;
    await giveRole(db, { clientId, id, role }).catch((error: unknown) => {
      // whoever is inactive gets the role when they come back
      if (!(error instanceof AppError) || (error.code !== 'conflict' && error.code !== 'user_not_found')) throw error;
    });
  }
};

/** @throws bad_request where somebody is no user of the organisation */
const requireUsers = async (db: Db, clientId: string, ids: readonly string[]): Promise<void> => {
  const isId = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
  const { rows } = await sql<{ id: string }>`
    select u.id from unnest(${ids.filter((id) => isId.test(id))}::uuid[]) wanted (id)
    cross join lateral (
      select id from users where client_id = ${clientId} and id = wanted.id and role <> 'superadmin'
    ) u`.execute(db);
  const known = new Set(rows.map(({ id }) => id));
  const unknown = ids.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw scimRefusal('invalidValue', `There is no user with the id ${unknown.slice(0, 100)}.`);
};

/** @throws conflict */
const requireFreeName = async (db: Db, clientId: string, name: string, except: string | null): Promise<void> => {
  const { rows } = await sql`
    select 1 from provisioned_groups
    where client_id = ${clientId} and lower(display_name) = lower(${name}) and id is distinct from ${except}::uuid`.execute(
    db,
  );
  if (rows.length > 0) throw scimRefusal('uniqueness', `There is a group named "${name}".`);
};

const replaceMembers = async (db: Db, clientId: string, id: string, members: readonly string[]): Promise<void> => {
  await db
    .deleteFrom('provisioned_group_members')
    .where('client_id', '=', clientId)
    .where('group_id', '=', id)
    .execute();
  if (members.length === 0) return;
  await sql`
    insert into provisioned_group_members (client_id, group_id, user_id)
    select ${clientId}::uuid, ${id}::uuid, unnest(${[...members]}::uuid[])`.execute(db);
};

/** Makes a group, or makes one what the provider says; the roles of its people follow. @returns its id @throws bad_request, conflict */
export const writeGroup = async (
  db: Db,
  clientId: string,
  { group, before }: { group: ScimGroup; before: GroupRow | undefined },
): Promise<string> => {
  const { displayName, externalId, members } = group;
  await requireFreeName(db, clientId, displayName, before?.id ?? null);
  const known = new Set(before?.members.map(({ id }) => id));
  await requireUsers(
    db,
    clientId,
    members.filter((id) => !known.has(id)),
  );
  const said = { display_name: displayName, external_id: externalId, updated_at: sql<Date>`now()` };
  const { id } =
    before ??
    (await db
      .insertInto('provisioned_groups')
      .values({ client_id: clientId, ...said })
      .returning('id')
      .executeTakeFirstOrThrow());
  await db.updateTable('provisioned_groups').set(said).where('client_id', '=', clientId).where('id', '=', id).execute();
  await replaceMembers(db, clientId, id, members);
  await applyRoles(db, clientId, new Set([...known, ...members]));
  return id;
};

/** Removes a group; the roles of its people follow. */
export const removeGroup = async (db: Db, clientId: string, { id, members }: GroupRow): Promise<void> => {
  await db.deleteFrom('provisioned_groups').where('client_id', '=', clientId).where('id', '=', id).execute();
  await applyRoles(
    db,
    clientId,
    members.map((member) => member.id),
  );
};
