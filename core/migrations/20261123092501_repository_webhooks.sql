-- Webhooks that the host made at the providers of repositories: core/src/source-control/server/webhooks.
create table repository_webhooks (
  client_id uuid not null,
  repository_id uuid not null,
  state text not null default 'none' check (state in ('none', 'active', 'failed')),
  -- its id at the provider; null: none is known there
  webhook_id text,
  -- why it could not be made or deleted; null where it could
  problem text,
  -- failures since the last success
  attempts integer not null default 0,
  -- when it is made or looked at again; null: a person removed it, and asks for it again
  next_at timestamptz default now(),
  -- the run that asks the provider: nobody else asks until `run_until`
  run_id uuid,
  run_until timestamptz,
  changed_at timestamptz not null default now(),
  primary key (client_id, repository_id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
comment on table repository_webhooks is 'The webhook of a repository at its provider.';

call protect_tenant_table('repository_webhooks');

-- A delivery that comes several times at once has one effect: until then one request is at it; null: it was taken.
alter table connection_deliveries add column claimed_until timestamptz;
