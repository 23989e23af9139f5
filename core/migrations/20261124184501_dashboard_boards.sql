-- How an organisation arranges the cards of its dashboard; no row: the default.
create table dashboard_boards (
  client_id uuid primary key references clients (id) on delete cascade,
  -- keys of the cards in their order
  cards text[] not null,
  hidden text[] not null default '{}',
  updated_by uuid,
  updated_at timestamptz not null default now()
);
comment on table dashboard_boards is 'How an organisation arranges its dashboard.';
call protect_tenant_table('dashboard_boards');
