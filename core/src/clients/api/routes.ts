import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Done, OneOf } from '../../platform/api/envelope.ts';

export const SCHEDULES = ['none', 'weekly', 'monthly'] as const;

/** Settings of the client that exist so far. Later issues add keys; unknown keys are 422. */
export const ClientSettings = Type.Object(
  {
    organization_name: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    legal_name: Type.Optional(Type.String({ maxLength: 200 })),
    address: Type.Optional(Type.String({ maxLength: 1000 })),
    enable_false_positive_analysis: Type.Optional(Type.Boolean()),
    schedule_scan: Type.Optional(OneOf(SCHEDULES)),
    pipeline_integration: Type.Optional(Type.Boolean()),
    autonomous_scan: Type.Optional(Type.Boolean()),
    excluded_tools: Type.Optional(Type.Array(Type.String({ maxLength: 100 }), { maxItems: 100, uniqueItems: true })),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const updateClient = route({
  method: 'PUT',
  path: '/client',
  tag: 'clients',
  summary: 'Change settings of the organisation; only the given keys change',
  access: { roles: ['admin'], tenant: true },
  body: ClientSettings,
  response: Done,
});
