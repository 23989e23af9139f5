-- Charts of what was found count by the day of the first import here and no longer by the day that a report names. Index of that day, for the
-- chart and for the filters found_gt and found_lt.
create index findings_by_first_seen on findings (client_id, first_seen) include (cell, definition_id, file_id);
