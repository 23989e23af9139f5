import { type RawBuilder, sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { ScimUser } from '../../model/scim/user.ts';
import { type FilterColumns, filterSql } from './filter-sql.ts';
import '../tables.ts';

/** A member as an identity provider sees them. */
export interface UserRow {
  id: string;
  user_name: string;
  external_id: string | null;
  email: string;
  /** Null for a member whom no provider has written yet. */
  document: Pick<ScimUser, 'displayName' | 'title' | 'name' | 'emails'> | null;
  active: boolean;
  username: string;
  created_at: Date;
  updated_at: Date;
  groups: { id: string; name: string }[];
}

/** Members of an organisation, and those whom its provider deactivated; superadmins belong to the platform. Key: primary keys. */
const people = (clientId: string): RawBuilder<UserRow> => sql`
  select u.id, coalesce(p.user_name, u.email) as user_name, p.external_id, p.document, u.username,
    case when u.status = 'active' then u.email else p.email end as email, u.status = 'active' as active,
    u.created_at, coalesce(p.updated_at, u.created_at) as updated_at
  from users u
  left join provisioned_users p on p.client_id = u.client_id and p.user_id = u.id
  where u.client_id = ${clientId} and u.role <> 'superadmin'
    and (u.status = 'active' or u.status = 'disabled' and p.user_id is not null)`;

const groupsOf = (clientId: string): RawBuilder<unknown> => sql`
  select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'name', g.display_name) order by g.id), '[]')
  from provisioned_group_members m
  join provisioned_groups g on g.client_id = m.client_id and g.id = m.group_id
  where m.client_id = ${clientId} and m.user_id = s.id`;

const COLUMNS: FilterColumns = {
  id: { kind: 'text', of: sql`s.id::text` },
  username: { kind: 'text', of: sql`s.user_name` },
  externalid: { kind: 'text', of: sql`s.external_id` },
  displayname: { kind: 'text', of: sql`coalesce(s.document ->> 'displayName', s.username)` },
  emails: { kind: 'text', of: sql`s.email` },
  'emails.value': { kind: 'text', of: sql`s.email` },
  'emails.type': { kind: 'text', of: sql`coalesce(s.document #>> '{emails,0,type}', 'work')` },
  'name.familyname': { kind: 'text', of: sql`s.document #>> '{name,familyName}'` },
  'name.givenname': { kind: 'text', of: sql`s.document #>> '{name,givenName}'` },
  active: { kind: 'flag', of: sql`s.active` },
  'meta.created': { kind: 'time', of: sql`s.created_at` },
  'meta.lastmodified': { kind: 'time', of: sql`s.updated_at` },
};

export interface Page {
  /** 0-based. */
  offset: number;
  count: number;
}

/** A page in order of creation, and how many there are. @throws bad_request */
export const listUsers = async (
  db: Db,
  clientId: string,
  { filter, offset, count }: Page & { filter: string | undefined },
): Promise<{ rows: UserRow[]; total: number }> => {
  const matching = sql`(${people(clientId)}) s where ${filterSql(filter, COLUMNS)}`;
  const { rows: counted } = await sql<{ total: number }>`select count(*)::integer as total from ${matching}`.execute(
    db,
  );
  const { rows } = await sql<UserRow>`
    select s.*, (${groupsOf(clientId)}) as groups from ${matching} order by s.id offset ${offset} limit ${count}`.execute(
    db,
  );
  return { rows, total: counted[0]?.total ?? 0 };
};

export const findUser = async (db: Db, clientId: string, id: string): Promise<UserRow | undefined> => {
  const { rows } = await sql<UserRow>`
    select s.*, (${groupsOf(clientId)}) as groups from (${people(clientId)}) s where s.id = ${id}::uuid`.execute(db);
  return rows[0];
};

/** Whether somebody else has the user name, or it is their e-mail. */
export const isNameTaken = async (
  db: Db,
  clientId: string,
  { userName, email, except }: { userName: string; email: string; except: string | null },
): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from (${people(clientId)}) s
    where s.id is distinct from ${except}::uuid
      and (lower(s.user_name) = lower(${userName}) or s.active and lower(s.email) = lower(${email})) limit 1`.execute(
    db,
  );
  return rows.length > 0;
};

/** Whether the provider ended the membership of who has this e-mail. Index: provisioned_users_email. */
export const isDeactivated = async (db: Db, clientId: string, email: string): Promise<boolean> => {
  const { rows } = await sql`
    select 1 from provisioned_users p join users u on u.client_id = p.client_id and u.id = p.user_id
    where p.client_id = ${clientId} and lower(p.email) = lower(${email}) and u.status = 'disabled' limit 1`.execute(db);
  return rows.length > 0;
};
