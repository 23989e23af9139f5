import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

/** Two findings, or one and itself where it stands apart. */
export interface TieKey {
  clientId: string;
  id: string;
  otherId: string;
}

interface FindingState {
  id: string;
  repositoryId: string;
  isOpen: boolean;
  /** The finding that stands for its group; itself where it is no duplicate. */
  originalId: string;
  hasDuplicates: boolean;
  tool: string;
  title: string;
}

/** Findings as they stand now. Reads findings by primary key and findings_duplicates. */
export const findStates = async (
  db: Db,
  request: { clientId: string; ids: readonly string[] },
): Promise<Map<string, FindingState>> => {
  const { clientId, ids } = request;
  const found = await sql<FindingState>`
    select f.id, f.repository_id as "repositoryId", f.status <> 'mitigated' as "isOpen", coalesce(f.duplicate_of, f.id) as "originalId",
      exists (select from findings d where d.client_id = ${clientId} and d.duplicate_of = f.id) as "hasDuplicates", f.tool, s.title
    from findings f join finding_definitions s on s.client_id = ${clientId} and s.id = f.definition_id
    where f.client_id = ${clientId} and f.id = any(${ids}::uuid[])`.execute(db);
  return new Map(found.rows.map((row) => [row.id, row]));
};

/** Writes the word of a person; said again, it counts as of now. */
export const writeTie = async (
  db: Db,
  key: TieKey & { repositoryId: string; actor: string; reason: string | null },
): Promise<void> => {
  await sql`
    insert into correlation_overrides (client_id, repository_id, finding_id, other_id, actor, reason)
    values (${key.clientId}, ${key.repositoryId}, ${key.id}, ${key.otherId}, ${key.actor}, ${key.reason})
    on conflict (client_id, finding_id, other_id) do update
    set at = excluded.at, actor = excluded.actor, reason = excluded.reason`.execute(db);
};

/** Removes it, whichever of the two it was said of. @returns whether there was one. */
export const dropTie = async (db: Db, { clientId, id, otherId }: TieKey): Promise<boolean> => {
  const gone = await sql`
    delete from correlation_overrides
    where client_id = ${clientId} and (finding_id, other_id) in ((${id}::uuid, ${otherId}::uuid), (${otherId}::uuid, ${id}::uuid))
    returning 1`.execute(db);
  return gone.rows.length > 0;
};

/** Writes down, in the history of one finding, what a person decided. */
export const writeTieEvent = async (
  db: Db,
  event: {
    clientId: string;
    id: string;
    kind: 'split' | 'joined';
    actor: string;
    from: string | null;
    to: string | null;
    reason: string | null;
  },
): Promise<void> => {
  await sql`
    insert into finding_events (client_id, finding_id, kind, at, actor, from_value, to_value, reason)
    values (${event.clientId}, ${event.id}, ${event.kind}, clock_timestamp(), ${event.actor}, ${event.from}, ${event.to}, ${event.reason})`.execute(
    db,
  );
};
