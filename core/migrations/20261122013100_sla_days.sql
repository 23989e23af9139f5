-- Days that an organisation allows for fixing a finding of each severity; null: no limit. Without a row the default holds:
-- core/src/findings/model/sla.ts. When a finding is due is never stored: it is its date and these days.
create table sla_days (
  client_id uuid primary key references clients (id) on delete cascade,
  critical smallint check (critical between 1 and 3650),
  high smallint check (high between 1 and 3650),
  medium smallint check (medium between 1 and 3650),
  low smallint check (low between 1 and 3650),
  informational smallint check (informational between 1 and 3650),
  updated_by uuid,
  updated_at timestamptz not null default now()
);
alter table sla_days enable row level security;
alter table sla_days force row level security;
create policy tenant on sla_days to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
grant select, insert, update, delete on sla_days to breakwater_app;
