-- Who was asked to join an organisation. The person becomes a user when they accept; until then the e-mail is nobody's.
create table invitations (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  email text not null,
  role text not null check (role in ('admin', 'cyberoper', 'developer')),
  -- SHA-256 of the token, which stands in the link alone
  token_hash bytea not null,
  invited_by uuid not null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  primary key (client_id, id)
);
comment on table invitations is 'Who was asked to join an organisation and has not done so yet.';
create unique index invitations_token on invitations (token_hash);
create unique index invitations_email on invitations (client_id, lower(email));
call protect_tenant_table('invitations');

-- the link comes before the organisation is known
create policy identity on invitations for select to breakwater_app using (current_setting('app.identity', true) = 'on');
