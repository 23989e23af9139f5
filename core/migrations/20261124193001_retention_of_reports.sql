-- Reports as uploaded are deleted once they are older than that and no import can need them any more.
alter table clients add column report_retention_days integer not null default 365
  check (report_retention_days between 7 and 3650);
