import type { ImportScene } from './import-scene.ts';

const FINDINGS = `
  select c.tool as scope, s.digest as definition, p.path, f.identity, f.ordinal, f.content, f.severity, f.priority, f.type, f.category, f.language,
    f.status, f.verdict, f.is_duplicate, f.is_open, f.kev, f.cvss, f.epss, f.start_line, f.closed_at is not null as is_closed,
    o.identity as original, o.ordinal as original_ordinal, f.tags,
    (select array_agg(e.kind || coalesce(e.from_value, '') || coalesce(e.to_value, '') order by 1)
     from (select kind, from_value, to_value from finding_events e where e.client_id = f.client_id and e.finding_id = f.id order by 1, 2, 3) e) as events,
    to_jsonb(d) - 'client_id' - 'finding_id' as details
  from findings f
  join scan_scopes c on c.client_id = f.client_id and c.id = f.scope_id
  join finding_definitions s on s.client_id = f.client_id and s.id = f.definition_id
  left join finding_files p on p.client_id = f.client_id and p.id = f.file_id
  left join findings o on o.client_id = f.client_id and o.id = f.duplicate_of
  left join finding_details d on d.client_id = f.client_id and d.finding_id = f.id
  where f.repository_id = $1
  order by f.identity, f.ordinal, c.tool`;

const COMPONENTS = `
  select c.digest, c.name, c.version, c.removed_at is not null as removed,
    (select array_agg(t.digest order by t.digest) from component_edges e join components t on t.id = e.to_id where e.from_id = c.id) as needs
  from components c where c.repository_id = $1 order by c.digest`;

const SCANS = `select requested_tool, status, counts, unreadable, code from scans where repository_id = $1 order by id`;

/** All that imports have left in a repository, without ids and times: equal for equal histories. */
export const snapshot = async (scene: ImportScene, repositoryId: string): Promise<object> => ({
  findings: await scene.rows(FINDINGS, [repositoryId]),
  components: await scene.rows(COMPONENTS, [repositoryId]),
  scans: await scene.rows(SCANS, [repositoryId]),
  leftovers: await scene.rows(
    `select 1 from finding_details d where not exists (select 1 from findings f where f.client_id = d.client_id and f.id = d.finding_id)`,
  ),
});

/** Differences between the rollups and a full recount of the client's findings; none, when all is well. */
export const rollupFaults = async (scene: Pick<ImportScene, 'rows'>): Promise<object[]> => {
  const compare = (table: string, key: string, columns = '*'): Promise<object[]> =>
    scene.rows(
      `select '${table.replaceAll("'", '')}' as table, * from (select ${key}, count(*)::bigint as counted from (select ${columns} from findings) f group by ${key}) c
       full join (select ${key}, sum(count)::bigint as kept from ${table} group by ${key}) k using (${key})
       where coalesce(counted, 0) <> coalesce(kept, 0)`,
    );
  const days = await scene.rows(
    `select 'aggregate_changes' as table, * from (select cell, count(*)::bigint as counted from findings group by 1) c
     full join (select cell, sum(delta)::bigint as kept from aggregate_changes group by 1) k using (cell)
     where coalesce(counted, 0) <> coalesce(kept, 0)`,
  );
  const inFiles = await scene.rows(
    `select 'aggregate_files' as table, * from (select file_id, count(*)::bigint as counted from findings where file_id is not null group by 1) c
     full join (select file_id, sum(count)::bigint as kept from aggregate_files group by 1) k using (file_id)
     where coalesce(counted, 0) <> coalesce(kept, 0)`,
  );
  const extensions = await scene.rows(
    `select 'aggregate_extensions' as table, * from (
       select p.extension, f.cell, count(*)::bigint as counted from findings f join finding_files p on p.id = f.file_id group by 1, 2
     ) c full join aggregate_extensions k using (extension, cell) where coalesce(c.counted, 0) <> coalesce(k.count, 0)`,
  );
  return [
    ...inFiles,
    ...extensions,
    ...(await compare('aggregate_cells', 'cell')),
    ...(await compare('aggregate_definitions', 'definition_id, cell')),
    ...(await compare('aggregate_dates', 'cell, day', "*, (date at time zone 'UTC')::date as day")),
    ...(await compare("(select * from aggregate_days where field = 'found') found", 'severity')),
    ...days,
  ];
};
