import { callerEndpoint, type Endpoint, publicEndpoint, tenantEndpoint } from '../../platform/server/endpoint.ts';
import { pageMeta, readPaging } from '../../platform/server/paging.ts';
import { createPricing, deletePricing, getPricing, listPricings, updatePricing } from '../api/plan-routes.ts';
import type { BillingDeps } from './deps.ts';
import { addPricing, changePricing, readPricing, readPricings, removePricing, requireRemovable } from './pricings.ts';
import { archiveProducts } from './stripe/products.ts';

/** Plans: everybody reads them, superadmins write them. */
export const planEndpoints = (deps: BillingDeps): Endpoint[] => {
  const { database } = deps;
  return [
    publicEndpoint(listPricings)(async () => {
      const data = await database.forIdentity(readPricings);
      return { data, meta: pageMeta(data.length, readPaging({ pagination: 'false' })) };
    }),
    tenantEndpoint(getPricing)(async ({ db, params }) => ({ data: await readPricing(db, params.id) })),
    callerEndpoint(createPricing)(async ({ body, audit }) => {
      const data = await database.forIdentity((db) => addPricing(db, body));
      audit({ subject: data.attributes.title });
      return { success: true, data };
    }),
    callerEndpoint(updatePricing)(async ({ params, body, audit }) => {
      const data = await database.forIdentity((db) => changePricing(db, params.id, body));
      audit({ subject: data.attributes.title });
      return { success: true, data };
    }),
    callerEndpoint(deletePricing)(async ({ params, audit }) => {
      await database.forIdentity((db) => requireRemovable(db, params.id));
      await archiveProducts(deps, params.id);
      audit({ subject: await database.forIdentity((db) => removePricing(db, params.id)) });
      return { success: true };
    }),
  ];
};
