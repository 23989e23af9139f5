import { msg } from '../../platform/model/message.ts';

/** States of a subscription. Source: Microsoft, SaaS fulfilment API 2018-08-31, `SubscriptionStatusEnum`. */
export const MARKETPLACE_STATUSES = ['PendingFulfillmentStart', 'Subscribed', 'Suspended', 'Unsubscribed'] as const;
export type MarketplaceStatus = (typeof MARKETPLACE_STATUSES)[number];

/** How screens name them. */
export const MARKETPLACE_STATUS_LABELS: Record<MarketplaceStatus, string> = {
  PendingFulfillmentStart: msg('Not activated yet'),
  Subscribed: msg('Active'),
  Suspended: msg('Suspended: the payment did not arrive'),
  Unsubscribed: msg('Ended'),
};

/** Texts of an activation. Source: specification §6, §8. */
export const ACTIVATION_TEXTS = {
  denied: msg('Permission Denied!'),
  needsAdmin: msg('You need to have a valid account role admin to proceed!'),
  onHold: msg('Microsoft Marketplace Subscription On Hold'),
  needsSignIn: msg('You need to login before proceed activate subscription!'),
  done: msg('Subscription activated successfully'),
  failed: msg('Failed to activate subscription. Please try again later or contact our administrator!'),
} as const;
