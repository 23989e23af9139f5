import { Type } from 'typebox';
import { route } from '../../platform/api/contract.ts';

const Texts = Type.Record(Type.String(), Type.String());

/** In a file of its own: whoever reads another language than English needs it before their first page. */
export const getConnectorTexts = route({
  method: 'GET',
  path: '/connector-texts/{language}',
  tag: 'connectors',
  summary: 'Texts of connectors in another language, by their English; empty where no plugin has it',
  access: { permission: 'account.use', tenant: false },
  params: Type.Object({ language: Type.String({ pattern: '^[A-Za-z]{2,3}(-[A-Za-z0-9]{2,8}){0,2}$' }) }),
  response: Type.Object({
    data: Type.Object({
      /** Of the plugins of this installation. */
      installation: Texts,
      /** Of those that the organisation enabled; they translate nothing that the others do. */
      organisation: Texts,
    }),
  }),
});
