-- A table that was never sampled makes the planner guess: after the first import a page of the list took half a second instead of twenty
-- milliseconds, until autovacuum came by. An import asks for the sample itself once it has committed. Only the owner of a table may take one.
-- Returns how many tables were sampled: those that hold rows and never were, and those that grew by half since. Others are left to autovacuum.
create function refresh_statistics() returns integer language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  grown regclass;
  sampled integer := 0;
begin
  for grown in
    select c.oid::regclass from pg_class c
    left join pg_stat_all_tables s on s.relid = c.oid
    where c.relnamespace = 'public'::regnamespace and c.relkind = 'r' and pg_relation_size(c.oid) > 0
      and (c.reltuples < 0 or s.n_mod_since_analyze > 1000 + c.reltuples / 2)
    order by c.relname
  loop
    -- another process may be at it
    execute format('analyze (skip_locked) %s', grown);
    sampled := sampled + 1;
  end loop;
  return sampled;
end $$;
revoke execute on function refresh_statistics() from public;
grant execute on function refresh_statistics() to breakwater_app;
