-- Where a finding stands in its file, apart from the finding: lines move with every edit above them, and a finding has fourteen indexes.
-- A re-import that only moves lines writes this table alone. Half of each page is left free, so that a new version of a row stays on its
-- page and its index is not written.

create table finding_locations (
  client_id uuid not null,
  finding_id uuid not null,
  start_line integer,
  end_line integer,
  -- digest of finding_details.locations and code_flows; null for neither
  places uuid,
  primary key (client_id, finding_id)
) with (fillfactor = 50);
call protect_tenant_table('finding_locations');

-- the owner of the tables reads all clients' rows for once
alter table findings no force row level security;
alter table finding_locations no force row level security;
insert into finding_locations (client_id, finding_id, start_line, end_line)
select client_id, id, start_line, end_line from findings where start_line is not null or end_line is not null order by client_id, id;
alter table findings force row level security;
alter table finding_locations force row level security;

drop index findings_by_file;
alter table findings drop column start_line, drop column end_line;
-- the same as findings_by_definition of a file; filters start_column and end_column are tested while scanning it
create index findings_by_file on findings (client_id, file_id) include (start_column, end_column, priority, cell, definition_id);

-- code begins at the line of its finding
alter table finding_details drop column code_start_line;
