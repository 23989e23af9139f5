-- What people decide about findings: who is asked to work on them, a wish for a review, a severity of their own; changes that can
-- be taken back as one, and work on many findings that goes on in the background.

-- Sorted ids of those a finding was sent to; null for nobody, so that most rows pay nothing.
alter table findings add column developers uuid[];
alter table findings add column review_requested_by_id uuid;
-- Set while a person's severity stands: what the report says, for the day it is taken back.
alter table findings add column reported_severity smallint;
alter table findings add column reported_severity_numerical smallint;

alter table finding_details add column proposed_verdict text;
alter table finding_details add column proposed_reason text;

alter table aggregate_dispositions add column developers uuid[];
alter table aggregate_dispositions add column review_requested_by_id uuid;

-- Without either the hash is that of before: the rollups that stand stay right.
create function finding_disposition(status text, verdict text, is_duplicate boolean, is_subfinding boolean, issue_owner uuid,
  developers uuid[], review_requested_by_id uuid) returns bigint language sql immutable parallel safe as $$
  select case when developers is null and review_requested_by_id is null
    then finding_disposition(status, verdict, is_duplicate, is_subfinding, issue_owner)
    else hash_record_extended(row(status, verdict, is_duplicate, is_subfinding, issue_owner, developers, review_requested_by_id), 0) end
$$;

-- A generated column cannot be given another expression before PostgreSQL 17: it is made anew, with all indexes that have it.
do $$
declare
  more constant text := 'issue_owner, developers, review_requested_by_id';
  number smallint;
  expression text;
  statements text[];
  statement text;
begin
  select a.attnum, pg_get_expr(d.adbin, d.adrelid) into number, expression
  from pg_attribute a join pg_attrdef d on d.adrelid = a.attrelid and d.adnum = a.attnum
  where a.attrelid = 'findings'::regclass and a.attname = 'cell';
  select array_agg(case when c.oid is null then pg_get_indexdef(i.indexrelid)
    else format('alter table findings add constraint %I %s', c.conname, pg_get_constraintdef(c.oid)) end)
  into statements
  from pg_index i left join pg_constraint c on c.conindid = i.indexrelid and c.conrelid = i.indrelid
  where i.indrelid = 'findings'::regclass and number = any (i.indkey::smallint[]);
  alter table findings drop column cell;
  execute format('alter table findings add column cell bigint generated always as (%s) stored', replace(expression, 'issue_owner', more));
  foreach statement in array statements loop
    execute statement;
  end loop;
  execute replace(pg_get_functiondef('roll_up_findings()'::regprocedure), 'issue_owner', more);
end $$;

-- Accepted risks by the day they end.
create index findings_expiring on findings (client_id, verdict_expires_at) where verdict_expires_at is not null;

-- `change_id`: events of one act of a person. `before`: what is restored when it is taken back and from_value does not say.
alter table finding_events add column change_id uuid;
alter table finding_events add column before jsonb;
create index finding_events_of_change on finding_events (client_id, change_id, finding_id) where change_id is not null;

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
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (client_id, id)
);
create index client_jobs_finished on client_jobs (client_id, finished_at) where finished_at is not null;

alter table client_jobs enable row level security;
alter table client_jobs force row level security;
create policy tenant on client_jobs to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
grant select, insert, update, delete on client_jobs to breakwater_app;
