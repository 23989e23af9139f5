-- The same report sent again by a pipeline needs no reading when it is the one that the scope stands at.

-- the import that was merged last: ids follow the order of upload, and a transaction's time that of its begin
alter table scan_scopes add column last_scan_id uuid;
-- what besides the report decides what an import writes; null where that is not known
alter table scans add column imported_as text;
