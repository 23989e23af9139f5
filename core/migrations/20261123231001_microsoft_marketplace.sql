-- Subscriptions that were bought at the Microsoft Marketplace, and its operations that were taken.

-- A purchase that an admin activated for the organisation, as it was read at the marketplace last.
create table marketplace_subscriptions (
  client_id uuid not null references clients (id) on delete cascade,
  -- of the marketplace; belongs to one organisation
  subscription_id uuid not null unique,
  name text not null,
  offer_id text not null,
  -- the tier of the plan that it pays for
  plan_id text not null,
  -- people that are paid for; null where the plan is not sold by seats
  quantity integer check (quantity > 0),
  status text not null check (status in ('PendingFulfillmentStart', 'Subscribed', 'Suspended', 'Unsubscribed')),
  term_end timestamptz,
  claimed_at timestamptz not null default now(),
  -- when an operation was announced last
  touched_at timestamptz not null default now(),
  -- readings are numbered when they begin: one that began earlier does not overwrite a later one
  sync_begun bigint not null default 0,
  sync_written bigint not null default 0,
  -- when it is read again although nothing was announced
  due_at timestamptz not null default now() + interval '1 minute',
  primary key (client_id, subscription_id)
);
comment on table marketplace_subscriptions is 'Subscriptions bought at the Microsoft Marketplace.';
-- nobody pays twice
create unique index marketplace_subscriptions_live on marketplace_subscriptions (client_id) where status <> 'Unsubscribed';
-- what the poller looks for, over all clients
create index marketplace_subscriptions_due on marketplace_subscriptions (due_at);
call protect_tenant_table('marketplace_subscriptions');
call allow_poller('marketplace_subscriptions');

-- Operations of the marketplace that were taken, so that one announced again has no second effect.
create table marketplace_operations (
  client_id uuid not null references clients (id) on delete cascade,
  operation_id uuid not null,
  action text not null,
  received_at timestamptz not null default now(),
  primary key (client_id, operation_id)
);
comment on table marketplace_operations is 'Operations of the Microsoft Marketplace that were taken.';
create index marketplace_operations_received on marketplace_operations (client_id, received_at);
call protect_tenant_table('marketplace_operations');
