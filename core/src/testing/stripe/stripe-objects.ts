import type Stripe from 'stripe';

/** As on the wire, where amounts with decimals are texts. */
export type PriceObject = Omit<Stripe.Price, 'unit_amount_decimal'> & { unit_amount_decimal: string };
type PlanObject = Omit<Stripe.Plan, 'amount_decimal'> & { amount_decimal: string };
export type ItemObject = Omit<Stripe.SubscriptionItem, 'price' | 'plan'> & { price: PriceObject; plan: PlanObject };
export type SubscriptionObject = Omit<Stripe.Subscription, 'items'> & { items: Stripe.ApiList<ItemObject> };

/** Of every object: the account is one for tests. */
export const livemode = false;

export const listOf = <T>(data: T[], url: string): Stripe.ApiList<T> => ({
  object: 'list',
  data,
  has_more: false,
  url,
});

export const customerObject = (id: string, created: number, metadata: Record<string, string>): Stripe.Customer => ({
  id,
  object: 'customer',
  address: null,
  balance: 0,
  created,
  currency: null,
  default_source: null,
  delinquent: false,
  description: null,
  discount: null,
  email: null,
  invoice_prefix: 'BREAKWTR',
  invoice_settings: { custom_fields: null, default_payment_method: null, footer: null, rendering_options: null },
  livemode,
  metadata,
  name: null,
  next_invoice_sequence: 1,
  phone: null,
  preferred_locales: [],
  shipping: null,
  tax_exempt: 'none',
  test_clock: null,
});

export const productObject = (
  id: string,
  created: number,
  given: { name: string; description: string | null; metadata: Record<string, string> },
): Stripe.Product => ({
  id,
  object: 'product',
  active: true,
  created,
  default_price: null,
  images: [],
  livemode,
  marketing_features: [],
  package_dimensions: null,
  shippable: null,
  statement_descriptor: null,
  tax_code: null,
  tax_details: null,
  type: 'service',
  unit_label: null,
  updated: created,
  url: null,
  ...given,
});

export const priceObject = (
  id: string,
  created: number,
  given: { product: string; currency: string; unit_amount: number; interval: 'month' | 'year' },
): PriceObject => ({
  id,
  object: 'price',
  active: true,
  billing_scheme: 'per_unit',
  created,
  currency: given.currency,
  custom_unit_amount: null,
  livemode,
  lookup_key: null,
  metadata: {},
  nickname: null,
  product: given.product,
  recurring: {
    interval: given.interval,
    interval_count: 1,
    meter: null,
    trial_period_days: null,
    usage_type: 'licensed',
  },
  tax_behavior: 'unspecified',
  tiers_mode: null,
  transform_quantity: null,
  type: 'recurring',
  unit_amount: given.unit_amount,
  unit_amount_decimal: String(given.unit_amount),
});

const planObject = (price: PriceObject): PlanObject => ({
  id: price.id,
  object: 'plan',
  active: price.active,
  amount: price.unit_amount,
  amount_decimal: price.unit_amount_decimal,
  billing_scheme: 'per_unit',
  created: price.created,
  currency: price.currency,
  interval: price.recurring?.interval ?? 'month',
  interval_count: 1,
  livemode,
  metadata: {},
  meter: null,
  nickname: null,
  product: typeof price.product === 'string' ? price.product : null,
  tiers_mode: null,
  transform_usage: null,
  trial_period_days: null,
  usage_type: 'licensed',
});

export const PERIOD_SECONDS = { day: 86_400, week: 604_800, month: 2_592_000, year: 31_536_000 } as const;

export const itemObject = (
  id: string,
  { subscription, price, start }: { subscription: string; price: PriceObject; start: number },
): ItemObject => ({
  id,
  object: 'subscription_item',
  billing_thresholds: null,
  created: start,
  current_period_end: start + (price.recurring?.interval === 'year' ? PERIOD_SECONDS.year : PERIOD_SECONDS.month),
  current_period_start: start,
  current_trial: null,
  discounts: [],
  metadata: {},
  plan: planObject(price),
  price,
  quantity: 1,
  subscription,
  tax_rates: [],
});

const NO_TAX = { disabled_reason: null, enabled: false, liability: null } as const;

export const subscriptionObject = (
  id: string,
  given: { customer: string; created: number; item: ItemObject; method: string; metadata: Record<string, string> },
): SubscriptionObject => ({
  id,
  object: 'subscription',
  application: null,
  application_fee_percent: null,
  automatic_tax: NO_TAX,
  billing_cycle_anchor: given.created,
  billing_cycle_anchor_config: null,
  billing_mode: { flexible: null, type: 'classic' },
  billing_schedules: [],
  billing_thresholds: null,
  cancel_at: null,
  cancel_at_period_end: false,
  canceled_at: null,
  cancellation_details: { comment: null, feedback: null, feedback_option: null, reason: null },
  collection_method: 'charge_automatically',
  created: given.created,
  currency: given.item.price.currency,
  customer: given.customer,
  customer_account: null,
  days_until_due: null,
  default_payment_method: given.method,
  default_source: null,
  default_tax_rates: [],
  description: null,
  discounts: [],
  ended_at: null,
  invoice_settings: {
    account_tax_ids: null,
    custom_fields: null,
    description: null,
    footer: null,
    issuer: { type: 'self' },
  },
  items: listOf([given.item], `/v1/subscription_items?subscription=${id}`),
  latest_invoice: null,
  livemode,
  managed_payments: null,
  metadata: given.metadata,
  next_pending_invoice_item_invoice: null,
  on_behalf_of: null,
  pause_collection: null,
  payment_settings: null,
  pending_invoice_item_interval: null,
  pending_setup_intent: null,
  pending_update: null,
  schedule: null,
  start_date: given.created,
  status: 'active',
  test_clock: null,
  transfer_data: null,
  trial_end: null,
  trial_settings: null,
  trial_start: null,
});
