-- Plans, and what the payment provider (Stripe) says of each organisation's subscription.

-- What may be chosen or bought. Belongs to no client.
create table pricings (
  id uuid primary key default new_id(),
  -- value of clients.subscription_tier
  tier text not null unique check (tier ~ '^[a-z0-9][a-z0-9-]{0,39}$'),
  title text not null,
  description text not null default '',
  -- of one interval; whole dollars, as they are shown
  amount_cents integer not null check (amount_cents between 0 and 100000000 and amount_cents % 100 = 0),
  interval text not null check (interval in ('month', 'year')),
  -- percent off twelve months, for who pays a year at once
  yearly_discount integer not null default 10 check (yearly_discount between 0 and 100),
  -- null: no limit
  repositories integer check (repositories >= 0),
  developers integer check (developers >= 0),
  -- a month (UTC)
  remediations integer check (remediations >= 0),
  features text[] not null default '{}',
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table pricings is 'Plans that may be chosen or bought.';
-- before the owner is held to the rows that it may write
insert into pricings (tier, title, description, amount_cents, interval, remediations, features)
values ('free', 'Free', 'For getting to know the product.', 0, 'month', 200, '{"All scanners and importers"}');
call protect_platform_table('pricings');

-- Prices at Stripe that sell a plan. A price never changes there: those of an earlier amount stay, so that who pays by one is known.
create table pricing_prices (
  price_id text primary key,
  pricing_id uuid not null references pricings (id) on delete cascade,
  product_id text not null,
  interval text not null check (interval in ('month', 'year')),
  amount_cents integer not null,
  -- may be bought now
  is_current boolean not null default true,
  created_at timestamptz not null default now()
);
comment on table pricing_prices is 'Prices at Stripe that sell a plan.';
create unique index pricing_prices_current on pricing_prices (pricing_id, interval) where is_current;
call protect_platform_table('pricing_prices');

-- An organisation at Stripe, as it was read there last. No card number: brand and last four digits.
create table billing_accounts (
  client_id uuid primary key references clients (id) on delete cascade,
  customer_id text unique,
  subscription_id text,
  subscription_status text,
  price_id text,
  current_period_end timestamptz,
  cancel_at_period_end boolean not null default false,
  card_brand text,
  card_last4 text check (card_last4 ~ '^[0-9]{4}$'),
  -- when somebody was last sent to Stripe, to pay or to change the subscription
  visited_at timestamptz,
  -- one request at a time opens a checkout; a killed one holds others up until then
  checkout_lease timestamptz,
  -- readings are numbered when they begin: one that began earlier does not overwrite a later one
  sync_begun bigint not null default 0,
  sync_written bigint not null default 0,
  synced_at timestamptz
);
comment on table billing_accounts is 'An organisation at the payment provider.';
-- what the poller looks for, over all clients
create index billing_accounts_visited on billing_accounts (visited_at) where visited_at is not null;
create index billing_accounts_synced on billing_accounts (synced_at) where customer_id is not null;
call protect_tenant_table('billing_accounts');
call allow_poller('billing_accounts');

-- Events of Stripe that were taken, so that one sent again has no second effect.
create table stripe_events (
  client_id uuid not null references clients (id) on delete cascade,
  event_id text not null,
  type text not null,
  received_at timestamptz not null default now(),
  primary key (client_id, event_id)
);
comment on table stripe_events is 'Events of the payment provider that were taken.';
create index stripe_events_received on stripe_events (client_id, received_at);
call protect_tenant_table('stripe_events');
