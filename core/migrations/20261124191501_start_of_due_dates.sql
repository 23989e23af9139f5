-- From which day a due date counts: the day on which the tool reported the finding, as before, or the day of its first import here.
alter table sla_days add column starts text not null default 'reported' check (starts in ('reported', 'found'));
