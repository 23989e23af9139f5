-- A verdict that was carried to another line by position alone (the report shows no code): it stands, and somebody is asked to confirm it.

alter table findings add column needs_confirmation boolean not null default false;
create index findings_to_confirm on findings (client_id, id) where needs_confirmation;
