-- Channels of services (connectors with the capability "notify") in which an organisation is told what happens.
create table notification_channels (
  client_id uuid not null references clients (id) on delete cascade,
  -- id of a connector
  connector_id text not null,
  notification_types text[] not null,
  -- of notices with a severity only those of this or a higher one; null: all
  min_severity text check (min_severity in ('critical', 'high', 'medium', 'low', 'informational')),
  primary key (client_id, connector_id)
);
comment on table notification_channels is 'What an organisation wants to be told in which channel.';
call protect_tenant_table('notification_channels');

-- Outbox: a message is written in the transaction of what it tells of, and sent by a job.
create table channel_messages (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  connector_id text not null,
  -- of the transaction and the text: one notice to several people is one message
  notice_key text not null,
  notification_type text not null,
  title text not null,
  message text not null,
  severity text,
  -- path of the application
  link text,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'expired')),
  attempts integer not null default 0,
  -- attempts whose process ended before it wrote down what came of them
  interruptions integer not null default 0,
  -- one process at a time sends it
  claimed_until timestamptz,
  due_at timestamptz not null default now(),
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  last_error text,
  primary key (client_id, id),
  unique (client_id, connector_id, notice_key)
);
create index channel_messages_due on channel_messages (due_at) where status = 'queued';
create index channel_messages_failed on channel_messages (client_id, connector_id, id desc) where status = 'failed';
create index channel_messages_oldest on channel_messages (client_id, created_at);
comment on table channel_messages is 'Messages to channels that wait, were sent or could not be sent.';
call protect_tenant_table('channel_messages');
call allow_poller('channel_messages', $$status = 'queued'$$);
