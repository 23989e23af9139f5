-- Extensions and helpers that the other files use. All of core/schema runs as the owner of the tables; requests act as the role
-- breakwater_app, which owns nothing and sees only the client named in app.client_id (row-level security).

create extension if not exists pg_trgm;
create extension if not exists btree_gin;

grant usage on schema public to breakwater_app;
alter default privileges in schema public grant select, insert, update, delete on tables to breakwater_app;

-- UUID version 7, for rows that SQL itself makes. (uuidv7() exists from PostgreSQL 18 on; 15 is supported.)
create function new_id() returns uuid language sql volatile parallel safe as $$
  select encode(
    set_bit(set_bit(overlay(uuid_send(gen_random_uuid())
      placing substring(int8send((extract(epoch from clock_timestamp()) * 1000)::bigint) from 3) from 1 for 6), 52, 1), 53, 1),
    'hex')::uuid
$$;

create function current_client() returns uuid language sql stable parallel safe as $$
  select nullif(current_setting('app.client_id', true), '')::uuid
$$;

-- Row-level security of a table that belongs to clients: its rows are those of the current client. `is_forced` is false only for the
-- two dictionaries that the search functions of findings.sql read as their owner.
create procedure protect_tenant_table(table_name regclass, is_forced boolean default true) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', table_name);
  if is_forced then
    execute format('alter table %s force row level security', table_name);
  end if;
  execute format('create policy tenant on %s to breakwater_app using (client_id = current_client()) with check (client_id = current_client())',
    table_name);
end $$;

-- Row-level security of a table that is the same for every client: everyone reads it, and only work outside a client writes it.
create procedure protect_platform_table(table_name regclass) language plpgsql as $$
begin
  execute format('alter table %s enable row level security', table_name);
  execute format('alter table %s force row level security', table_name);
  execute format('create policy readable on %s for select to breakwater_app using (true)', table_name);
  execute format('create policy platform on %s to breakwater_app using (current_setting(''app.identity'', true) = ''on'')'
    ' with check (current_setting(''app.identity'', true) = ''on'')', table_name);
end $$;

-- Lets scheduled work, which belongs to no client, look for rows that are due in all clients.
create procedure allow_poller(table_name regclass, row_condition text default 'true') language plpgsql as $$
begin
  execute format('create policy poller on %s for select to breakwater_app using (current_setting(''app.identity'', true) = ''on'' and %s)',
    table_name, row_condition);
end $$;
