-- Saved filters that the whole organisation sees, and what each person made of the filters they see: the active one, those with a star.
alter table saved_finding_filters add column is_shared boolean not null default false;
-- the key of the table begins with its owner; others refer to a shared one by its id alone
create unique index saved_finding_filters_id on saved_finding_filters (client_id, id);
create index saved_finding_filters_shared on saved_finding_filters (client_id, scope) where is_shared;

create table saved_filter_marks (
  client_id uuid not null,
  user_id uuid not null,
  filter_id uuid not null,
  -- that of the filter: one of each scope is active
  scope text not null check (scope in ('app', 'scm', 'cloud')),
  is_active boolean not null default false,
  is_starred boolean not null default false,
  primary key (client_id, user_id, filter_id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade,
  foreign key (client_id, filter_id) references saved_finding_filters (client_id, id) on delete cascade
);
comment on table saved_filter_marks is 'Which saved filters are active and starred, for each person.';
create unique index saved_filter_marks_active on saved_filter_marks (client_id, user_id, scope) where is_active;
create index saved_filter_marks_filter on saved_filter_marks (client_id, filter_id);
call protect_tenant_table('saved_filter_marks');

insert into saved_filter_marks (client_id, user_id, filter_id, scope, is_active)
select client_id, user_id, id, scope, true from saved_finding_filters where is_active;
comment on column saved_finding_filters.is_active is 'Read by the release before only: what is active stands in saved_filter_marks.';
