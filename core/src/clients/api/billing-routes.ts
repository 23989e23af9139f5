import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Done, Nullable } from '../../platform/api/envelope.ts';

export const updateBilling = route({
  method: 'PUT',
  path: '/client/billing',
  tag: 'clients',
  summary: 'Change to whom invoices are written. No card number is taken: the payment provider keeps cards',
  access: { permission: 'settings.write', tenant: true },
  audit: 'settings.changed',
  body: Type.Object(
    {
      legal_name: Type.Optional(Type.String({ maxLength: 200 })),
      address: Type.Optional(Type.String({ maxLength: 1000 })),
      /** Null and the empty text change nothing; any other is refused. */
      credit_card: Type.Optional(Nullable(Type.String({ maxLength: 100 }))),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  response: Done,
  errors: ['validation_failed'],
});
