import { type BillingDeps, createMarketplace, createStripeService } from '@breakwater/core/billing/server/index.ts';
import type { EgressGate } from '@breakwater/sdk/host';
import type { Config } from './config.ts';

interface BillingParts extends Omit<BillingDeps, 'stripe' | 'marketplace'> {
  config: Pick<Config, 'stripe' | 'microsoftMarketplace' | 'providerBaseUrls'>;
  gate: EgressGate;
}

/** What billing is made of; without the keys of Stripe nothing is sold. */
export const createBillingDeps = ({ config, gate, ...parts }: BillingParts): BillingDeps => ({
  ...parts,
  stripe:
    config.stripe && createStripeService({ ...config.stripe, baseUrl: config.providerBaseUrls.get('STRIPE'), gate }),
  marketplace:
    config.microsoftMarketplace &&
    createMarketplace({
      ...config.microsoftMarketplace,
      baseUrl: config.providerBaseUrls.get('MICROSOFT_MARKETPLACE'),
      loginUrl: config.providerBaseUrls.get('MICROSOFT_LOGIN'),
      gate,
    }),
});
