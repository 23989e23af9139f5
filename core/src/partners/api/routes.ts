import { type Static, Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Id, Item, List, Nullable, One, OneOf } from '../../platform/api/envelope.ts';
import { PARTNER_KINDS } from '../model/partners.ts';

const strict = { additionalProperties: false } as const;

/** A company. Source: specification §3, which does not show its fields. */
export const Partner = Type.Object({
  name: Type.String(),
  kind: OneOf(PARTNER_KINDS),
  description: Type.String(),
  website: Nullable(Type.String()),
  email: Nullable(Type.String()),
});
export type Partner = Static<typeof Partner>;

const fields = {
  // not only spaces
  name: Type.String({ pattern: '\\S', maxLength: 100 }),
  kind: OneOf(PARTNER_KINDS),
  description: Type.String({ maxLength: 1000 }),
  /** It becomes a link. */
  website: Nullable(Type.String({ format: 'uri', pattern: '^https://[^/?#\\s]', maxLength: 300 })),
  email: Nullable(Type.String({ format: 'email', maxLength: 254 })),
};

export const NewPartner = Type.Object(
  {
    name: fields.name,
    kind: fields.kind,
    description: Type.Optional(fields.description),
    website: Type.Optional(fields.website),
    email: Type.Optional(fields.email),
  },
  strict,
);
export type NewPartner = Static<typeof NewPartner>;

export const PartnerChange = Type.Partial(Type.Object(fields), { ...strict, minProperties: 1 });
export type PartnerChange = Static<typeof PartnerChange>;

export const listPartners = route({
  method: 'GET',
  path: '/partners',
  tag: 'partners',
  summary: 'All partners by name',
  access: { public: true },
  response: List(Partner),
});

export const getPartner = route({
  method: 'GET',
  path: '/partner/{id}',
  tag: 'partners',
  summary: 'One partner',
  access: { permission: 'account.use', tenant: true },
  params: Type.Object({ id: Id }),
  response: One(Partner),
  errors: ['partner_not_found'],
});

const manage = {
  tag: 'partners',
  access: { permission: 'partners.manage', tenant: false },
  audit: 'superadmin.changed',
} as const;

export const createPartner = route({
  ...manage,
  method: 'POST',
  path: '/partner',
  summary: 'Add a partner',
  body: NewPartner,
  response: Action(Item(Partner)),
  errors: ['conflict'],
});

export const updatePartner = route({
  ...manage,
  method: 'PUT',
  path: '/partner/{id}',
  summary: 'Change the given fields of a partner',
  params: Type.Object({ id: Id }),
  body: PartnerChange,
  response: Action(Item(Partner)),
  errors: ['partner_not_found', 'conflict'],
});

export const deletePartner = route({
  ...manage,
  method: 'DELETE',
  path: '/partner/{id}',
  summary: 'Delete a partner',
  params: Type.Object({ id: Id }),
  response: Done,
  errors: ['partner_not_found'],
});
