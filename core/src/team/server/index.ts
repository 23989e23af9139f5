import { sql } from 'kysely';
import { can, type Role } from '../../platform/model/permissions.ts';
import { type Db, likePattern } from '../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { type Paging, pageMeta, readPaging } from '../../platform/server/paging.ts';
import type { UsersTable } from '../../session/server/index.ts';
import { listDevelopers } from '../api/routes.ts';

/** People of the organisation. */
export const createTeamEndpoints = (): Endpoint[] => [
  tenantEndpoint(listDevelopers)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const { rows, total } = await listUsers(db, {
      clientId: caller.clientId,
      role: 'developer',
      search: query.search ?? '',
      paging,
      hasEmails: can(caller.role, 'findings.assign'),
    });
    return { data: rows, meta: pageMeta(total, paging) };
  }),
];

export interface UserItem {
  _id: string;
  attributes: Pick<UsersTable, 'username' | 'role'> & {
    email: string | null;
    status: 'active' | 'invited' | 'disabled';
  };
}

export interface UserListRequest {
  clientId: string;
  role: Role;
  /** Part of an e-mail or username; empty for all. */
  search: string;
  paging: Paging;
  /** Without them e-mails are neither shown nor searched. */
  hasEmails: boolean;
}

/** Users of one role by username. A team is small: reads the client's users by primary key. */
export const listUsers = async (db: Db, request: UserListRequest): Promise<{ rows: UserItem[]; total: number }> => {
  const pattern = likePattern(request.search);
  const matching = db
    .selectFrom('users')
    .where('client_id', '=', request.clientId)
    .where('role', '=', request.role)
    .where(
      sql<boolean>`((${request.hasEmails} and lower(email) like lower(${pattern})) or lower(username) like lower(${pattern}))`,
    );
  const { total } = await matching.select((of) => of.fn.countAll<number>().as('total')).executeTakeFirstOrThrow();
  const rows = await matching
    .select(['id', 'email', 'username', 'role', 'status'])
    .orderBy(sql`lower(username)`)
    .orderBy('id')
    .limit(request.paging.pageSize)
    .offset(request.paging.offset)
    .execute();
  return {
    rows: rows.map(({ id, email, username, role, status }) => ({
      _id: id,
      attributes: { email: request.hasEmails ? email : null, username, role, status },
    })),
    total,
  };
};
