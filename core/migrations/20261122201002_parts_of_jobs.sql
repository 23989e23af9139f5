-- What a job is to do is kept in parts, each read when its turn comes: a list of a million ids in one row had to be read and held as a
-- whole. `client_jobs.items` is no longer read; the release before this one still writes it.
create table client_job_parts (
  client_id uuid not null,
  job_id uuid not null,
  -- how many ids come before it
  start integer not null,
  ids uuid[] not null,
  primary key (client_id, job_id, start),
  foreign key (client_id, job_id) references client_jobs (client_id, id) on delete cascade
);
call protect_tenant_table('client_job_parts');

-- jobs that are under way go on; as the application, a client after the other, because row-level security may bind the owner
do $$
declare
  client uuid;
begin
  perform set_config('app.identity', 'on', true);
  set local role breakwater_app;
  for client in select id from clients loop
    perform set_config('app.client_id', client::text, true);
    insert into client_job_parts (client_id, job_id, start, ids)
    select client, j.id, min(i.place)::integer, array_agg(i.id order by i.place)
    from client_jobs j
    cross join lateral (select u.id, u.number - 1 as place from unnest(j.items) with ordinality u (id, number)) i
    where j.client_id = client and j.finished_at is null and i.place >= j.position
    group by j.id, (i.place - j.position) / 1000;
  end loop;
  reset role;
  perform set_config('app.client_id', '', true), set_config('app.identity', '', true);
end $$;
