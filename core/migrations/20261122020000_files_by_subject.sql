-- Options by file and by file type under a filter by weakness, package or rule count in this index, without the rows.
drop index findings_by_subject;
create index findings_by_subject on findings (client_id, subject_id, priority desc, id desc) include (cube, date, file_id);
