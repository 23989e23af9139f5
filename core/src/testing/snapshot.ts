import { rollupDifferences } from '../findings/server/rollups/check-rollups.ts';
import type { ImportScene } from './import-scene.ts';

const FINDINGS = `
  select c.tool as scope, s.digest as definition, p.path, f.identity, f.ordinal, f.content, f.severity, f.priority, f.type, f.category, f.language,
    f.status, f.verdict, f.is_duplicate, f.is_open, f.kev, f.cvss, f.epss, l.start_line, f.closed_at is not null as is_closed,
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
  left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
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
    `select 1 from finding_details d where not exists (select 1 from findings f where f.client_id = d.client_id and f.id = d.finding_id)
     union all
     select 1 from finding_locations l where not exists (select 1 from findings f where f.client_id = l.client_id and f.id = l.finding_id)`,
  ),
});

/** Differences between the rollups and a full recount of every client's findings; none, when all is well. */
export const findRollupDifferences = async (scene: Pick<ImportScene, 'rows'>): Promise<object[]> => {
  const issues: object[] = [];
  for (const client of await scene.rows('select id from clients')) {
    const { id } = Object(client);
    for (const { table, statement } of rollupDifferences()) {
      issues.push(...(await scene.rows(statement, [id])).map((row) => ({ table, ...row })));
    }
  }
  return issues;
};
