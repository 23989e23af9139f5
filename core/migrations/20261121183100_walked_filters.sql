-- A walk by priority or date tests effort and severity (which says what is due) without reading the row; both fit into padding.
drop index findings_by_priority;
create index findings_by_priority on findings (client_id, priority desc, id desc)
  include (cell, definition_id, file_id, date, cvss, effort_for_fixing, severity);
drop index findings_by_date;
create index findings_by_date on findings (client_id, date desc, id desc)
  include (cell, definition_id, file_id, priority, cvss, severity, effort_for_fixing);
