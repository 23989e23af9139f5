-- How findings are fixed: one remediation a finding, with its history and the tickets that were sent for it.
create table remediations (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  finding_id uuid not null,
  -- of the repository, also where the finding is one of another branch
  repository_id uuid not null,
  -- branch that the fix is made for and that its pull request goes into
  branch text not null,
  title text not null,
  description text not null default '',
  date timestamptz not null default now(),
  file_path text,
  line integer,
  processing_status text not null default 'processing'
    check (processing_status in ('pending_input', 'processing', 'ready', 'pr_submitted', 'issued', 'applied', 'failed', 'quota_exceeded')),
  remediation_type text not null default 'pull_request' check (remediation_type in ('pull_request', 'issue')),
  -- unified diff; the original is what was generated, before anybody edited it
  code_diff text,
  code_diff_original text,
  -- the changed lines with their surroundings, after and before
  code_snippet text,
  code_snippet_original text,
  is_template boolean not null default false,
  template text,
  template_fields jsonb not null default '[]',
  template_values jsonb not null default '{}',
  reference_url text,
  -- files that the diff may touch, with the digest of what it was made from: [{path, sha256}]; null: there was no such file
  files jsonb not null default '[]',
  is_edited boolean not null default false,
  -- why there is no fix, for people
  failure text,
  -- notes of the fix, such as a command to run: [text]
  notes jsonb not null default '[]',
  -- the generation that works on it; a younger one takes its place
  run_id uuid,
  run_until timestamptz,
  -- how often a pull request or an issue was closed without being taken: the next one is another
  submission integer not null default 1,
  fix_branch text,
  -- number of the pull request or issue at the provider
  number integer,
  created_by uuid,
  updated_at timestamptz not null default now(),
  primary key (client_id, id),
  foreign key (client_id, finding_id) references findings (client_id, id) on delete cascade,
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
create unique index remediations_finding on remediations (client_id, finding_id);
create index remediations_repository on remediations (client_id, repository_id, number);
create index remediations_running on remediations (run_until) where run_until is not null;
comment on table remediations is 'How findings are fixed, one row a finding.';
call protect_tenant_table('remediations');
call allow_poller('remediations', $$run_until is not null$$);

create table remediation_events (
  client_id uuid not null references clients (id) on delete cascade,
  remediation_id uuid not null,
  id uuid not null default new_id(),
  at timestamptz not null default clock_timestamp(),
  -- null for the server itself
  actor uuid,
  kind text not null,
  from_value text,
  to_value text,
  detail text,
  primary key (client_id, remediation_id, id),
  foreign key (client_id, remediation_id) references remediations (client_id, id) on delete cascade
);
comment on table remediation_events is 'What happened to remediations, and by whom.';
call protect_tenant_table('remediation_events');

create table ticket_deliveries (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  remediation_id uuid not null,
  -- what is sent, as JSON text: the same bytes at every attempt
  body text not null,
  status text not null default 'pending' check (status in ('pending', 'delivered', 'dead')),
  attempts integer not null default 0,
  next_at timestamptz not null default now(),
  status_code integer,
  -- what the receiver answered, or why there was no answer
  answer text,
  created_by uuid,
  created_at timestamptz not null default now(),
  finished_at timestamptz,
  primary key (client_id, id),
  foreign key (client_id, remediation_id) references remediations (client_id, id) on delete cascade
);
create index ticket_deliveries_due on ticket_deliveries (next_at) where status = 'pending';
create index ticket_deliveries_remediation on ticket_deliveries (client_id, remediation_id, id desc);
comment on table ticket_deliveries is 'Tickets on their way to the webhook of an organisation.';
call protect_tenant_table('ticket_deliveries');
call allow_poller('ticket_deliveries', $$status = 'pending'$$);
