-- How dense tables are for a person; null is the usual height of rows.
alter table users add column density text check (density in ('compact'));
