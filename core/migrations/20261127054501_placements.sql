-- Which of several databases has the rows of an organisation: docs/decisions/2026-11-27-placements.md. In `main` this is the directory of all
-- organisations, in every database the truth about itself. An organisation without a row is in `main`, so one database needs none.
create table placements (
  client_id uuid primary key,
  database text not null,
  changed_at timestamptz not null default now(),
  -- of the rows that a move left here and has not deleted yet; null: there are none
  left_digest text
);
comment on table placements is 'Which database has the rows of an organisation.';
alter table placements enable row level security;
alter table placements force row level security;
create policy tenant on placements for select to breakwater_app using (client_id = current_client());
create policy identity on placements for select to breakwater_app using (current_setting('app.identity', true) = 'on');
-- an organisation that is deleted takes its placement along
create policy tenant_deletes on placements for delete to breakwater_app using (client_id = current_client());
revoke insert, update on placements from breakwater_app;

-- Begins a transaction of an organisation in one of several databases. A move takes the same lock exclusively while it switches: it waits for
-- what has begun, and what begins waits for it. Each statement of a volatile function sees what was committed before it, so the placement
-- is read as it is once the lock is held. BW001: the rows are in another database.
create function enter_client(client uuid, here text) returns void language plpgsql as $$
begin
  perform set_config('app.client_id', client::text, true);
  perform pg_advisory_xact_lock_shared(hashtextextended('placement:' || client, 0));
  if coalesce((select p.database from placements p where p.client_id = client), 'main') <> here then
    raise exception 'organisation % is not in database %', client, here using errcode = 'BW001';
  end if;
end $$;

-- Rows of these may belong to nobody, so they have no primary key. To be followed by a move, a change has to name the organisation of the
-- row as it was. Costs nothing unless wal_level is logical.
alter table account_links replica identity full;
alter table job_state replica identity full;
alter table mails replica identity full;
