-- What a run of a remediation was asked for, so that another process takes it up where this one dies: core/src/remediation/server/apply/take-up.ts.
alter table remediations add column run_request jsonb;
