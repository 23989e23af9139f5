import { AppError } from '../../../platform/model/app-error.ts';
import { GROUP_SCHEMA } from '../../model/scim/group.ts';
import { USER_SCHEMA } from '../../model/scim/user.ts';
import { listResponse } from './resources.ts';

const CORE = 'urn:ietf:params:scim:schemas:core:2.0:';

/** What of SCIM this server can do. Source: RFC 7643 §5. */
export const serviceProviderConfig = (base: string) => ({
  schemas: [`${CORE}ServiceProviderConfig`],
  patch: { supported: true },
  bulk: { supported: false, maxOperations: 0, maxPayloadSize: 0 },
  filter: { supported: true, maxResults: 200 },
  changePassword: { supported: false },
  sort: { supported: false },
  etag: { supported: false },
  authenticationSchemes: [
    {
      type: 'oauthbearertoken',
      name: 'API token',
      description: 'A token of the scope "scim", made by an admin at /settings/single-sign-on.',
      specUri: 'https://www.rfc-editor.org/info/rfc6750',
      primary: true,
    },
  ],
  meta: { resourceType: 'ServiceProviderConfig', location: `${base}/ServiceProviderConfig` },
});

const resourceTypeOf = (base: string, id: 'User' | 'Group', schema: string) => ({
  schemas: [`${CORE}ResourceType`],
  id,
  name: id,
  endpoint: `/${id}s`,
  schema,
  meta: { resourceType: 'ResourceType', location: `${base}/ResourceTypes/${id}` },
});

const resourceTypes = (base: string) => [
  resourceTypeOf(base, 'User', USER_SCHEMA),
  resourceTypeOf(base, 'Group', GROUP_SCHEMA),
];

interface Extra {
  type?: 'string' | 'boolean' | 'complex' | 'reference';
  required?: boolean;
  multiValued?: boolean;
  mutability?: 'readWrite' | 'readOnly' | 'immutable';
  uniqueness?: 'none' | 'server';
  subAttributes?: object[];
}

const attribute = (name: string, description: string, extra: Extra = {}): object => ({
  name,
  description,
  type: 'string',
  multiValued: false,
  required: false,
  mutability: 'readWrite',
  returned: 'default',
  uniqueness: 'none',
  ...(extra.type === 'boolean' || extra.type === 'complex' ? {} : { caseExact: false }),
  ...extra,
});

const reference = (mutability: 'readOnly' | 'immutable') => [
  attribute('value', 'Id', { mutability }),
  attribute('display', 'Name for people', { mutability: 'readOnly' }),
  attribute('$ref', 'Address', { type: 'reference', mutability: 'readOnly' }),
];

const schemas = (base: string) => [
  {
    id: USER_SCHEMA,
    name: 'User',
    description: 'A member of the organisation',
    attributes: [
      attribute('userName', 'What the identity provider knows the person by', { required: true, uniqueness: 'server' }),
      attribute('displayName', 'Name for people'),
      attribute('title', 'What the person does'),
      attribute('active', 'False ends the membership', { type: 'boolean' }),
      attribute('name', 'Parts of the name', {
        type: 'complex',
        subAttributes: [
          attribute('formatted', 'The whole name'),
          attribute('familyName', 'Family name'),
          attribute('givenName', 'Given name'),
        ],
      }),
      attribute('emails', 'The primary one is the address of the account', {
        type: 'complex',
        multiValued: true,
        subAttributes: [
          attribute('value', 'The address, of a domain of the organisation'),
          attribute('type', 'Such as work'),
          attribute('primary', 'Whether it is the address of the account', { type: 'boolean' }),
        ],
      }),
      attribute('groups', 'Groups of the person', {
        type: 'complex',
        multiValued: true,
        mutability: 'readOnly',
        subAttributes: reference('readOnly'),
      }),
    ],
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${USER_SCHEMA}` },
  },
  {
    id: GROUP_SCHEMA,
    name: 'Group',
    description: 'A group of the identity provider, which may give a role',
    attributes: [
      attribute('displayName', 'Name, which the rules of roles compare', { required: true, uniqueness: 'server' }),
      attribute('members', 'Who belongs to it', {
        type: 'complex',
        multiValued: true,
        subAttributes: reference('immutable'),
      }),
    ],
    meta: { resourceType: 'Schema', location: `${base}/Schemas/${GROUP_SCHEMA}` },
  },
];

const listed = <T>(all: T[]) => listResponse(all, { total: all.length, offset: 0 });

/** @throws not_found */
const pick = <T extends { id: string }>(all: T[], id: string): T => {
  const found = all.find((one) => one.id === id);
  if (found === undefined) throw new AppError('not_found');
  return found;
};

export const listedResourceTypes = (base: string) => listed(resourceTypes(base));
export const resourceType = (base: string, id: string) => pick(resourceTypes(base), id);
export const listedSchemas = (base: string) => listed(schemas(base));
export const schema = (base: string, id: string) => pick(schemas(base), id);
