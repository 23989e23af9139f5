-- Companies that sell the product, help with it or work together with it. Belong to no client.
create table partners (
  id uuid primary key default new_id(),
  name text not null check (name <> ''),
  kind text not null check (kind in ('consulting', 'reseller', 'technology')),
  description text not null default '',
  -- https only: it becomes a link
  website text check (website like 'https://%'),
  email text,
  created_at timestamptz not null default now(),
  updated_at timestamptz not null default now()
);
comment on table partners is 'Companies that sell the product, help with it or work together with it.';
-- one entry a company, however its name is written; the order of the list
create unique index partners_name on partners (lower(name));
call protect_platform_table('partners');
