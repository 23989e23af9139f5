import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { Certainty } from '../../model/certainty.ts';
import { maySee, type Viewer } from '../viewer.ts';

/** Another result that says the same, and how it stands to the finding asked for. */
export interface Occurrence {
  _id: string;
  tool: string;
  title: string;
  file_path: string | null;
  start_line: number | null;
  relation: 'duplicate' | 'original' | 'subfinding' | 'parent';
  /** How sure it is that both say the same; null where the relation is another one. */
  certainty: Certainty | null;
}

/**
 * Duplicates and parts of a finding, or its original and whole; at most 200. Reads findings_duplicates, findings_children
 * and the primary key.
 */
export const listOccurrences = async (db: Db, request: { viewer: Viewer; id: string }): Promise<Occurrence[]> => {
  const { viewer, id } = request;
  const { clientId } = viewer;
  const found = await sql<Occurrence>`
    with related as (
      select id, 'duplicate' as relation, coalesce(duplicate_certainty, 2) as certainty from findings where client_id = ${clientId} and duplicate_of = ${id}
      union all
      select id, 'subfinding', null from findings where client_id = ${clientId} and parent = ${id}
      union all
      select duplicate_of, 'original', coalesce(duplicate_certainty, 2) from findings where client_id = ${clientId} and id = ${id} and duplicate_of is not null
      union all
      select parent, 'parent', null from findings where client_id = ${clientId} and id = ${id} and parent is not null
    )
    select f.id as _id, f.tool, x.title, p.path as file_path, f.start_line, n.relation,
      (array['likely', 'certain', 'person'])[n.certainty] as certainty
    from related n
    join findings f on f.client_id = ${clientId} and f.id = n.id
    join finding_definitions x on x.client_id = ${clientId} and x.id = f.definition_id
    left join finding_files p on p.client_id = ${clientId} and p.id = f.file_id
    where ${maySee(viewer)}
    order by n.relation, f.tool, p.path, f.start_line, f.id limit 200`.execute(db);
  return found.rows;
};
