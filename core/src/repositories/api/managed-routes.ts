import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Id, List, One } from '../../platform/api/envelope.ts';
import { RepositoryAttributes, RepositoryListQuery } from './routes.ts';

/** Every look is written down for the client (`audit_entries`). Source: decisions.md "Roles". */
const access = { permission: 'clients.manage', tenant: false } as const;

/** Repositories inside a client, for superadmins: query and answer of `GET /repositories`. Source: specification §7. */
export const listManagedRepositories = route({
  method: 'GET',
  path: '/manage-clients/repositories/{client}',
  tag: 'repositories',
  summary: 'Repositories of a client',
  access,
  params: Type.Object({ client: Id }),
  query: RepositoryListQuery,
  response: List(RepositoryAttributes),
  errors: ['client_not_found'],
});

export const getManagedRepository = route({
  method: 'GET',
  path: '/manage-clients/repositories/{client}/{id}',
  tag: 'repositories',
  summary: 'One repository of a client',
  access,
  params: Type.Object({ client: Id, id: Id }),
  response: One(RepositoryAttributes),
  errors: ['client_not_found', 'repository_not_found'],
});
