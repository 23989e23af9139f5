-- Findings are filtered by the resource that they are about: few reports name one, so the index holds those findings alone. A resource may be
-- longer than a key of an index, so its digest is indexed. No index serves md5 under row-level security: the function runs as the owner and
-- keeps the client itself, as find_files does.
create index finding_details_by_resource on finding_details (client_id, md5(resource)) where resource is not null;

create function find_by_resource(resources text[]) returns setof uuid
language sql stable security definer set search_path = public, pg_temp as $$
  select d.finding_id from unnest(resources) wanted
    join finding_details d on d.client_id = current_client() and md5(d.resource) = md5(wanted) and d.resource = wanted
$$;
