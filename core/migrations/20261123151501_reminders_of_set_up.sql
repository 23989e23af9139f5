-- When the admins were reminded that nothing was imported yet; once.
alter table clients add column reminder_sent_at timestamptz;
