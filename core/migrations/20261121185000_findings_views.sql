-- How one person sees the list of findings. Absent: the default columns, and no saved filter is in use.
create table finding_view_settings (
  client_id uuid not null,
  user_id uuid not null,
  -- keys of the shown columns in their order; null: the default ones
  columns text[],
  -- widths in px of columns that were resized, by key
  widths jsonb not null default '{}',
  -- whether the list opens with the active saved filter
  use_saved_filter boolean not null default true,
  primary key (client_id, user_id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);

-- Filters under a name, of one person.
create table saved_finding_filters (
  client_id uuid not null,
  user_id uuid not null,
  id uuid not null default new_id(),
  scope text not null check (scope in ('app', 'scm', 'cloud')),
  name text not null,
  is_active boolean not null default false,
  -- [{key: value}], as it was saved: what a later version no longer knows is left out by whoever reads it
  filters jsonb not null,
  primary key (client_id, user_id, id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
create unique index saved_finding_filters_name on saved_finding_filters (client_id, user_id, scope, lower(name));
create unique index saved_finding_filters_active on saved_finding_filters (client_id, user_id, scope) where is_active;

alter table finding_view_settings enable row level security;
alter table finding_view_settings force row level security;
create policy tenant on finding_view_settings to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
grant select, insert, update, delete on finding_view_settings to breakwater_app;

alter table saved_finding_filters enable row level security;
alter table saved_finding_filters force row level security;
create policy tenant on saved_finding_filters to breakwater_app
  using (client_id = current_client()) with check (client_id = current_client());
grant select, insert, update, delete on saved_finding_filters to breakwater_app;
