-- What the settings of a repository at its provider say: core/src/source-control/server/posture. Its findings come by imports.
create table repository_posture (
  client_id uuid not null,
  repository_id uuid not null,
  -- [{check, state, detail, branch, url}] of the newest reading that succeeded
  answers jsonb not null default '[]',
  -- null: none has succeeded
  read_at timestamptz,
  -- why the newest reading failed; null where it did not
  problem text,
  next_at timestamptz not null,
  primary key (client_id, repository_id),
  foreign key (client_id, repository_id) references repositories (client_id, id) on delete cascade
);
comment on table repository_posture is 'Settings of a repository at its provider, as last read.';

call protect_tenant_table('repository_posture');
