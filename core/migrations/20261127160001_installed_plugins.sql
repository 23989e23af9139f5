-- Plugins that were installed while the server ran, with the code of each version, and what organisations enabled of them.
create table installed_plugins (
  -- as its author gave it, `acme-scan`
  id text primary key,
  -- false: its cards are disabled everywhere, and nobody can enable it
  is_offered boolean not null default true,
  -- why it is not offered
  reason text not null default '',
  installed_at timestamptz not null default now()
);
comment on table installed_plugins is 'Plugins that whoever runs the installation added while it ran.';
call protect_platform_table('installed_plugins');

create table installed_plugin_versions (
  plugin_id text not null references installed_plugins (id) on delete cascade,
  number integer not null check (number > 0),
  version text not null,
  publisher text not null,
  -- as its build says
  tier text not null,
  kind text not null check (kind in ('code', 'document')),
  -- where it came from: `npm:@acme/scan@1.2.0`, `folder:acme-scan`, `file:acme-scan-1.2.0.tgz`
  source text not null,
  -- permissions
  hosts text[] not null,
  reveals text[] not null,
  -- cards with their forms, for people who decide about it
  connectors jsonb not null,
  -- what its process said of it, as JSON (with characters that jsonb has not), so that no code has to run to use its manifest; of a document null
  described text,
  -- tar and gzip, with the manifest of the build
  archive bytea not null,
  sha256 text not null,
  installed_at timestamptz not null default now(),
  primary key (plugin_id, number),
  unique (plugin_id, version)
);
comment on table installed_plugin_versions is 'Every version of an installed plugin with its code; none is ever changed.';
call protect_platform_table('installed_plugin_versions');

create table enabled_plugins (
  client_id uuid not null references clients (id) on delete cascade,
  -- no reference: an organisation may move to a database where its plugins are other rows
  plugin_id text not null,
  -- what an admin approved: versions that ask for more wait
  publisher text not null,
  hosts text[] not null,
  reveals text[] not null,
  -- the version that an admin went back to; null: the newest that asks for no more than was approved
  held_at integer,
  enabled_at timestamptz not null default now(),
  primary key (client_id, plugin_id)
);
comment on table enabled_plugins is 'Installed plugins that an organisation uses, each with what its admin approved.';
create index enabled_plugins_plugin on enabled_plugins (plugin_id);
call protect_tenant_table('enabled_plugins');
call allow_poller('enabled_plugins');

-- Id in the catalogue of something that an organisation added; the same as `addedId` (core/src/connectors/server/connection/find-entry.ts).
create function added_id(client uuid, what text) returns text language sql immutable parallel safe as $$
  select 'added-' || left(encode(sha256(convert_to(client || ' ' || what, 'UTF8')), 'hex'), 16)
$$;

-- Whether a connector of a plugin that an organisation enabled brings findings, in any of its versions.
create function plugin_brings_findings(client uuid, connector text) returns boolean language sql stable as $$
  select exists (
    select from enabled_plugins e
    join installed_plugin_versions v on v.plugin_id = e.plugin_id
    cross join jsonb_array_elements(v.connectors) own
    where e.client_id = client and own->'capabilities' ? 'findings' and added_id(client, e.plugin_id || ' ' || (own->>'id')) = connector)
$$;
