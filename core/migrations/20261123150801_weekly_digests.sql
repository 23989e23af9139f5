-- A person may hear of a kind of notice by one e-mail a week.
alter table notification_preferences drop constraint notification_preferences_email_check;
alter table notification_preferences add constraint notification_preferences_email_check
  check (email in ('off', 'immediate', 'daily', 'weekly'));

-- of those that wait for an e-mail (is_digest_due): for that of the week instead of that of the day
alter table notifications add column is_weekly boolean not null default false;
