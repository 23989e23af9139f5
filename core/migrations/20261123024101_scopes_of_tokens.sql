-- What an API token may do. Those made before could upload and follow their uploads.
alter table api_tokens
  add column scopes text[] not null default '{upload}'
    check (cardinality(scopes) > 0 and scopes <@ array['upload', 'scan', 'read']);
