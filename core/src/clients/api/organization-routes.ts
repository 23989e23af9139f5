import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Action, Done, Nullable, OneOf } from '../../platform/api/envelope.ts';
import { PROOF } from '../../platform/api/proof.ts';

const strict = { additionalProperties: false } as const;

export const exportOrganization = route({
  method: 'GET',
  path: '/client/export',
  tag: 'clients',
  summary:
    'Every row of the organisation as one JSON file, packed with gzip; without passwords, tokens and other secrets',
  access: { permission: 'organization.delete', tenant: false },
  audit: 'data.exported',
  response: Type.String(),
  responseKind: 'file',
});

export const Deletion = Type.Object({
  organization_name: Type.String(),
  people: Type.Integer(),
  repositories: Type.Integer(),
  findings: Type.Integer(),
  /** Why it is refused, and what to do; null where it is not. */
  refusal: Nullable(Type.String()),
  /** `paid`: a plan is paid for; `operators`: superadmins belong to it. */
  refusal_code: Nullable(OneOf(['paid', 'operators'])),
});

export const readDeletion = route({
  method: 'GET',
  path: '/client/deletion',
  tag: 'clients',
  summary: 'What a deletion of the organisation would take along, and whether a subscription stands in its way',
  access: { permission: 'organization.delete', tenant: true },
  response: Action(Deletion),
});

export const deleteOrganization = route({
  method: 'DELETE',
  path: '/client',
  tag: 'clients',
  summary: 'Delete the organisation with everything that belongs to it; there is no way back',
  access: { permission: 'organization.delete', tenant: false },
  audit: 'data.removed',
  body: Type.Object({ organization_name: Type.String({ minLength: 1, maxLength: 200 }), ...PROOF }, strict),
  response: Done,
  errors: ['validation_failed', 'conflict', 'too_many_requests', 'upstream_failed'],
});
