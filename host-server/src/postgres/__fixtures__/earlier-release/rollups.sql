-- Keeps the tables of aggregates.sql. This file is applied again whenever its text changes, so every statement in it can be repeated.
--
-- A statement trigger on findings works out by how much the statement changes each group of findings that are counted alike
-- (rollup_change), and apply_rollup_changes adds that to the tables. A statement that changes no counted column ends there: equal groups of
-- old and new rows cancel out.
--
-- Locks: tables are written in one order and rows in the order of their key, so two transactions that write findings by one statement
-- each never wait for each other in a circle. A transaction that writes findings by several statements calls defer_rollups() first: its
-- changes are collected and applied once, at its end, so that it holds rows that other transactions need for a moment only.

-- ── applying changes ────────────────────────────────────────────────────────────────────────────────────────────────

-- Changes with the dimensions of their cells. A cell that is not counted yet has gained a finding, which tells its dimensions. Changes are
-- grouped by cell, so that each is looked up once and nothing large is joined.
create or replace function rollup_deltas(changes rollup_change[]) returns rollup_delta[]
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  return (
    select array_agg((g.client_id, g.cell, coalesce(k.source, f.source), coalesce(k.disposition, f.disposition),
      coalesce(k.severity, f.severity), coalesce(k.type, f.type), c.definition_id, c.file_id, c.priority, c.day, c.delta, c.cvss,
      c.epss, c.second)::rollup_delta)
    from (select change.client_id, change.cell, array_agg(change) as changes from unnest(changes) change group by 1, 2) g
    left join lateral (
      select n.source, n.disposition, s.severity, s.type
      from aggregate_cells n join aggregate_sources s on s.client_id = n.client_id and s.source = n.source
      where n.client_id = g.client_id and n.cell = g.cell
    ) k on true
    left join lateral (
      select f.severity, f.type,
        aggregate_key(source_dimensions(f.repository_id, f.tool, f.type, f.category, f.language, f.severity, f.kev,
          f.cvss is not null, f.epss is not null)) as source,
        aggregate_key(disposition_dimensions(f.status, f.verdict, f.is_duplicate, f.is_subfinding, f.issue_owner, f.developers,
          f.review_requested_by_id)) as disposition
      from findings f where k.source is null and f.client_id = g.client_id and f.cell = g.cell limit 1
    ) f on true
    cross join lateral unnest(g.changes) c
    where coalesce(k.source, f.source) is not null
  );
end $$;

-- Adds the sources and dispositions of cells that gained findings, and widens the bounds of priorities.
create or replace function add_rollup_dimensions(deltas rollup_delta[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
begin
  insert into aggregate_sources as t (client_id, source, repository_id, tool, type, category, language, severity, kev, has_cvss, has_epss,
    priority_low, priority_high)
  select n.client_id, n.source, f.repository_id, f.tool, f.type, f.category, f.language, f.severity, f.kev, f.cvss is not null,
    f.epss is not null, n.priority_low, n.priority_high
  from (
    select client_id, source, min(cell) as cell, min(priority) as priority_low, max(priority) as priority_high
    from unnest(deltas) where delta > 0 group by 1, 2
  ) n
  left join aggregate_sources s on s.client_id = n.client_id and s.source = n.source
  cross join lateral (select * from findings f where f.client_id = n.client_id and f.cell = n.cell limit 1) f
  where s.source is null or n.priority_low < s.priority_low or n.priority_high > s.priority_high
  order by n.client_id, n.source
  on conflict (client_id, source) do update
  set priority_low = least(t.priority_low, excluded.priority_low), priority_high = greatest(t.priority_high, excluded.priority_high);

  insert into aggregate_dispositions (client_id, disposition, status, verdict, is_duplicate, is_subfinding, issue_owner, developers,
    review_requested_by_id, is_open)
  select n.client_id, n.disposition, f.status, f.verdict, f.is_duplicate, f.is_subfinding, f.issue_owner, f.developers,
    f.review_requested_by_id, f.is_open
  from (
    select client_id, disposition, min(cell) as cell from unnest(deltas) where delta > 0 group by 1, 2
  ) n
  left join aggregate_dispositions s on s.client_id = n.client_id and s.disposition = n.disposition
  cross join lateral (select * from findings f where f.client_id = n.client_id and f.cell = n.cell limit 1) f
  where s.disposition is null
  order by n.client_id, n.disposition
  on conflict (client_id, disposition) do nothing;
end $$;

-- Adds changes to every table: first the rows of one repository, last those that the whole organisation shares. An import then holds
-- the rows that decisions elsewhere write for as short a time as can be.
create or replace function apply_rollup_changes(changes rollup_change[]) returns void
language plpgsql set plan_cache_mode = force_generic_plan set enable_seqscan = off as $$
declare
  today constant date := (now() at time zone 'UTC')::date;
  deltas constant rollup_delta[] := rollup_deltas(changes);
  -- keys of rows whose count has fallen to zero
  clients uuid[];
  ids bigint[];
  cells bigint[];
  days date[];
  words text[];
  numbers bigint[];
  severities smallint[];
  types text[];
begin
  with written as (
    insert into aggregate_definitions as t (client_id, definition_id, cell, count)
    select client_id, definition_id, cell, sum(delta) from unnest(deltas)
    group by 1, 2, 3 having sum(delta) <> 0 order by 1, 2, 3
    on conflict (client_id, definition_id, cell) do update set count = t.count + excluded.count
    returning t.client_id, t.definition_id, t.cell, t.count
  )
  select array_agg(client_id), array_agg(definition_id), array_agg(cell) into clients, ids, cells
  from written where count = 0;
  if clients is not null then
    delete from aggregate_definitions t using unnest(clients, ids, cells) e (client_id, definition_id, cell)
    where t.client_id = e.client_id and t.definition_id = e.definition_id and t.cell = e.cell;
  end if;

  with written as (
    insert into aggregate_extensions as t (client_id, extension, cell, count)
    select c.client_id, p.extension, c.cell, sum(c.delta)
    from (
      select client_id, file_id, cell, sum(delta) as delta from unnest(deltas) where file_id is not null
      group by 1, 2, 3 having sum(delta) <> 0
    ) c
    cross join lateral (select p.extension from finding_files p where p.client_id = c.client_id and p.id = c.file_id) p
    group by 1, 2, 3 having sum(c.delta) <> 0 order by 1, 2, 3
    on conflict (client_id, extension, cell) do update set count = t.count + excluded.count
    returning t.client_id, t.extension, t.cell, t.count
  )
  select array_agg(client_id), array_agg(extension), array_agg(cell) into clients, words, cells
  from written where count = 0;
  if clients is not null then
    delete from aggregate_extensions t using unnest(clients, words, cells) e (client_id, extension, cell)
    where t.client_id = e.client_id and t.extension = e.extension and t.cell = e.cell;
  end if;

  with written as (
    insert into aggregate_dates as t (client_id, cell, day, count)
    select client_id, cell, day, sum(delta) from unnest(deltas)
    group by 1, 2, 3 having sum(delta) <> 0 order by 1, 2, 3
    on conflict (client_id, cell, day) do update set count = t.count + excluded.count
    returning t.client_id, t.cell, t.day, t.count
  )
  select array_agg(client_id), array_agg(cell), array_agg(day) into clients, cells, days
  from written where count = 0;
  if clients is not null then
    delete from aggregate_dates t using unnest(clients, cells, days) e (client_id, cell, day)
    where t.client_id = e.client_id and t.cell = e.cell and t.day = e.day;
  end if;

  with written as (
    insert into aggregate_changes as t (client_id, day, source, disposition, delta)
    select client_id, today, source, disposition, sum(delta) from unnest(deltas)
    group by 1, 2, 3, 4 having sum(delta) <> 0 order by 1, 2, 3, 4
    on conflict (client_id, day, source, disposition) do update set delta = t.delta + excluded.delta
    returning t.client_id, t.source, t.disposition, t.delta
  )
  select array_agg(client_id), array_agg(source), array_agg(disposition) into clients, ids, cells
  from written where delta = 0;
  if clients is not null then
    delete from aggregate_changes t using unnest(clients, ids, cells) e (client_id, source, disposition)
    where t.client_id = e.client_id and t.source = e.source and t.disposition = e.disposition and t.day = today;
  end if;

  perform add_rollup_dimensions(deltas);

  with written as (
    insert into aggregate_cells as t (client_id, cell, source, disposition, count)
    select client_id, cell, source, disposition, sum(delta) from unnest(deltas)
    group by 1, 2, 3, 4 having sum(delta) <> 0 order by 1, 2
    on conflict (client_id, cell) do update set count = t.count + excluded.count
    returning t.client_id, t.cell, t.count
  )
  select array_agg(client_id), array_agg(cell) into clients, cells
  from written where count = 0;
  if clients is not null then
    delete from aggregate_cells t using unnest(clients, cells) e (client_id, cell)
    where t.client_id = e.client_id and t.cell = e.cell;
  end if;

  with written as (
    insert into aggregate_files as t (client_id, file_id, disposition, count)
    select client_id, file_id, disposition, sum(delta) from unnest(deltas) where file_id is not null
    group by 1, 2, 3 having sum(delta) <> 0 order by 1, 2, 3
    on conflict (client_id, file_id, disposition) do update set count = t.count + excluded.count
    returning t.client_id, t.file_id, t.disposition, t.count
  )
  select array_agg(client_id), array_agg(file_id), array_agg(disposition) into clients, ids, cells
  from written where count = 0;
  if clients is not null then
    delete from aggregate_files t using unnest(clients, ids, cells) e (client_id, file_id, disposition)
    where t.client_id = e.client_id and t.file_id = e.file_id and t.disposition = e.disposition;
  end if;

  with written as (
    insert into aggregate_definition_dispositions as t (client_id, definition_id, disposition, count)
    select client_id, definition_id, disposition, sum(delta) from unnest(deltas)
    group by 1, 2, 3 having sum(delta) <> 0 order by 1, 2, 3
    on conflict (client_id, definition_id, disposition) do update set count = t.count + excluded.count
    returning t.client_id, t.definition_id, t.disposition, t.count
  )
  select array_agg(client_id), array_agg(definition_id), array_agg(disposition) into clients, ids, cells
  from written where count = 0;
  if clients is not null then
    delete from aggregate_definition_dispositions t using unnest(clients, ids, cells) e (client_id, definition_id, disposition)
    where t.client_id = e.client_id and t.definition_id = e.definition_id and t.disposition = e.disposition;
  end if;

  with written as (
    insert into aggregate_buckets as t (client_id, field, bucket, disposition, count)
    select client_id, b.field, b.bucket, disposition, sum(c.delta)
    from unnest(deltas) c
    cross join lateral (
      values ('priority', c.priority::bigint), ('date', c.day - date '2000-01-01'), ('cvss', c.cvss), ('epss', c.epss),
        (id_field(c.cvss is not null, c.epss is not null), c.second)
    ) b (field, bucket)
    where b.bucket is not null
    group by 1, 2, 3, 4 having sum(c.delta) <> 0 order by 1, 2, 3, 4
    on conflict (client_id, field, bucket, disposition) do update set count = t.count + excluded.count
    returning t.client_id, t.field, t.bucket, t.disposition, t.count
  )
  select array_agg(client_id), array_agg(field), array_agg(bucket), array_agg(disposition) into clients, words, numbers, cells
  from written where count = 0;
  if clients is not null then
    delete from aggregate_buckets t using unnest(clients, words, numbers, cells) e (client_id, field, bucket, disposition)
    where t.client_id = e.client_id and t.field = e.field and t.bucket = e.bucket and t.disposition = e.disposition;
  end if;

  with written as (
    insert into aggregate_days as t (client_id, field, day, severity, type, disposition, count)
    select client_id, d.field, d.day, severity, type, disposition, sum(c.delta)
    from unnest(deltas) c
    cross join lateral (values ('found', c.day), ('changed', today)) d (field, day)
    group by 1, 2, 3, 4, 5, 6 having sum(c.delta) <> 0 order by 1, 2, 3, 4, 5, 6
    on conflict (client_id, field, day, severity, type, disposition) do update set count = t.count + excluded.count
    returning t.client_id, t.field, t.day, t.severity, t.type, t.disposition, t.count
  )
  select array_agg(client_id), array_agg(field), array_agg(day), array_agg(severity), array_agg(type),
    array_agg(disposition) into clients, words, days, severities, types, cells
  from written where count = 0;
  if clients is not null then
    delete from aggregate_days t using unnest(clients, words, days, severities, types, cells) e (client_id, field, day, severity, type,
      disposition)
    where t.client_id = e.client_id and t.field = e.field and t.day = e.day and t.severity = e.severity and t.type = e.type
      and t.disposition = e.disposition;
  end if;
end $$;

-- ── collecting changes ──────────────────────────────────────────────────────────────────────────────────────────────

-- From here to the end of the transaction, or to apply_deferred_rollups(), changes are only collected. Until they are applied, the
-- aggregates are those of before, also for this transaction.
create or replace function defer_rollups() returns void language plpgsql as $$
begin
  if to_regclass('pg_temp.rollup_changes') is null then
    create temp table rollup_changes of rollup_change on commit delete rows;
    create temp table rollup_deferrals (is_deferred boolean) on commit delete rows;
    create constraint trigger apply_at_commit after insert on rollup_deferrals
      deferrable initially deferred for each row execute function apply_rollups_at_commit();
  end if;
  insert into pg_temp.rollup_deferrals values (true);
  perform set_config('app.rollups', 'deferred', true);
end $$;

create or replace function apply_deferred_rollups() returns void language plpgsql as $$
declare
  changes rollup_change[];
begin
  perform set_config('app.rollups', 'immediate', true);
  if to_regclass('pg_temp.rollup_changes') is null then return; end if;
  select array_agg((client_id, cell, definition_id, file_id, priority, day, delta, cvss, epss, second)::rollup_change) into changes
  from (
    select client_id, cell, definition_id, file_id, priority, day, cvss, epss, second, sum(delta)::bigint as delta
    from pg_temp.rollup_changes group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(delta) <> 0
  ) c;
  delete from pg_temp.rollup_changes;
  if changes is not null then perform apply_rollup_changes(changes); end if;
end $$;

create or replace function apply_rollups_at_commit() returns trigger language plpgsql as $$
begin
  perform apply_deferred_rollups();
  return null;
end $$;

create or replace function roll_up_findings() returns trigger language plpgsql as $$
declare
  changes rollup_change[];
begin
  if tg_op = 'INSERT' then
    select array_agg((client_id, cell, definition_id, file_id, priority, day, delta, cvss, epss, second)::rollup_change) into changes
    from (
      select client_id, cell, definition_id, file_id, priority, (date at time zone 'UTC')::date as day, cvss_bucket(cvss) as cvss,
        epss_bucket(epss) as epss, id_bucket(id) as second, count(*) as delta
      from new_rows group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) c;
  elsif tg_op = 'DELETE' then
    select array_agg((client_id, cell, definition_id, file_id, priority, day, delta, cvss, epss, second)::rollup_change) into changes
    from (
      select client_id, cell, definition_id, file_id, priority, (date at time zone 'UTC')::date as day, cvss_bucket(cvss) as cvss,
        epss_bucket(epss) as epss, id_bucket(id) as second, -count(*) as delta
      from old_rows group by 1, 2, 3, 4, 5, 6, 7, 8, 9
    ) c;
  else
    select array_agg((client_id, cell, definition_id, file_id, priority, day, delta, cvss, epss, second)::rollup_change) into changes
    from (
      select client_id, cell, definition_id, file_id, priority, (date at time zone 'UTC')::date as day, cvss_bucket(cvss) as cvss,
        epss_bucket(epss) as epss, id_bucket(id) as second, sum(delta)::bigint as delta
      from (
        select client_id, id, cell, definition_id, file_id, priority, date, cvss, epss, 1 as delta from new_rows
        union all
        select client_id, id, cell, definition_id, file_id, priority, date, cvss, epss, -1 from old_rows
      ) each group by 1, 2, 3, 4, 5, 6, 7, 8, 9 having sum(delta) <> 0
    ) c;
  end if;
  if changes is null then return null; end if;
  if current_setting('app.rollups', true) = 'deferred' then
    insert into pg_temp.rollup_changes select * from unnest(changes);
  else
    perform apply_rollup_changes(changes);
  end if;
  return null;
end $$;

create or replace trigger findings_inserted after insert on findings
  referencing new table as new_rows for each statement execute function roll_up_findings();
create or replace trigger findings_updated after update on findings
  referencing old table as old_rows new table as new_rows for each statement execute function roll_up_findings();
create or replace trigger findings_deleted after delete on findings
  referencing old table as old_rows for each statement execute function roll_up_findings();

-- ── removing a repository ───────────────────────────────────────────────────────────────────────────────────────────

-- Deletes the history of a repository (or branch) whose findings have been deleted, and its sources.
create or replace function remove_rollup_history(repository uuid) returns void language plpgsql as $$
begin
  with removed as (
    delete from aggregate_changes d using aggregate_sources k
    where k.client_id = current_client() and k.repository_id = repository and d.client_id = k.client_id and d.source = k.source
    returning d.client_id, d.day, k.severity, k.type, d.disposition, d.delta
  )
  insert into aggregate_days as t (client_id, field, day, severity, type, disposition, count)
  select client_id, 'changed', day, severity, type, disposition, -sum(delta) from removed
  group by 1, 2, 3, 4, 5, 6 having sum(delta) <> 0 order by 1, 2, 3, 4, 5, 6
  on conflict (client_id, field, day, severity, type, disposition) do update set count = t.count + excluded.count;
  delete from aggregate_days where client_id = current_client() and field = 'changed' and count = 0;
  delete from aggregate_sources where client_id = current_client() and repository_id = repository;
end $$;

-- ── the truth ───────────────────────────────────────────────────────────────────────────────────────────────────────

-- What each table should hold, counted from the findings: check-rollups compares with these, rebuild-rollups and the benchmarks' seed fill
-- from them. Changes of past days cannot be counted from findings: only their sums are checked.
drop view if exists rollup_truth_sources, rollup_truth_dispositions, rollup_truth_cells, rollup_truth_definitions,
  rollup_truth_definition_dispositions, rollup_truth_files, rollup_truth_extensions, rollup_truth_buckets, rollup_truth_dates,
  rollup_truth_days, rollup_truth_changes;

create view rollup_truth_sources with (security_invoker) as
select f.client_id, k.source, f.repository_id, f.tool, f.type, f.category, f.language, f.severity, f.kev, f.cvss is not null as has_cvss,
  f.epss is not null as has_epss, min(f.priority) as priority_low, max(f.priority) as priority_high
from findings f
cross join lateral (select aggregate_key(source_dimensions(f.repository_id, f.tool, f.type, f.category, f.language, f.severity, f.kev,
  f.cvss is not null, f.epss is not null)) as source) k
group by 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11;

create view rollup_truth_dispositions with (security_invoker) as
select distinct f.client_id, aggregate_key(disposition_dimensions(f.status, f.verdict, f.is_duplicate, f.is_subfinding, f.issue_owner,
    f.developers, f.review_requested_by_id)) as disposition,
  f.status, f.verdict, f.is_duplicate, f.is_subfinding, f.issue_owner, f.developers, f.review_requested_by_id, f.is_open
from findings f;

-- One row of findings gives the dimensions of its cell: cheaper than hashing them for every finding.
create view rollup_truth_cells with (security_invoker) as
select c.client_id, c.cell, f.source, f.disposition, c.count
from (select client_id, cell, count(*) as count from findings group by 1, 2) c
cross join lateral (
  select
    aggregate_key(source_dimensions(f.repository_id, f.tool, f.type, f.category, f.language, f.severity, f.kev,
      f.cvss is not null, f.epss is not null)) as source,
    aggregate_key(disposition_dimensions(f.status, f.verdict, f.is_duplicate, f.is_subfinding, f.issue_owner, f.developers,
      f.review_requested_by_id)) as disposition
  from findings f where f.client_id = c.client_id and f.cell = c.cell limit 1
) f;

create view rollup_truth_definitions with (security_invoker) as
select client_id, definition_id, cell, count(*) as count from findings group by 1, 2, 3;

create view rollup_truth_definition_dispositions with (security_invoker) as
select n.client_id, n.definition_id, k.disposition, sum(n.count)::bigint as count
from rollup_truth_definitions n join rollup_truth_cells k using (client_id, cell) group by 1, 2, 3;

create view rollup_truth_files with (security_invoker) as
select n.client_id, n.file_id, k.disposition, sum(n.count)::bigint as count
from (select client_id, file_id, cell, count(*) as count from findings where file_id is not null group by 1, 2, 3) n
join rollup_truth_cells k using (client_id, cell) group by 1, 2, 3;

create view rollup_truth_extensions with (security_invoker) as
select n.client_id, p.extension, n.cell, sum(n.count)::bigint as count
from (select client_id, file_id, cell, count(*) as count from findings where file_id is not null group by 1, 2, 3) n
join finding_files p on p.client_id = n.client_id and p.id = n.file_id group by 1, 2, 3;

create view rollup_truth_buckets with (security_invoker) as
select n.client_id, b.field, b.bucket, k.disposition, sum(n.count)::bigint as count
from (
  select client_id, cell, priority, (date at time zone 'UTC')::date as day, cvss_bucket(cvss) as cvss, epss_bucket(epss) as epss,
    id_bucket(id) as second, count(*) as count
  from findings group by 1, 2, 3, 4, 5, 6, 7
) n
join rollup_truth_cells k using (client_id, cell)
cross join lateral (
  values ('priority', n.priority::bigint), ('date', n.day - date '2000-01-01'), ('cvss', n.cvss), ('epss', n.epss),
    (id_field(n.cvss is not null, n.epss is not null), n.second)
) b (field, bucket)
where b.bucket is not null
group by 1, 2, 3, 4;

create view rollup_truth_dates with (security_invoker) as
select client_id, cell, (date at time zone 'UTC')::date as day, count(*) as count from findings group by 1, 2, 3;

create view rollup_truth_days with (security_invoker) as
select n.client_id, 'found' as field, n.day, s.severity, s.type, k.disposition, sum(n.count)::bigint as count
from rollup_truth_dates n
join rollup_truth_cells k using (client_id, cell)
join rollup_truth_sources s on s.client_id = k.client_id and s.source = k.source
group by 1, 2, 3, 4, 5, 6
union all
select d.client_id, 'changed', d.day, s.severity, s.type, d.disposition, sum(d.delta)::bigint
from aggregate_changes d join aggregate_sources s on s.client_id = d.client_id and s.source = d.source
group by 1, 2, 3, 4, 5, 6 having sum(d.delta) <> 0;

-- What the changes should add up to.
create view rollup_truth_changes with (security_invoker) as
select client_id, source, disposition, sum(count)::bigint as delta from rollup_truth_cells group by 1, 2, 3;
