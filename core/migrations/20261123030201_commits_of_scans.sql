-- Which commit a report is of, where its sender says.
alter table scans add column commit_hash text check (commit_hash ~ '^[0-9a-f]{7,64}$');
