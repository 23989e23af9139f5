-- What our rules estimate of a finding, 0-100; null until its report is next imported. And EPSS and KEV from feeds.
alter table findings
  add column effort_for_fixing smallint,
  add column exploitability smallint,
  add column impact smallint,
  -- the language was guessed from file name or ecosystem
  add column is_language_estimated boolean not null default false;
