import { type BillingDeps, createStripeService } from '@breakwater/core/billing/server/index.ts';
import type { EgressGate } from '@breakwater/sdk/host';
import type { Config } from './config.ts';

interface BillingParts extends Omit<BillingDeps, 'stripe'> {
  config: Pick<Config, 'stripe' | 'providerBaseUrls'>;
  gate: EgressGate;
}

/** What billing is made of; without the keys of Stripe nothing is sold. */
export const createBillingDeps = ({ config, gate, ...parts }: BillingParts): BillingDeps => ({
  ...parts,
  stripe:
    config.stripe && createStripeService({ ...config.stripe, baseUrl: config.providerBaseUrls.get('STRIPE'), gate }),
});
