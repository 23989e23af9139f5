import { sql } from 'kysely';
import type { Role } from '../../platform/model/permissions.ts';
import { type Db, likePattern } from '../../platform/server/database.ts';
import type { Paging } from '../../platform/server/paging.ts';
import './tables.ts';

export interface PeopleRequest {
  clientId: string;
  /** All of them without it. */
  role?: Role;
  /** Part of an e-mail or username; empty for all. */
  search: string;
  paging: Paging;
  /** Without them e-mails are neither shown nor searched. */
  hasEmails: boolean;
}

/** Members by username. A team is small: reads the client's users by primary key. */
export const listUsers = async (db: Db, request: PeopleRequest) => {
  const pattern = likePattern(request.search);
  const members = db
    .selectFrom('users')
    .where('client_id', '=', request.clientId)
    .where('status', '<>', 'disabled')
    .where(
      sql<boolean>`((${request.hasEmails} and lower(email) like lower(${pattern})) or lower(username) like lower(${pattern}))`,
    );
  const matching = request.role === undefined ? members : members.where('role', '=', request.role);
  const { total } = await matching.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .select(['id', 'email', 'username', 'role', 'status'])
    .orderBy(sql`lower(username)`)
    .orderBy('id')
    .limit(request.paging.pageSize)
    .offset(request.paging.offset)
    .execute();
  const data = rows.map(({ id, email, username, role, status }) => ({
    _id: id,
    attributes: { email: request.hasEmails ? email : null, username, role, status },
  }));
  return { data, total };
};

interface TeamRow {
  id: string;
  email: string;
  username: string;
  role: Role;
  status: 'active' | 'invited';
  enable_2fa: boolean;
  expires_at: Date | null;
}

export const teamItem = ({ id, expires_at, ...attributes }: TeamRow) => ({
  _id: id,
  attributes: { ...attributes, expires_at: expires_at?.toISOString() ?? null },
});

/** Members by username, then open invitations by e-mail. Reads both by the client's key. */
export const listTeamPage = async (db: Db, request: Pick<PeopleRequest, 'clientId' | 'search' | 'paging'>) => {
  const { clientId, paging } = request;
  const pattern = likePattern(request.search);
  const { rows } = await sql<TeamRow & { total: number }>`
    select p.*, (count(*) over ())::integer as total
    from (
      select id, email, username, role, status, two_factor_at is not null as enable_2fa, null::timestamptz as expires_at
      from users where client_id = ${clientId} and status = 'active'
      union all
      select id, email, '', role, 'invited', false, expires_at
      from invitations where client_id = ${clientId} and expires_at > now()
    ) p
    where lower(p.email) like lower(${pattern}) or lower(p.username) like lower(${pattern})
    order by p.status, lower(p.username), lower(p.email), p.id`.execute(db);
  const page = rows.slice(paging.offset, paging.offset + paging.pageSize);
  return { data: page.map(({ total: _, ...row }) => teamItem(row)), total: rows[0]?.total ?? 0 };
};
