import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface ComponentFinding {
  _id: string;
  title: string;
  severity: number;
  priority: number;
  cve: string | null;
  component_version: string | null;
  fixed_version: string | null;
  same_version: boolean;
}

const MAX_FINDINGS = 500;

/**
 * Open findings that speak of a component, most urgent first, at most 500. Versions may differ: an inventory and a scan can
 * be years apart, and that is shown, not hidden. Reads finding_definitions_component_key, then findings_by_definition.
 */
export const listComponentFindings = async (
  db: Db,
  request: { clientId: string; id: string },
): Promise<ComponentFinding[]> => {
  const { rows } = await sql<ComponentFinding>`
    select f.id as _id, b.title, f.severity, f.priority, b.cve, b.component_version, b.fixed_version,
      coalesce(ltrim(b.component_version, 'v^~=') = ltrim(c.version, 'v'), false) as same_version
    from components c
    join finding_definitions b on b.client_id = c.client_id and b.component_key = any(c.finding_keys)
      and (b.ecosystem is null or c.ecosystem is null or b.ecosystem = c.ecosystem)
    join findings f on f.client_id = b.client_id and f.definition_id = b.id and f.repository_id = c.repository_id and f.is_open
    where c.client_id = ${request.clientId} and c.id = ${request.id}
    order by f.priority desc, f.id desc
    limit ${MAX_FINDINGS}
  `.execute(db);
  return rows;
};
