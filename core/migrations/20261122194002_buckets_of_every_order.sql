-- A page in the middle of any order starts at the nearest place that is known: besides priority and day, findings are now counted by CVSS,
-- by EPSS and by the second in which their id was made. The ranges that these three functions stand for are repeated in
-- findings/server/counts/order-buckets.ts.

-- Tenths.
create function cvss_bucket(cvss real) returns bigint language sql immutable parallel safe
  return floor(cvss::float8 * 10)::bigint;

-- Steps of 0.0001 up to 0.01, where most scores are; from there hundredths, from 101 on.
create function epss_bucket(epss real) returns bigint language sql immutable parallel safe
  return case when epss < 0.01::float8 then floor(epss::float8 * 10000) else 100 + floor(epss::float8 * 100) end::bigint;

-- The second since 1970 in a UUID of version 7.
create function id_bucket(id uuid) returns bigint language sql immutable parallel safe
  return ('x' || translate(left(id::text, 13), '-', ''))::bit(48)::bigint / 1000;

-- Which count of ids a finding is in: what lacks a score follows by id behind those that have one.
create function id_field(has_cvss boolean, has_epss boolean) returns text language sql immutable parallel safe
  return case when has_cvss and has_epss then 'id_both' when has_cvss then 'id_cvss' when has_epss then 'id_epss' else 'id' end;

alter table aggregate_buckets drop constraint aggregate_buckets_field_check;
alter table aggregate_buckets add constraint aggregate_buckets_field_check
  check (field in ('priority', 'date', 'cvss', 'epss', 'id', 'id_cvss', 'id_epss', 'id_both'));
alter table aggregate_buckets alter column bucket type bigint;
comment on table aggregate_buckets is 'Findings by step of each order: where in it a deep page begins.';

alter type rollup_change add attribute cvss bigint, add attribute epss bigint, add attribute second bigint;
alter type rollup_delta add attribute cvss bigint, add attribute epss bigint, add attribute second bigint;

-- as the application, a client after the other: row-level security binds an owner that is no superuser
do $$
declare
  client uuid;
begin
  perform set_config('app.identity', 'on', true);
  set local role breakwater_app;
  for client in select id from clients loop
    perform set_config('app.client_id', client::text, true);
    insert into aggregate_buckets (client_id, field, bucket, disposition, count)
    select client, b.field, b.bucket, c.disposition, sum(n.count)
    from (
      select cell, cvss_bucket(cvss) as cvss, epss_bucket(epss) as epss, id_bucket(id) as second, count(*) as count
      from findings where client_id = client group by 1, 2, 3, 4
    ) n
    join aggregate_cells c on c.client_id = client and c.cell = n.cell
    cross join lateral (
      values ('cvss', n.cvss), ('epss', n.epss), (id_field(n.cvss is not null, n.epss is not null), n.second)
    ) b (field, bucket)
    where b.bucket is not null
    group by 1, 2, 3, 4;
  end loop;
  reset role;
  perform set_config('app.client_id', '', true), set_config('app.identity', '', true);
end $$;
