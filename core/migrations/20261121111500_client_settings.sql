-- What an organisation says of itself beyond its name, and the plan it has chosen.
alter table clients
  add column company jsonb not null default '{}',
  add column subscription_tier text not null default 'free';
