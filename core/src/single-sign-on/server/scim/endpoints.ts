import { AppError } from '../../../platform/model/app-error.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, type TenantInput, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import * as routes from '../../api/scim-routes.ts';
import { patchGroup, readGroup } from '../../model/scim/group.ts';
import { readOperations } from '../../model/scim/patch.ts';

import { patchUser } from '../../model/scim/patch-user.ts';
import { readUser, type ScimUser } from '../../model/scim/user.ts';
import { listedResourceTypes, listedSchemas, resourceType, schema, serviceProviderConfig } from './discovery.ts';
import { findGroup, type GroupRow, listGroups, removeGroup, writeGroup } from './groups.ts';
import { findUser, listUsers, type UserRow } from './read-users.ts';
import { groupResource, knownUser, listResponse, pageOf, projected, scimBase, userResource } from './resources.ts';
import { changeUser, createUser, removeUser, type ScimDeps } from './write-users.ts';

const ID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

type Find<T> = (db: Db, clientId: string, id: string) => Promise<T | undefined>;

/** @throws not_found, whatever the id looks like */
const read = async <T>(find: Find<T>, db: Db, clientId: string, id: string): Promise<T> => {
  const row = ID.test(id) ? await find(db, clientId, id) : undefined;
  if (row === undefined) throw new AppError('not_found', 'There is no such resource in this organisation.');
  return row;
};

type Input<B = unknown> = TenantInput<{ id: string }, unknown, B>;

const userEndpoints = (deps: ScimDeps, base: string): Endpoint[] => {
  const answer = async ({ db, caller }: Pick<Input, 'db' | 'caller'>, id: string) =>
    userResource(base, await read(findUser, db, caller.clientId, id));
  const change = async (input: Input, wanted: (row: UserRow) => ScimUser) => {
    const { db, caller, params, audit } = input;
    const row = await read(findUser, db, caller.clientId, params.id);
    const user = wanted(row);
    await changeUser(deps, { db, caller }, { row, user });
    audit({ subject: row.user_name, details: { active: user.active } });
    return answer(input, row.id);
  };
  return [
    tenantEndpoint(routes.listScimUsers)(async ({ db, caller, query }) => {
      const page = pageOf(query);
      const { rows, total } = await listUsers(db, caller.clientId, { filter: query.filter, ...page });
      const resources = rows.map((row) => projected(userResource(base, row), query));
      return listResponse(resources, { total, offset: page.offset });
    }),
    tenantEndpoint(routes.getScimUser)(async ({ db, caller, params, query }) =>
      projected(await answer({ db, caller }, params.id), query),
    ),
    tenantEndpoint(routes.createScimUser)(async ({ db, caller, body, reply, audit }) => {
      const user = readUser(body);
      const id = await createUser(deps, { db, caller }, user);
      audit({ subject: user.userName, details: { active: user.active } });
      reply.header('Location', `${base}/Users/${id}`);
      return answer({ db, caller }, id);
    }),
    tenantEndpoint(routes.replaceScimUser)((input) => change(input, (row) => readUser(input.body, row.active))),
    tenantEndpoint(routes.patchScimUser)((input) =>
      change(input, (row) => patchUser(knownUser(row), readOperations(input.body))),
    ),
    tenantEndpoint(routes.deleteScimUser)(async ({ db, caller, params, audit }) => {
      const row = await read(findUser, db, caller.clientId, params.id);
      await removeUser(deps, { db, caller }, row);
      audit({ subject: row.user_name, details: { active: false } });
      return null;
    }),
  ];
};

const knownGroup = ({ display_name: displayName, external_id: externalId, members }: GroupRow) => ({
  displayName,
  externalId,
  members: members.map(({ id }) => id),
});

const groupEndpoints = (base: string): Endpoint[] => {
  const answer = async ({ db, caller }: Pick<Input, 'db' | 'caller'>, id: string) =>
    groupResource(base, await read(findGroup, db, caller.clientId, id));
  const change = async (input: Input, wanted: (row: GroupRow) => ReturnType<typeof readGroup>) => {
    const { db, caller, params, audit } = input;
    const before = await read(findGroup, db, caller.clientId, params.id);
    const group = wanted(before);
    await writeGroup(db, caller.clientId, { group, before });
    audit({ subject: group.displayName, details: { members: group.members.length } });
    return answer(input, before.id);
  };
  return [
    tenantEndpoint(routes.listScimGroups)(async ({ db, caller, query }) => {
      const page = pageOf(query);
      const { rows, total } = await listGroups(db, caller.clientId, { filter: query.filter, ...page });
      const resources = rows.map((row) => projected(groupResource(base, row), query));
      return listResponse(resources, { total, offset: page.offset });
    }),
    tenantEndpoint(routes.getScimGroup)(async ({ db, caller, params, query }) =>
      projected(await answer({ db, caller }, params.id), query),
    ),
    tenantEndpoint(routes.createScimGroup)(async ({ db, caller, body, reply, audit }) => {
      const group = readGroup(body);
      const id = await writeGroup(db, caller.clientId, { group, before: undefined });
      audit({ subject: group.displayName, details: { members: group.members.length } });
      reply.header('Location', `${base}/Groups/${id}`);
      return answer({ db, caller }, id);
    }),
    tenantEndpoint(routes.replaceScimGroup)((input) => change(input, () => readGroup(input.body))),
    tenantEndpoint(routes.patchScimGroup)((input) =>
      change(input, (row) => patchGroup(knownGroup(row), readOperations(input.body))),
    ),
    tenantEndpoint(routes.deleteScimGroup)(async ({ db, caller, params, audit }) => {
      const row = await read(findGroup, db, caller.clientId, params.id);
      await removeGroup(db, caller.clientId, row);
      audit({ subject: row.display_name, details: { members: 0 } });
      return null;
    }),
  ];
};

/** People and groups, as an identity provider provisions them. Source: RFC 7644. */
export const scimEndpoints = (deps: ScimDeps): Endpoint[] => {
  const base = scimBase(deps.origin);
  return [
    ...userEndpoints(deps, base),
    ...groupEndpoints(base),
    tenantEndpoint(routes.getServiceProviderConfig)(() => serviceProviderConfig(base)),
    tenantEndpoint(routes.listResourceTypes)(() => listedResourceTypes(base)),
    tenantEndpoint(routes.getResourceType)(({ params }) => resourceType(base, params.id)),
    tenantEndpoint(routes.listSchemas)(() => listedSchemas(base)),
    tenantEndpoint(routes.getSchema)(({ params }) => schema(base, params.id)),
  ];
};
