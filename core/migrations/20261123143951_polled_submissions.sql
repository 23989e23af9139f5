-- When the provider was last asked about a pull request or an issue that is open there: core/src/remediation/server/follow/poll-open.ts.
alter table remediations add column polled_at timestamptz;
create index remediations_open on remediations (client_id, (coalesce(polled_at, updated_at)))
  where processing_status in ('pr_submitted', 'issued');
