-- Tokens of people: whoever owns one is who calls with it. Without an owner a token belongs to the organisation, as those made before do.
alter table api_tokens
  add column owner_id uuid,
  add constraint api_tokens_owner_fkey foreign key (client_id, owner_id) references users (client_id, id) on delete cascade,
  -- people and groups are provisioned for the organisation
  add constraint api_tokens_owner_scopes_check check (owner_id is null or not 'scim' = any (scopes));

drop index api_tokens_name;
create unique index api_tokens_name on api_tokens (client_id, lower(name)) where revoked_at is null and owner_id is null;
create unique index api_tokens_owner_name on api_tokens (client_id, owner_id, lower(name))
  where revoked_at is null and owner_id is not null;
create index api_tokens_owner on api_tokens (client_id, owner_id, id desc) where owner_id is not null;
