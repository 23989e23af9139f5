-- What the whole filter disposition and the groups of findings need to stay fast at a million findings.

-- ── indexes ─────────────────────────────────────────────────────────────────────────────────────────────────
-- the highest priority of a definition without reading its rows, and its findings in order
drop index findings_by_definition;
create index findings_by_definition on findings (client_id, definition_id, priority desc, id desc) include (cell);
-- the same for a file
drop index findings_by_file;
create index findings_by_file on findings (client_id, file_id, start_line) include (cell, definition_id, priority) where file_id is not null;
-- with the severity, which says when a finding is due
drop index findings_by_date;
create index findings_by_date on findings (client_id, date desc, id desc) include (cell, definition_id, file_id, priority, cvss, severity);
-- filter and order by effort; findings not estimated yet come below 0
create index findings_by_effort on findings (client_id, effort_for_fixing desc nulls last, id desc) include (cell, definition_id, file_id);
-- filters start_column and end_column
create index findings_by_columns on findings (client_id, start_column, end_column) where start_column is not null;
-- filter and facet by tag: few findings carry one
create index findings_tagged on findings (client_id, id) where tags <> '{}';

-- ── dictionaries ────────────────────────────────────────────────────────────────────────────────────────────
-- `ts` of src/a.spec.ts; '' for none, as in Makefile and .gitignore
alter table finding_files add column extension text not null
  generated always as (lower(coalesce(substring(path from '[^/\\]\.([A-Za-z0-9_+-]{1,16})$'), ''))) stored;
create index finding_files_extension on finding_files (client_id, extension);

-- What the tool says about the policy behind a rule, as of its newest report: {name, category, control}.
alter table finding_definitions add column policy jsonb;
update finding_definitions x set policy = d.policy
from (
  select distinct on (f.client_id, f.definition_id) f.client_id, f.definition_id, t.policy
  from finding_details t join findings f on f.client_id = t.client_id and f.id = t.finding_id
  where t.policy is not null order by f.client_id, f.definition_id, f.id desc
) d
where x.client_id = d.client_id and x.id = d.definition_id;

-- ── rollups ─────────────────────────────────────────────────────────────────────────────────────────────────
create table aggregate_files (
  client_id uuid not null,
  file_id bigint not null,
  disposition bigint not null,
  count bigint not null,
  primary key (client_id, file_id, disposition)
);

create table aggregate_extensions (
  client_id uuid not null,
  extension text not null,
  cell bigint not null,
  count bigint not null,
  primary key (client_id, extension, cell)
);

-- Runs after roll_up_findings (triggers fire in the order of their names), which has put every cell into aggregate_cells.
create function roll_up_finding_places() returns trigger language plpgsql as $$
declare
  columns constant text := 'client_id, file_id, cell';
  change constant text := case tg_op
    when 'INSERT' then format('select %s, 1 as delta from new_rows', columns)
    when 'DELETE' then format('select %s, -1 as delta from old_rows', columns)
    else format('select %1$s, 1 as delta from new_rows union all select %1$s, -1 from old_rows', columns) end;
begin
  execute format($sql$
    with change as not materialized (%s),
    in_file as materialized (
      select client_id, file_id, cell, sum(delta) as delta from change
      where file_id is not null group by client_id, file_id, cell having sum(delta) <> 0
    ),
    extensions as (
      insert into aggregate_extensions as t (client_id, extension, cell, count)
      select i.client_id, p.extension, i.cell, sum(i.delta)
      from in_file i join finding_files p on p.client_id = i.client_id and p.id = i.file_id
      group by i.client_id, p.extension, i.cell having sum(i.delta) <> 0 order by i.client_id, p.extension, i.cell
      on conflict (client_id, extension, cell) do update set count = t.count + excluded.count
    )
    insert into aggregate_files as t (client_id, file_id, disposition, count)
    select i.client_id, i.file_id, c.disposition, sum(i.delta)
    from in_file i join aggregate_cells c on c.client_id = i.client_id and c.cell = i.cell
    group by i.client_id, i.file_id, c.disposition having sum(i.delta) <> 0 order by i.client_id, i.file_id, c.disposition
    on conflict (client_id, file_id, disposition) do update set count = t.count + excluded.count
  $sql$, change);
  return null;
end $$;

create trigger findings_inserted_places after insert on findings
  referencing new table as new_rows for each statement execute function roll_up_finding_places();
create trigger findings_updated_places after update on findings
  referencing old table as old_rows new table as new_rows for each statement execute function roll_up_finding_places();
create trigger findings_deleted_places after delete on findings
  referencing old table as old_rows for each statement execute function roll_up_finding_places();

insert into aggregate_files
select f.client_id, f.file_id, c.disposition, count(*) from findings f join aggregate_cells c on c.client_id = f.client_id and c.cell = f.cell
where f.file_id is not null group by 1, 2, 3;
insert into aggregate_extensions
select f.client_id, p.extension, f.cell, count(*) from findings f join finding_files p on p.client_id = f.client_id and p.id = f.file_id
group by 1, 2, 3;
do $$
declare
  table_name text;
begin
  foreach table_name in array array['aggregate_files', 'aggregate_extensions'] loop
    execute format('alter table %I enable row level security', table_name);
    execute format('alter table %I force row level security', table_name);
    execute format('create policy tenant on %I to breakwater_app using (client_id = current_client()) with check (client_id = current_client())', table_name);
  end loop;
end $$;
grant select, insert, update, delete on aggregate_files, aggregate_extensions to breakwater_app;
