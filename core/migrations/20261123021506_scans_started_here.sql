-- Scans that the server itself starts: what scan_requests said of a wish becomes the state of a run.
alter table scan_requests drop constraint scan_requests_status_check;
alter table scan_requests add constraint scan_requests_status_check
  check (status in ('queued', 'running', 'parsing', 'merging', 'done', 'failed', 'cancelled'));
alter table scan_requests
  add column trigger text not null default 'person' check (trigger in ('person', 'schedule', 'push')),
  -- null: the repository's default branch
  add column branch text,
  -- what was scanned
  add column commit_hash text,
  -- number of the pull request that hears of the findings
  add column pull_request integer,
  add column percentage smallint not null default 0,
  -- what became of each scanner, in the order in which they run
  add column tools jsonb not null default '[]',
  add column code text,
  add column attempts smallint not null default 0,
  -- the run that works on it; a process that died does not renew it
  add column lease_id uuid,
  add column lease_until timestamptz,
  add column started_at timestamptz,
  add column finished_at timestamptz;
create index scan_requests_newest on scan_requests (client_id, id desc);
create index scan_requests_repository on scan_requests (client_id, repository_id, id desc);
create index scan_requests_unfinished on scan_requests (status) where status in ('queued', 'running', 'parsing', 'merging');
comment on table scan_requests is 'Scans that the server starts, by a person, a schedule or a push.';

call allow_poller('scan_requests', $$status in ('queued', 'running', 'parsing', 'merging')$$);
