-- Sign-ins at services that have begun: each comes back once, within ten minutes, to the session that began it.
create table oauth_states (
  client_id uuid not null references clients (id) on delete cascade,
  -- SHA-256 of the state, which stands in the address alone; the proof key is derived from it and stored nowhere
  state_hash bytea not null,
  connector_id text not null,
  user_id uuid not null,
  -- of the session's token
  session_hash bytea not null,
  step text not null check (step in ('sign-in', 'installation')),
  redirect_uri text not null,
  expires_at timestamptz not null,
  primary key (client_id, state_hash),
  foreign key (client_id, connector_id) references connections (client_id, connector_id) on delete cascade,
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
create index oauth_states_connection on oauth_states (client_id, connector_id);
comment on table oauth_states is 'Sign-ins at services that have begun and not come back yet.';
call protect_tenant_table('oauth_states');

-- when the access token ends, where its service says so
alter table connections add column token_expires_at timestamptz;
