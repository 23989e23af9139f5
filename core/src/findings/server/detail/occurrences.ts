import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { type DuplicateFacts, type DuplicateReason, duplicateReasons } from '../../model/duplicate-reasons.ts';
import { duplicateReasonText } from '../../model/labels.ts';
import type { Certainty } from '../../model/states.ts';
import { maySee, type Viewer } from '../filter/viewer.ts';

/** Another result that says the same, and how it stands to the finding asked for. */
export interface Occurrence {
  _id: string;
  tool: string;
  title: string;
  rule_id: string;
  cve: string | null;
  file_path: string | null;
  start_line: number | null;
  relation: 'duplicate' | 'original' | 'subfinding' | 'parent';
  /** How sure it is that both say the same; null where the relation is another one. */
  certainty: Certainty | null;
  /** What both have in common. */
  reasons: DuplicateReason[];
  /** The same as text; null where the relation is another one. */
  reason: string | null;
}

type OccurrenceRow = Omit<Occurrence, 'relation' | 'reasons' | 'reason'> &
  DuplicateFacts & { relation: Occurrence['relation'] | 'itself' };

/**
 * The finding itself, its duplicates and parts, or its original and whole; at most 200. Reads findings_duplicates, findings_children
 * and primary keys.
 */
const readRows = async (db: Db, { viewer, id }: { viewer: Viewer; id: string }): Promise<OccurrenceRow[]> => {
  const { clientId } = viewer;
  const found = await sql<OccurrenceRow>`
    with related as (
      select id, 'itself' as relation, null as certainty from findings where client_id = ${clientId} and id = ${id}
      union all
      select id, 'duplicate', coalesce(duplicate_certainty, 2) from findings where client_id = ${clientId} and duplicate_of = ${id}
      union all
      select id, 'subfinding', null from findings where client_id = ${clientId} and parent = ${id}
      union all
      select duplicate_of, 'original', coalesce(duplicate_certainty, 2) from findings where client_id = ${clientId} and id = ${id} and duplicate_of is not null
      union all
      select parent, 'parent', null from findings where client_id = ${clientId} and id = ${id} and parent is not null
    )
    select f.id as _id, f.tool, x.title, p.path as file_path, l.start_line, n.relation,
      (array['likely', 'certain', 'person'])[n.certainty] as certainty, x.cve, x.rule_id, x.rule_id as "ruleId", x.aliases, x.cwe,
      x.package_key as "packageKey", p.path, l.start_line as line, d.resource, f.type = 'Secrets' as "isSecret",
      f.type in ('IaC', 'Configuration', 'Container') as "isCheck", d.secret_hash as "secretHash"
    from related n
    join findings f on f.client_id = ${clientId} and f.id = n.id
    join finding_definitions x on x.client_id = ${clientId} and x.id = f.definition_id
    left join finding_files p on p.client_id = ${clientId} and p.id = f.file_id
    left join finding_locations l on l.client_id = ${clientId} and l.finding_id = f.id
    left join finding_details d on d.client_id = ${clientId} and d.finding_id = f.id
    where ${maySee(viewer)}
    order by n.relation <> 'itself', n.relation, f.tool, p.path, l.start_line, f.id limit 201`.execute(db);
  return found.rows;
};

/** Other results that say the same, each with the reason. */
export const listOccurrences = async (db: Db, request: { viewer: Viewer; id: string }): Promise<Occurrence[]> => {
  const rows = await readRows(db, request);
  const itself = rows.find((row) => row.relation === 'itself');
  return rows.flatMap((row) => {
    const { _id, tool, title, rule_id, cve, file_path, start_line, relation, certainty } = row;
    if (relation === 'itself') return [];
    const reasons = itself === undefined || certainty === null ? [] : duplicateReasons(itself, row, certainty);
    const reason = reasons.length === 0 ? null : duplicateReasonText(reasons);
    return [{ _id, tool, title, rule_id, cve, file_path, start_line, relation, certainty, reasons, reason }];
  });
};
