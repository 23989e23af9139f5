-- Proposals of a model about findings: what they were made of, and one analysis of a finding at a time. Nothing has written the table before.
alter table finding_assessments
  -- the file that was sent, and the SHA-256 of it in hex: where it is another one now, the proposal is out of date
  add column file_path text not null,
  add column file_sha256 text not null,
  -- whether a proposal was taken over is what the verdict of the finding says
  drop constraint finding_assessments_state_check,
  add constraint finding_assessments_state_check check (state in ('proposed', 'dismissed'));
comment on column finding_assessments.reasons is '[{text, line, end_line}]; lines of the file, from 1';

create table assessment_runs (
  client_id uuid not null references clients (id) on delete cascade,
  finding_id uuid not null,
  run_id uuid not null,
  -- as long as it lies ahead, nobody else begins
  run_until timestamptz not null,
  actor uuid not null,
  primary key (client_id, finding_id),
  foreign key (client_id, finding_id) references findings (client_id, id) on delete cascade
);
comment on table assessment_runs is 'Findings that a model is looking at.';
call protect_tenant_table('assessment_runs');
