-- The list is sorted by the day of the first import too: the id breaks ties, as in findings_by_date.
drop index findings_by_first_seen;
create index findings_by_first_seen on findings (client_id, first_seen desc, id desc) include (cell, definition_id, file_id);
