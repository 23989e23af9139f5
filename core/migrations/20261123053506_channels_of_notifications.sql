-- Where notices reach a person: in the application, by e-mail at once, or by the e-mail of the day.
create table notification_preferences (
  client_id uuid not null,
  user_id uuid not null,
  notification_type text not null,
  in_app boolean not null,
  email text not null check (email in ('off', 'immediate', 'daily')),
  primary key (client_id, user_id, notification_type),
  foreign key (client_id, user_id) references users (client_id, id) on delete cascade
);
comment on table notification_preferences is 'Choices of people that differ from the default, one row a person and type.';
call protect_tenant_table('notification_preferences');

-- false: it waits for the e-mail of the day alone
alter table notifications add column is_shown boolean not null default true;
alter table notifications add column is_digest_due boolean not null default false;
create index notifications_unread on notifications (client_id, user_id, id) where status = 'unread' and is_shown;
create index notifications_digest on notifications (client_id, user_id) where is_digest_due;
call allow_poller('notifications', 'is_digest_due');
