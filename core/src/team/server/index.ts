import { type Endpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import { listDevelopers } from '../api/routes.ts';
import { listUsers } from './list-users.ts';

/** People of the organisation. */
export const createTeamEndpoints = (): Endpoint[] => [
  tenantEndpoint(listDevelopers)(async ({ db, caller, query }) => {
    const paging = readPaging(query);
    const { rows, total } = await listUsers(db, {
      clientId: caller.clientId,
      role: 'developer',
      search: query.search ?? '',
      paging,
    });
    return { data: rows, meta: pageMeta(total, paging) };
  }),
];
