-- A notice keeps its text and the values in it, so that each reader gets it in their own language. Null in rows of an earlier release, and
-- where a person wrote it: title and message are shown as they stand.
alter table notifications add column said jsonb;
