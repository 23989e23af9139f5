import type { Reader } from './config-reader.ts';

export interface StripeConfig {
  secretKey: string;
  webhookSecret: string;
}

export interface MarketplaceConfig {
  tenantId: string;
  clientId: string;
  clientSecret: string;
}

/** The account that sells plans: a key of the server, and the secret of the endpoint that takes its events. */
export const readStripe = (reader: Reader): StripeConfig | undefined => {
  const [secretKey, webhookSecret] = [reader.text('STRIPE_SECRET_KEY'), reader.text('STRIPE_WEBHOOK_SECRET')];
  if (secretKey === undefined && webhookSecret === undefined) return undefined;
  if (secretKey !== undefined && webhookSecret !== undefined) {
    // the values are secrets: they are not repeated
    if (!/^[sr]k_\S+$/.test(secretKey)) {
      reader.issues.push('STRIPE_SECRET_KEY must be a secret or restricted key, which begins with sk_ or rk_.');
    }
    if (!/^whsec_\S+$/.test(webhookSecret)) {
      reader.issues.push('STRIPE_WEBHOOK_SECRET must be the secret of the endpoint, which begins with whsec_.');
    }
    return { secretKey, webhookSecret };
  }
  reader.issues.push('STRIPE_SECRET_KEY and STRIPE_WEBHOOK_SECRET belong together: set both or neither.');
  return undefined;
};

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** The publisher's application at Entra ID: it asks the marketplace, and the tokens of its operations are made for it. */
export const readMarketplace = (reader: Reader): MarketplaceConfig | undefined => {
  const [tenantId, clientId, clientSecret] = [
    reader.text('MICROSOFT_MARKETPLACE_TENANT_ID'),
    reader.text('MICROSOFT_MARKETPLACE_CLIENT_ID'),
    reader.text('MICROSOFT_MARKETPLACE_CLIENT_SECRET'),
  ];
  if (tenantId === undefined && clientId === undefined && clientSecret === undefined) return undefined;
  if (tenantId === undefined || clientId === undefined || clientSecret === undefined) {
    reader.issues.push(
      'MICROSOFT_MARKETPLACE_TENANT_ID, MICROSOFT_MARKETPLACE_CLIENT_ID and MICROSOFT_MARKETPLACE_CLIENT_SECRET belong together: set all or none.',
    );
    return undefined;
  }
  if (!UUID.test(tenantId) || !UUID.test(clientId)) {
    reader.issues.push(
      'MICROSOFT_MARKETPLACE_TENANT_ID and MICROSOFT_MARKETPLACE_CLIENT_ID must be the ids that Entra ID shows, such as 01234567-89ab-cdef-0123-456789abcdef.',
    );
  }
  return { tenantId: tenantId.toLowerCase(), clientId: clientId.toLowerCase(), clientSecret };
};
