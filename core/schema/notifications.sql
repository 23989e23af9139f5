-- What people were notified of.
create table notifications (
  client_id uuid not null,
  id uuid not null default new_id(),
  user_id uuid not null,
  notification_type text not null,
  title text not null,
  message text not null default '',
  link text,
  status text not null default 'unread' check (status in ('unread', 'read')),
  date timestamptz not null default now(),
  primary key (client_id, id),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
create index notifications_of_user on notifications (client_id, user_id, id desc);

call protect_tenant_table('notifications');
