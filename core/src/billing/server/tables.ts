import type { ColumnType, Generated } from 'kysely';
import type { MarketplaceStatus } from '../model/marketplace.ts';
import type { Interval } from '../model/plans.ts';

/** A plan that may be chosen or bought; the same for every client. */
export interface PricingsTable {
  id: Generated<string>;
  tier: string;
  title: string;
  description: Generated<string>;
  /** US cents of one interval, whole dollars. */
  amount_cents: number;
  interval: Interval;
  /** Percent, 0-100. */
  yearly_discount: number;
  repositories: number | null;
  developers: number | null;
  remediations: number | null;
  features: Generated<string[]>;
  created_at: Generated<Date>;
  updated_at: Generated<Date>;
}

/** A price at Stripe that sells a plan, or sold it once. */
export interface PricingPricesTable {
  price_id: string;
  pricing_id: string;
  product_id: string;
  interval: Interval;
  amount_cents: number;
  is_current: Generated<boolean>;
  created_at: Generated<Date>;
}

/** An organisation at Stripe, as it was read there last. */
export interface BillingAccountsTable {
  client_id: string;
  customer_id: string | null;
  subscription_id: string | null;
  subscription_status: string | null;
  price_id: string | null;
  current_period_end: Date | null;
  cancel_at_period_end: Generated<boolean>;
  card_brand: string | null;
  card_last4: string | null;
  visited_at: Date | null;
  checkout_lease: Date | null;
  sync_begun: ColumnType<string, never, never>;
  sync_written: ColumnType<string, never, never>;
  synced_at: Date | null;
}

interface StripeEventsTable {
  client_id: string;
  event_id: string;
  type: string;
  received_at: Generated<Date>;
}

/** A purchase at the Microsoft Marketplace, as it was read there last. */
export interface MarketplaceSubscriptionsTable {
  client_id: string;
  subscription_id: string;
  name: string;
  offer_id: string;
  plan_id: string;
  quantity: number | null;
  status: MarketplaceStatus;
  term_end: Date | null;
  claimed_at: Generated<Date>;
  touched_at: Generated<Date>;
  sync_begun: ColumnType<string, never, never>;
  sync_written: ColumnType<string, never, never>;
  due_at: Generated<Date>;
}

interface MarketplaceOperationsTable {
  client_id: string;
  operation_id: string;
  action: string;
  received_at: Generated<Date>;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    pricings: PricingsTable;
    pricing_prices: PricingPricesTable;
    billing_accounts: BillingAccountsTable;
    stripe_events: StripeEventsTable;
    marketplace_subscriptions: MarketplaceSubscriptionsTable;
    marketplace_operations: MarketplaceOperationsTable;
  }
}
