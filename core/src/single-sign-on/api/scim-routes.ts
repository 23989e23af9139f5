import { Type } from 'typebox';
import { type RouteDefinition, route } from '../../platform/api/contract.ts';
import { Timestamp } from '../../platform/api/envelope.ts';

/** Machines of an identity provider, by a token of the scope; admins of the organisation may look, too. */
const access = { permission: 'team.manage', tenant: true, apiToken: ['scim'] } as const;
const shared = { base: 'scim', tag: 'scim', access } as const satisfies Partial<RouteDefinition>;
const params = Type.Object({ id: Type.String({ maxLength: 200 }) });

/** Read by the rules of SCIM, which are wider than a schema: names in any case, `"True"` for true. */
const Body = Type.Record(Type.String(), Type.Unknown());

const Names = Type.Optional(Type.String({ maxLength: 2000 }));
const listQuery = Type.Object({
  filter: Type.Optional(Type.String({ maxLength: 2000 })),
  /** 1-based; less counts as 1. */
  startIndex: Type.Optional(Type.Integer()),
  /** 200 at most; less than 0 counts as 0. */
  count: Type.Optional(Type.Integer()),
  attributes: Names,
  excludedAttributes: Names,
});
const itemQuery = Type.Object({ attributes: Names, excludedAttributes: Names });

const Text = Type.Optional(Type.String());
const Meta = Type.Object({
  resourceType: Type.String(),
  created: Timestamp,
  lastModified: Timestamp,
  location: Type.String(),
});
/** Its address comes as `$ref`, which a schema cannot name without being taken for a reference itself. */
const Reference = Type.Object({ value: Type.String(), display: Text });

/** What `attributes` leaves out is absent. */
export const UserResource = Type.Object({
  schemas: Type.Array(Type.String()),
  id: Type.String(),
  externalId: Text,
  userName: Text,
  active: Type.Optional(Type.Boolean()),
  displayName: Text,
  title: Text,
  name: Type.Optional(Type.Object({ formatted: Text, familyName: Text, givenName: Text })),
  emails: Type.Optional(
    Type.Array(Type.Object({ value: Type.String(), type: Text, primary: Type.Optional(Type.Boolean()) })),
  ),
  groups: Type.Optional(Type.Array(Reference)),
  meta: Type.Optional(Meta),
});

export const GroupResource = Type.Object({
  schemas: Type.Array(Type.String()),
  id: Type.String(),
  externalId: Text,
  displayName: Text,
  members: Type.Optional(Type.Array(Reference)),
  meta: Type.Optional(Meta),
});

const ListOf = <T extends typeof UserResource | typeof GroupResource>(resource: T) =>
  Type.Object({
    schemas: Type.Array(Type.String()),
    totalResults: Type.Integer(),
    itemsPerPage: Type.Integer(),
    startIndex: Type.Integer(),
    Resources: Type.Array(resource),
  });

const errors = ['bad_request', 'conflict', 'not_found'] as const;
const audit = 'team.synchronized';
const user = { response: UserResource, errors } as const;
const group = { response: GroupResource, errors } as const;

export const listScimUsers = route({
  ...shared,
  method: 'GET',
  path: '/Users',
  summary: 'Members, with those whom the identity provider deactivated; 100 a page',
  query: listQuery,
  response: ListOf(UserResource),
  errors: ['bad_request'],
});
export const getScimUser = route({
  ...shared,
  ...user,
  method: 'GET',
  path: '/Users/{id}',
  summary: 'One member',
  params,
  query: itemQuery,
});
export const createScimUser = route({
  ...shared,
  ...user,
  method: 'POST',
  path: '/Users',
  summary: 'Make a member without a password, of a domain of the organisation',
  audit,
  body: Body,
  status: 201,
});
export const replaceScimUser = route({
  ...shared,
  ...user,
  method: 'PUT',
  path: '/Users/{id}',
  summary: 'Replace what is known of a member; active false ends the membership',
  audit,
  params,
  body: Body,
});
export const patchScimUser = route({
  ...shared,
  ...user,
  method: 'PATCH',
  path: '/Users/{id}',
  summary: 'Change a member by operations; active false ends the membership, true restores it',
  audit,
  params,
  body: Body,
});
export const deleteScimUser = route({
  ...shared,
  method: 'DELETE',
  path: '/Users/{id}',
  summary: 'End a membership; history keeps the name',
  audit,
  params,
  response: Type.Null(),
  status: 204,
  errors,
});

export const listScimGroups = route({
  ...shared,
  method: 'GET',
  path: '/Groups',
  summary: 'Groups; 100 a page',
  query: listQuery,
  response: ListOf(GroupResource),
  errors: ['bad_request'],
});
export const getScimGroup = route({
  ...shared,
  ...group,
  method: 'GET',
  path: '/Groups/{id}',
  summary: 'One group',
  params,
  query: itemQuery,
});
export const createScimGroup = route({
  ...shared,
  ...group,
  method: 'POST',
  path: '/Groups',
  summary: 'Make a group; its people get the role that the rules of the organisation give it',
  audit,
  body: Body,
  status: 201,
});
export const replaceScimGroup = route({
  ...shared,
  ...group,
  method: 'PUT',
  path: '/Groups/{id}',
  summary: 'Replace a group',
  audit,
  params,
  body: Body,
});
export const patchScimGroup = route({
  ...shared,
  ...group,
  method: 'PATCH',
  path: '/Groups/{id}',
  summary: 'Change a group by operations',
  audit,
  params,
  body: Body,
});
export const deleteScimGroup = route({
  ...shared,
  method: 'DELETE',
  path: '/Groups/{id}',
  summary: 'Remove a group',
  audit,
  params,
  response: Type.Null(),
  status: 204,
  errors,
});

const Described = Type.Record(Type.String(), Type.Unknown());
const described = { ...shared, method: 'GET', response: Described } as const;

export const getServiceProviderConfig = route({
  ...described,
  path: '/ServiceProviderConfig',
  summary: 'What of SCIM this server can do',
});
export const listResourceTypes = route({ ...described, path: '/ResourceTypes', summary: 'Users and groups' });
export const getResourceType = route({
  ...described,
  path: '/ResourceTypes/{id}',
  summary: 'One type of resources',
  params,
  errors: ['not_found'],
});
export const listSchemas = route({ ...described, path: '/Schemas', summary: 'Attributes that are kept' });
export const getSchema = route({
  ...described,
  path: '/Schemas/{id}',
  summary: 'Attributes of one type of resources',
  params,
  errors: ['not_found'],
});
