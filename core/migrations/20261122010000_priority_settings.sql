-- How an organisation weighs what a priority rests on: one row a change, the highest version holds. Without a row the product's
-- own weights hold: core/src/prioritisation/model/settings/priority-settings.ts
create table priority_settings (
  client_id uuid not null references clients (id) on delete cascade,
  version integer not null check (version > 0),
  settings jsonb not null,
  -- whether priorities may differ from those of the version before
  changes_priorities boolean not null,
  updated_by uuid not null,
  updated_at timestamptz not null default now(),
  primary key (client_id, version)
);

-- How far the findings of a client have been scored with its settings.
create table priority_rescores (
  client_id uuid primary key references clients (id) on delete cascade,
  version integer not null,
  -- findings up to this one are done
  after_finding uuid not null default '00000000-0000-0000-0000-000000000000',
  done integer not null default 0,
  total integer not null,
  -- the job of the person who saved; null once it has ended
  job_id uuid,
  finished_at timestamptz
);
create index priority_rescores_open on priority_rescores (client_id) where finished_at is null;

do $$
declare
  table_name text;
begin
  foreach table_name in array array['priority_settings', 'priority_rescores'] loop
    execute format('alter table %I enable row level security', table_name);
    execute format('alter table %I force row level security', table_name);
    execute format(
      'create policy tenant on %I to breakwater_app using (client_id = current_client()) with check (client_id = current_client())',
      table_name);
  end loop;
  create policy sweep on priority_rescores for select to breakwater_app using (current_setting('app.identity', true) = 'on');
end $$;

grant select, insert, update, delete on priority_settings, priority_rescores to breakwater_app;
