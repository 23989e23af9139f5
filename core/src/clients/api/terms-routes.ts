import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';
import { Nullable } from '../../platform/api/envelope.ts';

/** Ours: the page `/terms-conditions` of specification §2. */
export const getTerms = route({
  method: 'GET',
  path: '/terms',
  tag: 'clients',
  summary: 'Terms and conditions of this installation, as its operator wrote them',
  access: { public: true },
  response: Type.Object({
    data: Type.Object({
      /** Markdown; null where the operator publishes none. */
      text: Nullable(Type.String()),
    }),
  }),
});
