-- A priority carries what decides between equals: less than one point, in thousandths. The indexes by priority are built anew with the
-- column, so the order of the list needs no other one. The previous release writes whole points into it as before.

-- views of rollups.sql read the column; that file is applied again after this one
drop view if exists rollup_truth_sources, rollup_truth_dispositions, rollup_truth_cells, rollup_truth_definitions,
  rollup_truth_definition_dispositions, rollup_truth_files, rollup_truth_extensions, rollup_truth_buckets, rollup_truth_dates,
  rollup_truth_days, rollup_truth_changes cascade;

alter table findings alter column priority type real;
comment on column findings.priority is '0-100; the thousandths of a point decide between equals';

-- Aggregates count findings by whole points.
create function priority_points(priority real) returns smallint language sql immutable parallel safe
  return floor(priority)::smallint;

-- Every client's findings are scored anew by the job that follows a change of the settings. Read as the owner, whom forced row-level
-- security would bind.
alter table clients no force row level security;
alter table priority_settings no force row level security;
alter table job_state no force row level security;

insert into job_state as t (client_id, job, due_at, state)
select c.id, 'prioritisation.rescore', now(), jsonb_build_object('version', coalesce(max(s.version), 0), 'total', 0)
from clients c left join priority_settings s on s.client_id = c.id
group by c.id
on conflict (client_id, job, key) do update
set due_at = now(), requests = t.requests + 1,
  state = t.state || '{"after": "00000000-0000-0000-0000-000000000000", "done": 0}';

alter table clients force row level security;
alter table priority_settings force row level security;
alter table job_state force row level security;
