-- Outbox of the installation: a mail is written in the transaction of what it tells of, and sent by a job.
create table mails (
  -- null: the address belongs to no organisation yet
  client_id uuid references clients (id) on delete cascade,
  id uuid not null default new_id(),
  recipient text not null,
  subject text not null,
  -- paragraphs and a link; null once a mail with a secret link has been sent or has ended
  content jsonb,
  -- the link in it opens an account: only its recipient may read it
  is_secret boolean not null,
  status text not null default 'queued' check (status in ('queued', 'sent', 'failed', 'expired')),
  attempts integer not null default 0,
  -- from when on it may be tried (again)
  due_at timestamptz not null default now(),
  -- afterwards it is not sent any more
  expires_at timestamptz not null,
  created_at timestamptz not null default now(),
  sent_at timestamptz,
  last_error text,
  unique nulls not distinct (client_id, id)
);
create index mails_due on mails (due_at) where status = 'queued';
create index mails_ending on mails (expires_at) where status = 'queued';
create index mails_oldest on mails (created_at);
comment on table mails is 'Mails that wait, were sent or could not be sent.';
call protect_tenant_table('mails');
-- people register and reset a password before their organisation is known, and the job sends the mails of all
create policy identity on mails to breakwater_app
  using (current_setting('app.identity', true) = 'on') with check (current_setting('app.identity', true) = 'on');
