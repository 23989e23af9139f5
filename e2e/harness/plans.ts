import type { ApiClient } from './api.ts';

export interface NewPlan {
  tier: string;
  title: string;
  amount_cents: number;
  limits: { repositories?: number };
}

/** Adds a plan and sells it by Stripe. @returns its price of a month */
export const sellPlan = async (superadmin: ApiClient, plan: NewPlan): Promise<string> => {
  const made = await superadmin.call('POST', '/pricing/create', plan);
  const pricing_id: string = made.body.data._id;
  const product = await superadmin.call('POST', '/stripe/products', { pricing_id });
  const linked = await superadmin.call('POST', '/stripe/link-product-with-database', {
    pricing_id,
    ...product.body.data,
  });
  return linked.body.data.attributes.prices.month;
};
