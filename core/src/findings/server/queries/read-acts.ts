import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { DecidedFinding, DecisionKind } from '../../model/decided-finding.ts';

/** One line of an act, and whether nothing of its kind came after it. */
export interface StoredAct {
  finding_id: string;
  kind: DecisionKind;
  to: string | null;
  before: Partial<DecidedFinding>;
  is_newest: boolean;
}

/** Ids of the findings of an act, in order. Reads finding_events_of_change. */
export const readActIds = async (db: Db, request: { clientId: string; changeId: string }): Promise<string[]> => {
  const found = await sql<{ id: string }>`
    select distinct finding_id as id from finding_events
    where client_id = ${request.clientId} and change_id = ${request.changeId} order by 1 limit 1000000`.execute(db);
  return found.rows.map((row) => row.id);
};

/** What an act did to some of its findings, newest line first. Reads finding_events_of_change and the primary key. */
export const readActs = async (
  db: Db,
  request: { clientId: string; changeId: string; ids: readonly string[] },
): Promise<StoredAct[]> => {
  const { clientId, changeId } = request;
  const found = await sql<StoredAct>`
    select e.finding_id, e.kind, e.to_value as "to", e.before, not exists (
        select 1 from finding_events n
        where n.client_id = ${clientId} and n.finding_id = e.finding_id and n.kind = e.kind and (n.at, n.id) > (e.at, e.id)
      ) as is_newest
    from finding_events e
    where e.client_id = ${clientId} and e.change_id = ${changeId} and e.finding_id = any(${[...request.ids]}::uuid[]) and e.before is not null
    order by e.finding_id, e.at desc, e.id desc`.execute(db);
  return found.rows;
};
