-- A scope may speak for a part of a target (a category, an account, a root component); target holds the part's text behind the target's
-- own, so that scan_scopes_speaks_for stays what the previous release inserts by. An existing scope is of no known part.
alter table scan_scopes add column part text not null default '';
-- of a part that a person split off: reports that do not say their part are told apart by what they repeat
alter table scan_scopes add column is_split boolean not null default false;
-- the report's own time of the newest one that was merged
alter table scan_scopes add column report_date timestamptz;

-- as the sender named it; null where the report says
alter table scans add column part text;
alter table scans add column accept_older boolean not null default false;
alter table scans add column report_date timestamptz;
-- why the scan behind the report covers less than it should: nothing was closed
alter table scans add column incomplete jsonb not null default '[]';
-- the scan whose held back closing this one decides on: it imports the same report again
alter table scans add column settles uuid;
alter table scans add column settlement text check (settlement in ('confirm', 'split'));

alter table scans drop constraint scans_status_check;
alter table scans add constraint scans_status_check
  check (status in ('queued', 'running', 'parsing', 'merging', 'done', 'incomplete', 'outdated', 'failed', 'cancelled'));
