-- How the columns of a table that no importer knows are read: with the scan that was sent so, and kept by name for the next one.
alter table scans add column mapping jsonb;
comment on column scans.mapping is 'Mapping of columns that came with the report.';

create table column_mappings (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  name text not null check (length(name) between 1 and 100),
  -- names of the columns, in their order: the mapping is offered for tables that have the same
  columns text[] not null,
  mapping jsonb not null,
  changed_by uuid,
  changed_at timestamptz not null default now(),
  primary key (client_id, id)
);
create unique index column_mappings_name on column_mappings (client_id, lower(name));
comment on table column_mappings is 'Mappings of columns that an organisation keeps.';

call protect_tenant_table('column_mappings');
