-- A page of its own is approved like hosts and secrets: a version that adds one waits. What was installed before is as it was approved.
alter table installed_plugin_versions add column views text[] not null default '{}';
alter table enabled_plugins add column views text[] not null default '{}';
