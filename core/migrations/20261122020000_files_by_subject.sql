-- Options by file and by file type under a filter by weakness, package or rule count in this index, without the rows.
drop index findings_by_definition;
create index findings_by_definition on findings (client_id, definition_id, priority desc, id desc) include (cell, date, file_id);
