-- Filters start_column and end_column are tested while walking the index by file: an index of their own cost each import more than
-- it gave (for columns that many findings share it read the row of each). The two numbers fill padding, so this one is no larger.
drop index findings_by_columns;
drop index findings_by_file;
create index findings_by_file on findings (client_id, file_id, start_line)
  include (start_column, end_column, priority, cell, definition_id);
