-- Class of all licences of a component, by core/src/sbom/model/license-rules.ts; set by the import. Inventories of before are judged
-- at their next import.
alter table components
  add column license_class text not null default 'unknown' check (
    license_class in ('permissive', 'weak_copyleft', 'strong_copyleft', 'network_copyleft', 'proprietary', 'unknown'));

-- the filter by class, in the order by name
create index components_by_license_class on components (client_id, license_class, full_name, id) where removed_at is null;
-- the same package in other applications
create index components_by_digest on components (client_id, digest) where removed_at is null;
-- an application's inventory package by package, for exports: one package may stand in several inventories
create index components_for_export on components (client_id, repository_id, digest) where removed_at is null;
