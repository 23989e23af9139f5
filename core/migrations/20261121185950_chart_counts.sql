-- Counts by day for the charts, kept in the transaction of the change like the other rollups.

-- Findings by cell and by the day of their date (UTC): what a chart over dates reads under a filter.
create table aggregate_dates (
  client_id uuid not null,
  cell bigint not null,
  day date not null,
  count bigint not null,
  primary key (client_id, cell, day) include (count)
);

-- The same with only the severity left of the source: a few rows a day, so that a chart of everything stays fast whatever there is.
-- `found`: findings by the day of their date. `changed`: how their number changed on a day, as aggregate_changes says per cell.
create table aggregate_days (
  client_id uuid not null,
  field text not null check (field in ('found', 'changed')),
  day date not null,
  severity smallint not null,
  disposition bigint not null,
  count bigint not null,
  primary key (client_id, field, day, severity, disposition) include (count)
);

-- Closed findings, for the time it took to fix them. Only they pay for it.
create index findings_closed on findings (client_id, closed_at) include (cell, severity, first_seen, definition_id, file_id)
  where status = 'mitigated' and closed_at is not null;

insert into aggregate_dates (client_id, cell, day, count)
select client_id, cell, (date at time zone 'UTC')::date, count(*) from findings group by 1, 2, 3;

insert into aggregate_days (client_id, field, day, severity, disposition, count)
select d.client_id, d.field, d.day, k.severity, c.disposition, sum(d.count)
from (
  select client_id, 'found' as field, cell, day, count from aggregate_dates
  union all
  select client_id, 'changed', cell, day, delta from aggregate_changes
) d
join aggregate_cells c on c.client_id = d.client_id and c.cell = d.cell
join aggregate_sources k on k.client_id = c.client_id and k.source = c.source
group by 1, 2, 3, 4, 5 having sum(d.count) <> 0;

-- Runs after roll_up_findings (triggers fire by name), which has written the cells. An import takes its client's turn first, so no
-- two wait for each other's rows.
create function roll_up_finding_days() returns trigger language plpgsql as $$
declare
  columns constant text := 'client_id, cell, (date at time zone ''UTC'')::date as day';
  change constant text := case tg_op
    when 'INSERT' then format('select %s, 1 as delta from new_rows', columns)
    when 'DELETE' then format('select %s, -1 as delta from old_rows', columns)
    else format('select %1$s, 1 as delta from new_rows union all select %1$s, -1 from old_rows', columns) end;
begin
  execute format($sql$
    with found as materialized (
      select client_id, cell, day, sum(delta) as delta from (%s) change group by 1, 2, 3 having sum(delta) <> 0
    ),
    dates as (
      insert into aggregate_dates as t (client_id, cell, day, count)
      select client_id, cell, day, delta from found order by 1, 2, 3
      on conflict (client_id, cell, day) do update set count = t.count + excluded.count
    )
    insert into aggregate_days as t (client_id, field, day, severity, disposition, count)
    select f.client_id, e.field, e.day, k.severity, c.disposition, sum(f.delta)
    from found f
    join aggregate_cells c on c.client_id = f.client_id and c.cell = f.cell
    join aggregate_sources k on k.client_id = c.client_id and k.source = c.source
    cross join lateral (values ('found', f.day), ('changed', (now() at time zone 'UTC')::date)) e (field, day)
    group by 1, 2, 3, 4, 5 having sum(f.delta) <> 0 order by 1, 2, 3, 4, 5
    on conflict (client_id, field, day, severity, disposition) do update set count = t.count + excluded.count
  $sql$, change);
  return null;
end $$;

create trigger findings_inserted_days after insert on findings
  referencing new table as new_rows for each statement execute function roll_up_finding_days();
create trigger findings_updated_days after update on findings
  referencing old table as old_rows new table as new_rows for each statement execute function roll_up_finding_days();
create trigger findings_deleted_days after delete on findings
  referencing old table as old_rows for each statement execute function roll_up_finding_days();

-- A repository that is removed takes its history along, here too.
create function forget_finding_days() returns trigger language plpgsql as $$
begin
  insert into aggregate_days as t (client_id, field, day, severity, disposition, count)
  select d.client_id, 'changed', d.day, k.severity, c.disposition, -sum(d.delta)
  from old_rows d
  join aggregate_cells c on c.client_id = d.client_id and c.cell = d.cell
  join aggregate_sources k on k.client_id = c.client_id and k.source = c.source
  group by 1, 2, 3, 4, 5 having sum(d.delta) <> 0 order by 1, 2, 3, 4, 5
  on conflict (client_id, field, day, severity, disposition) do update set count = t.count + excluded.count;
  delete from aggregate_dates n using (select distinct client_id, cell from old_rows) d
  where n.client_id = d.client_id and n.cell = d.cell and n.count = 0;
  return null;
end $$;

create trigger finding_day_counts_deleted after delete on aggregate_changes
  referencing old table as old_rows for each statement execute function forget_finding_days();

alter table aggregate_dates enable row level security;
alter table aggregate_dates force row level security;
create policy tenant on aggregate_dates to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
grant select, insert, update, delete on aggregate_dates to breakwater_app;

alter table aggregate_days enable row level security;
alter table aggregate_days force row level security;
create policy tenant on aggregate_days to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
grant select, insert, update, delete on aggregate_days to breakwater_app;
