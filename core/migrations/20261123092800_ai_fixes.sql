-- Fixes written by a model, what they cost, and what a model proposes about findings.
alter table remediations
  -- the model that wrote the fix; null: it was made without one
  add column model text,
  add column input_tokens integer,
  add column output_tokens integer,
  -- millionths of a US dollar; null where the connection has no prices
  add column cost_micros integer;

create table ai_uses (
  client_id uuid not null references clients (id) on delete cascade,
  id uuid not null default new_id(),
  purpose text not null check (purpose in ('remediation', 'validation')),
  -- no reference: what was used counts also after the finding is gone
  finding_id uuid not null,
  model text not null,
  input_tokens integer not null default 0,
  output_tokens integer not null default 0,
  cost_micros integer,
  actor uuid,
  created_at timestamptz not null default clock_timestamp(),
  primary key (client_id, id)
);
create index ai_uses_month on ai_uses (client_id, created_at);
comment on table ai_uses is 'What models were asked: the quota of a month, tokens and cost.';
call protect_tenant_table('ai_uses');

create table finding_assessments (
  client_id uuid not null references clients (id) on delete cascade,
  finding_id uuid not null,
  verdict text not null check (verdict in ('false_positive', 'valid', 'uncertain')),
  -- 0 to 100
  confidence integer not null check (confidence between 0 and 100),
  -- [text]
  reasons jsonb not null,
  model text not null,
  input_tokens integer not null,
  output_tokens integer not null,
  cost_micros integer,
  state text not null default 'proposed' check (state in ('proposed', 'accepted', 'dismissed')),
  created_at timestamptz not null default clock_timestamp(),
  created_by uuid,
  decided_at timestamptz,
  decided_by uuid,
  primary key (client_id, finding_id),
  foreign key (client_id, finding_id) references findings (client_id, id) on delete cascade
);
comment on table finding_assessments is 'What a model proposes about findings; people decide.';
call protect_tenant_table('finding_assessments');
