-- Which licences an organisation forbids or wants to look at. Without a row the default holds: core/src/sbom/model/license-policy.ts
create table license_policies (
  client_id uuid primary key references clients (id) on delete cascade,
  -- rule by class of licence, and rules for single licences
  classes jsonb not null,
  licenses jsonb not null,
  updated_by uuid,
  updated_at timestamptz not null default now()
);

-- Applications whose inventory is held against the policy: asked for by imports of inventories and by changes of the policy.
create table license_checks (
  client_id uuid not null,
  repository_id uuid not null,
  -- grows with every request; done: up to which one
  asked bigint not null default 1,
  done bigint not null default 0,
  -- digest of what was found last; what stays the same is not imported again
  content bytea,
  primary key (client_id, repository_id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
create index license_checks_open on license_checks (client_id, repository_id) where done < asked;

do $$
declare
  table_name text;
begin
  foreach table_name in array array['license_policies', 'license_checks'] loop
    execute format('alter table %I enable row level security', table_name);
    execute format('alter table %I force row level security', table_name);
    execute format(
      'create policy tenant on %I to breakwater_app using (client_id = current_client()) with check (client_id = current_client())',
      table_name);
  end loop;
  create policy sweep on license_checks for select to breakwater_app using (current_setting('app.identity', true) = 'on');
end $$;

grant select, insert, update, delete on license_policies, license_checks to breakwater_app;

-- inventories of before
insert into license_checks (client_id, repository_id)
select distinct c.client_id, c.repository_id from components c
join repositories r on r.client_id = c.client_id and r.id = c.repository_id;
