import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Done, Nullable } from '../../platform/api/envelope.ts';
import { Card } from './plan-routes.ts';

export const updateBilling = route({
  method: 'PUT',
  path: '/client/billing',
  tag: 'billing',
  summary: 'Change to whom invoices are written. No card number is taken: the payment provider keeps cards',
  access: { permission: 'billing.write', tenant: true },
  audit: 'settings.changed',
  body: Type.Object(
    {
      legal_name: Type.Optional(Type.String({ maxLength: 200 })),
      address: Type.Optional(Type.String({ maxLength: 1000 })),
      /** What Stripe returned of the card, and null, change nothing; anything else is refused. */
      credit_card: Type.Optional(Nullable(Type.Union([Type.String({ maxLength: 100 }), Card]))),
    },
    { additionalProperties: false, minProperties: 1 },
  ),
  response: Done,
  errors: ['validation_failed'],
});
