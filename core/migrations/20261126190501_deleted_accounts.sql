-- People delete their own account. Their row stays without anything personal, because history refers to it by id.
alter table users add column erased_at timestamptz;
comment on column users.erased_at is 'When the account was deleted: name, e-mail and password are gone. Null: it was not.';

-- All deleted accounts have the same name; the first column still serves every search by name.
drop index users_username;
create unique index users_username on users (lower(username), (case when erased_at is null then '' else id::text end));

-- What a person is called in the details of an entry goes; other values stay.
create function without_names(details jsonb, names text[]) returns jsonb language sql immutable as $$
  select coalesce(jsonb_object_agg(key, case
    when jsonb_typeof(value) = 'string' and lower(value #>> '{}') = any (names) then '"Former member"'::jsonb
    when jsonb_typeof(value) = 'array' then (
      select coalesce(jsonb_agg(case
        when jsonb_typeof(item) = 'string' and lower(item #>> '{}') = any (names) then '"Former member"'::jsonb else item end order by place), '[]')
      from jsonb_array_elements(value) with ordinality items (item, place))
    else value end), '{}')
  from jsonb_each(details)
$$;

-- The application may not change an entry of the audit log. This function of the owner of the tables is the one exception: it puts a fixed
-- text in place of the name of one person, once, and marks their account as deleted in the same transaction. Kind, time, who (by id),
-- network address and program of an entry stay. Returns what the person was called, in lower case.
create function erase_from_audit_log(person uuid) returns text[] language plpgsql security definer set search_path = pg_catalog, public as $$
declare
  names text[];
begin
  update users set erased_at = now() where client_id = current_client() and id = person and erased_at is null;
  if not found then
    raise exception 'there is no such account, or it is deleted already';
  end if;
  select array_agg(distinct lower(name)) into names from (
    select unnest(array[username, email]) from users where client_id = current_client() and id = person
    union all
    select unnest(array[user_name, email]) from provisioned_users where client_id = current_client() and user_id = person
    union all
    select unnest(array[name, email]) from google_identities where client_id = current_client() and user_id = person
    union all
    select actor from audit_entries where client_id = current_client() and actor_id = person and actor_type = 'person'
    union all
    select unnest(array[details ->> 'from', details ->> 'to']) from audit_entries
    where client_id = current_client() and actor_id = person and kind = 'account.changed'
  ) called (name) where btrim(name) <> '';
  update audit_entries set
    actor = case when actor_id = person or lower(actor) = any (names) then 'Former member' else actor end,
    subject = case when lower(subject) = any (names) then 'Former member' else subject end,
    details = without_names(details, names)
  where client_id = current_client() and (actor_id = person or lower(actor) = any (names) or lower(subject) = any (names)
    or without_names(details, names) <> details);
  return names;
end $$;
revoke execute on function erase_from_audit_log(uuid) from public;
grant execute on function erase_from_audit_log(uuid) to breakwater_app;
-- the owner is bound by row-level security too, where it is no superuser
create policy erasure on audit_entries for update to current_user
  using (client_id = current_client()) with check (client_id = current_client());
