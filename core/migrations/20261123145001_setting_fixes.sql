-- Fixes that change settings of a repository at its provider: [{setting, from, to}]; null for all others.
alter table remediations add column settings jsonb;
