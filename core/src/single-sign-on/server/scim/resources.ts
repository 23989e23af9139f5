import type { Static } from 'typebox';
import type { GroupResource, UserResource } from '../../api/scim-routes.ts';
import { GROUP_SCHEMA } from '../../model/scim/group.ts';
import { type ScimUser, USER_SCHEMA } from '../../model/scim/user.ts';
import type { GroupRow } from './groups.ts';
import type { UserRow } from './read-users.ts';

const LIST_SCHEMA = 'urn:ietf:params:scim:api:messages:2.0:ListResponse';
const DEFAULT_COUNT = 100;
const MAX_COUNT = 200;

/** Where identity providers find this server's SCIM. */
export const scimBase = (origin: string): string => `${origin}/scim/v2`;

const metaOf = (base: string, kind: 'User' | 'Group', row: { id: string; created_at: Date; updated_at: Date }) => ({
  resourceType: kind,
  created: row.created_at.toISOString(),
  lastModified: row.updated_at.toISOString(),
  location: `${base}/${kind}s/${row.id}`,
});

/** What is known of a member, as a provider would send it: where changes begin. */
export const knownUser = (row: UserRow): ScimUser => ({
  userName: row.user_name,
  externalId: row.external_id,
  active: row.active,
  displayName: row.document?.displayName ?? null,
  title: row.document?.title ?? null,
  name: row.document?.name ?? {},
  emails: row.document?.emails ?? [{ value: row.email, type: 'work', primary: true }],
});

const given = <T>(name: string, value: T | null) => (value === null ? {} : { [name]: value });

export const userResource = (base: string, row: UserRow): Static<typeof UserResource> => {
  const { userName, externalId, active, displayName, title, name, emails } = knownUser(row);
  return {
    schemas: [USER_SCHEMA],
    id: row.id,
    userName,
    ...given('externalId', externalId),
    active,
    displayName: displayName ?? row.username,
    ...given('title', title),
    name: { formatted: displayName ?? row.username, ...name },
    emails: emails.map(({ value, type, primary }) => ({ value, ...given('type', type), primary })),
    groups: row.groups.map(({ id, name: display }) => ({ value: id, display, $ref: `${base}/Groups/${id}` })),
    meta: metaOf(base, 'User', row),
  };
};

export const groupResource = (base: string, row: GroupRow): Static<typeof GroupResource> => ({
  schemas: [GROUP_SCHEMA],
  id: row.id,
  displayName: row.display_name,
  ...given('externalId', row.external_id),
  members: row.members.map(({ id, name }) => ({ value: id, display: name, $ref: `${base}/Users/${id}` })),
  meta: metaOf(base, 'Group', row),
});

const namesIn = (text: string): string[] =>
  text.split(',').map((name) => name.trim().toLowerCase().split(/[.[]/)[0] ?? '');

interface Projection {
  attributes?: string | undefined;
  excludedAttributes?: string | undefined;
}

/** A resource with the attributes that were asked for; `schemas` and `id` always come. Whole attributes alone. */
export const projected = <T extends object>(resource: T, { attributes, excludedAttributes }: Projection): T => {
  if (attributes === undefined && excludedAttributes === undefined) return resource;
  const wanted = attributes === undefined ? undefined : namesIn(attributes);
  const unwanted = namesIn(excludedAttributes ?? '');
  const stays = (key: string): boolean =>
    key === 'schemas' || key === 'id' || (wanted?.includes(key.toLowerCase()) ?? !unwanted.includes(key.toLowerCase()));
  const copy = { ...resource };
  for (const key of Object.keys(copy)) if (!stays(key)) Reflect.deleteProperty(copy, key);
  return copy;
};

interface Wanted {
  startIndex?: number | undefined;
  count?: number | undefined;
}

/** @returns the page that is asked for: `startIndex` counts from 1 */
export const pageOf = ({ startIndex = 1, count = DEFAULT_COUNT }: Wanted) => ({
  offset: Math.min(Math.max(startIndex, 1), Number.MAX_SAFE_INTEGER) - 1,
  count: Math.min(Math.max(count, 0), MAX_COUNT),
});

export const listResponse = <T>(resources: T[], { total, offset }: { total: number; offset: number }) => ({
  schemas: [LIST_SCHEMA],
  totalResults: total,
  itemsPerPage: resources.length,
  startIndex: offset + 1,
  Resources: resources,
});
