-- What jobs keep between their runs, in one table instead of rescores, priority_rescores, license_checks and reference_feed_checks:
-- core/src/platform/server/jobs/job-state.ts.
create table job_state (
  -- null: of the platform, the same for every client
  client_id uuid references clients (id) on delete cascade,
  job text not null,
  -- what it is done for, such as an application; empty: for all of the client
  key text not null default '',
  -- from when on it is to run; null: nothing to do
  due_at timestamptz,
  -- grows with every request, so that one that comes during a run is not taken for done
  requests bigint not null default 1,
  state jsonb not null default '{}',
  unique nulls not distinct (client_id, job, key)
);
create index job_state_due on job_state (job, due_at) where due_at is not null;
comment on table job_state is 'What is asked of jobs, and how far they are.';

-- this migration reads the rows of all clients as the owner, whom forced row-level security would bind
alter table rescores no force row level security;
alter table priority_rescores no force row level security;
alter table license_checks no force row level security;
alter table reference_feed_checks no force row level security;

insert into job_state (client_id, job, due_at, state)
select client_id, 'reference.rescore', case when finished_at is null then now() end,
  jsonb_build_object('version', version, 'after', after_definition, 'kevFound', kev_found)
from rescores;

insert into job_state (client_id, job, due_at, state)
select client_id, 'prioritisation.rescore', case when finished_at is null then now() end,
  jsonb_build_object('version', version, 'after', after_finding, 'done', done, 'total', total, 'jobId', job_id)
from priority_rescores;

insert into job_state (client_id, job, key, due_at, requests, state)
select client_id, 'licenses.check', repository_id::text, case when done < asked then now() end, asked,
  jsonb_build_object('content', encode(content, 'hex'))
from license_checks;

insert into job_state (client_id, job, key, due_at, state)
select null, 'reference.refresh', source, checked_at + make_interval(hours => case when failure is null then 24 else 1 end),
  jsonb_build_object('address', address, 'checkedAt', to_char(checked_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
    'failure', failure, 'etag', etag, 'lastModified', last_modified)
from reference_feed_checks;

drop table rescores, priority_rescores, license_checks, reference_feed_checks;

call protect_tenant_table('job_state');
call allow_poller('job_state');
create policy platform on job_state to breakwater_app
  using (client_id is null and current_setting('app.identity', true) = 'on')
  with check (client_id is null and current_setting('app.identity', true) = 'on');
