import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import {
  Action,
  Id,
  List,
  Nullable,
  One,
  OneOf,
  pageQuery,
  SeverityCounts,
  Timestamp,
} from '../../platform/api/envelope.ts';

const access = { permission: 'clients.manage', tenant: false } as const;

/** A client as the operator of the platform sees it. */
export const ManagedClient = Type.Object({
  organization_name: Type.String(),
  legal_name: Type.String(),
  /** Plan. */
  tier: Type.String(),
  account_setup_at: Timestamp,
  users: Type.Integer(),
  repositories: Type.Integer(),
  /** The newest of any repository. */
  last_scan: Nullable(Timestamp),
  /** The work to do: what the client's own list of findings shows at first. */
  open_findings: Type.Integer(),
  /** The same by severity. */
  counts: SeverityCounts,
});

/** All clients. Source: specification §3 "Client search", §7. */
export const listManagedClients = route({
  method: 'GET',
  path: '/manage-clients',
  tag: 'clients',
  summary: 'All organisations with their figures',
  access,
  query: Type.Object(
    {
      ...pageQuery,
      /** Words of the name. */
      organization_name: Type.Optional(Type.String({ maxLength: 200 })),
      /** Words of the name, the legal name, or the e-mail of one of its people. */
      search: Type.Optional(Type.String({ maxLength: 200 })),
      sort: Type.Optional(OneOf(['asc', 'desc'])),
      sort_field: Type.Optional(OneOf(['organization_name', 'account_setup_at', '_id'])),
    },
    { additionalProperties: false },
  ),
  response: List(ManagedClient),
});

export const getManagedClient = route({
  method: 'GET',
  path: '/manage-clients/{id}',
  tag: 'clients',
  summary: 'One organisation with its figures',
  access,
  params: Type.Object({ id: Id }),
  response: One(ManagedClient),
  errors: ['client_not_found'],
});

/** Source: specification §7 "Frontend server routes"; the body: decisions.md. */
export const setPiloting = route({
  base: 'frontend',
  method: 'PUT',
  path: '/manage-clients/piloting',
  tag: 'clients',
  summary: 'Put an organisation on trial (no limits), or end its trial: the free plan follows and nothing is deleted',
  access,
  audit: 'superadmin.changed',
  body: Type.Object(
    {
      request: Type.Object({ client_id: Id, piloting: Type.Boolean() }, { additionalProperties: false }),
    },
    { additionalProperties: false },
  ),
  response: Action(Type.Object({ client_id: Id, tier: Type.String() })),
  errors: ['client_not_found', 'conflict'],
});
