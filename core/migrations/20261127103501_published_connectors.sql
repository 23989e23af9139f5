-- Connectors without code that organisations publish, for themselves or for all, and what organisations added of them.
create table published_connectors (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  -- of the document: the same in every version
  connector_id text not null,
  -- name of the organisation when it published the newest version
  publisher text not null,
  visibility text not null check (visibility in ('private', 'public')),
  -- unpublished: by its publisher, revoked: by whoever runs the installation
  state text not null default 'published' check (state in ('published', 'unpublished', 'revoked')),
  -- why it was revoked
  reason text not null default '',
  -- of the newest version
  newest integer not null default 1,
  title text not null,
  category text not null,
  description text not null,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now(),
  primary key (client_id, id),
  unique (client_id, connector_id)
);
comment on table published_connectors is 'Connectors without code that organisations published.';
-- others find it without knowing whose it is
create unique index published_connectors_id on published_connectors (id);
create index published_connectors_public on published_connectors (lower(title), id) where visibility = 'public' and state = 'published';
call protect_tenant_table('published_connectors');
-- whoever runs the installation revokes
create policy identity on published_connectors to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');

create table published_connector_versions (
  client_id uuid not null,
  publication_id uuid not null,
  number integer not null check (number > 0),
  version text not null,
  document jsonb not null,
  fixtures jsonb not null,
  hosts text[] not null,
  published_at timestamptz not null default now(),
  primary key (client_id, publication_id, number),
  foreign key (client_id, publication_id) references published_connectors (client_id, id) on delete cascade
);
comment on table published_connector_versions is 'Every version of a published connector; none is ever changed.';
create unique index published_connector_versions_number on published_connector_versions (publication_id, number);
call protect_tenant_table('published_connector_versions');

-- Publishers whose name the operator has checked.
create table verified_publishers (
  client_id uuid primary key references clients (id) on delete cascade,
  -- what was checked: under another name nobody is verified
  name text not null,
  verified_at timestamptz not null default now()
);
comment on table verified_publishers is 'Organisations whose name as a publisher the operator has checked.';
call protect_platform_table('verified_publishers');

create table added_connectors (
  client_id uuid not null references clients (id) on delete cascade,
  -- of the connector in the catalogue: made of the organisation and the publication, so that what is added again is the same
  id text not null,
  -- of another organisation, which may be gone or in another database: what was added stays
  publication_id uuid not null,
  number integer not null,
  version text not null,
  publisher text not null,
  -- a copy: neither a new version nor an unpublishing changes what somebody uses
  document jsonb not null,
  -- what an admin approved
  hosts text[] not null,
  brings_findings boolean not null,
  added_at timestamptz not null default now(),
  primary key (client_id, id)
);
comment on table added_connectors is 'Published connectors that an organisation added for itself, each with the version that it approved.';
create index added_connectors_publication on added_connectors (publication_id);
call protect_tenant_table('added_connectors');
call allow_poller('added_connectors');

-- What is published for all is read by all, and what somebody added also after it was taken away.
create policy published on published_connectors for select to breakwater_app using (
  (visibility = 'public' and state = 'published')
  or exists (select from added_connectors a where a.publication_id = published_connectors.id and a.client_id = current_client()));
create policy published on published_connector_versions for select to breakwater_app using (
  exists (select from published_connectors p where p.id = published_connector_versions.publication_id));
