-- A scan that takes another back: it brings the scope to the report before.
alter table scans add column undoes uuid;
