-- Work that outlasts a request. `items` are ids still to do, in order; `position` says how many are done.
create table client_jobs (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  kind text not null,
  actor uuid not null,
  status text not null default 'queued' check (status in ('queued', 'running', 'done', 'failed', 'cancelled')),
  input jsonb not null,
  items uuid[],
  position integer not null default 0,
  total integer not null default 0,
  done integer not null default 0,
  refused_count integer not null default 0,
  -- the first 1,000
  refused jsonb not null default '[]',
  result jsonb,
  detail text,
  -- how often it was queued again because it had stopped advancing, and when it last advanced
  requeue_count smallint not null default 0,
  touched_at timestamptz not null default now(),
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  -- when whoever started it was shown how it ended
  seen_at timestamptz,
  primary key (client_id, id)
);
create index client_jobs_finished on client_jobs (client_id, finished_at) where finished_at is not null;
create index client_jobs_unfinished on client_jobs (client_id, touched_at) where finished_at is null;
create index client_jobs_unseen on client_jobs (client_id, actor, id) where seen_at is null;

call protect_tenant_table('client_jobs');
