import type pg from 'pg';
import { copyLine } from './copy-text.ts';
import { type MergeContext, readingWholeScope, run } from './merge-context.ts';
import type { PreparedFinding } from './prepare-finding.ts';
import { createTable } from './temporary-tables.ts';
import { guessScope, type KnownScope, type ToolOfRepository } from './tool-ids.ts';

/** A scope with more open findings than this is matched in the database alone: the list would weigh too much in memory. */
const MAX_KNOWN = 200_000;

const FIND_SCOPE = 'select id, last_scan_id as "lastScanId" from scan_scopes where client_id = $1 and id = $2';

/** An accepted risk may have expired, so it is always looked at. Indexes: findings_identity, primary key. */
const READ_OPEN = `
  select f.id, encode(uuid_send(f.identity) || uuid_send(f.content), 'hex') as key, l.start_line as "startLine", l.end_line as "endLine",
    encode(uuid_send(l.places), 'hex') as places, f.verdict = 'accepted_risk' as "mayExpire"
  from findings f
  left join finding_locations l on l.client_id = $1 and l.finding_id = f.id
  where f.client_id = $1 and f.scope_id = $2 and f.status <> 'mitigated'
  order by f.identity, f.ordinal limit ${MAX_KNOWN + 1}`;

export interface KnownRequest extends ToolOfRepository {
  /** As the sender named it; null for the default branch. */
  branch: string | null;
  /** As the sender named it; null where the report says. */
  part: string | null;
  /** Set where the scope is certain. */
  scopeId: number | undefined;
}

/** What a result is compared by: digests in hexadecimal, and its place as COPY text. */
type Compared = Pick<PreparedFinding, 'identity' | 'content' | 'location'>;

/** Open findings of the scope as they stood before the report was read. */
export interface KnownFindings {
  /** Id of a finding that is equal in every stored respect; each is given once. */
  take(result: Compared): string | undefined;
  /** Id of the only finding of this identity, where it is equal in all but its lines; each is given once, and not after `take` gave it. */
  takeMoved(result: Compared): string | undefined;
  /** The import that the scope stood at. */
  lastScanId: string | null;
}

/** Nothing is known of a scope that is not certain or too large. */
export const NOTHING_KNOWN: KnownFindings = {
  take: () => undefined,
  takeMoved: () => undefined,
  lastScanId: null,
};

/** How many results of a report were found to be known, and the import that the scope stood at then. */
export interface KnownResults {
  /** Equal to a known finding: of these only the digests are staged. */
  readonly equal: number;
  /** Equal but for their lines: of these the lines too. */
  readonly moved: number;
  readonly lastScanId: string | null;
}

/** What was known while the report was read is no longer so: the report has to be read again. */
export class KnownFindingsChanged extends Error {}

const findScope = async (client: pg.ClientBase, request: KnownRequest): Promise<KnownScope | undefined> => {
  if (request.scopeId === undefined) return guessScope(client, request);
  return (await client.query<KnownScope>(FIND_SCOPE, [request.clientId, request.scopeId])).rows[0];
};

interface OpenRow {
  id: string;
  key: string;
  startLine: number | null;
  endLine: number | null;
  places: string | null;
  mayExpire: boolean;
}

const IDENTITY_LENGTH = 32;
const placesIn = (location: string): string => location.slice(location.lastIndexOf('\t') + 1);

/** Findings that are equal in every respect, by what they are compared by. The first at the end, where it is taken from. */
const equalsOf = (rows: readonly (OpenRow & { location: string })[]): Map<string, string | string[]> => {
  const ids = new Map<string, string | string[]>();
  for (const { id, key, location, mayExpire } of rows) {
    if (mayExpire) continue;
    const name = `${key} ${location}`;
    const found = ids.get(name);
    if (found === undefined) ids.set(name, id);
    else if (typeof found === 'string') ids.set(name, [id, found]);
    else found.unshift(id);
  }
  return ids;
};

/** By identity, the findings that no other open one shares it with. */
const alonesOf = <Row extends OpenRow>(rows: readonly Row[]): Map<string, Row> => {
  const alone = new Map<string, Row>();
  let last = '';
  // rows come in order of their identity
  for (const row of rows) {
    const identity = row.key.slice(0, IDENTITY_LENGTH);
    if (identity === last) alone.delete(identity);
    else if (!row.mayExpire) alone.set(identity, row);
    last = identity;
  }
  return alone;
};

/**
 * Reads which results need not be sent to the database again. No lock is held meanwhile: the merge, which holds the lock of the
 * repository, checks that all of them still are what they were (`pairKnown`).
 */
export const readKnownFindings = async (client: pg.ClientBase, request: KnownRequest): Promise<KnownFindings> => {
  const scope = await findScope(client, request);
  if (scope === undefined) return NOTHING_KNOWN;
  const read = await client.query<OpenRow>(READ_OPEN, [request.clientId, scope.id]);
  if (read.rows.length > MAX_KNOWN) return NOTHING_KNOWN;
  const rows = read.rows.map((row) => ({ ...row, location: copyLine([row.startLine, row.endLine, row.places]) }));
  const [ids, alone] = [equalsOf(rows), alonesOf(rows)];
  return {
    lastScanId: scope.lastScanId,
    take: ({ identity, content, location }) => {
      const key = `${identity}${content} ${location}`;
      const found = ids.get(key);
      if (found === undefined) return undefined;
      alone.delete(identity);
      if (typeof found !== 'string') return found.pop();
      ids.delete(key);
      return found;
    },
    takeMoved: ({ identity, content, location }) => {
      const found = alone.get(identity);
      if (found === undefined || found.key !== identity + content) return undefined;
      if (placesIn(found.location) !== placesIn(location)) return undefined;
      alone.delete(identity);
      return found.id;
    },
  };
};

/*
 * Of a scope that was imported a moment ago the planner has no statistics and takes it for one row, so that it loops over it. With these
 * indexes a loop costs a lookup for each row; without them it read all pairs for each (147 s of processor time at 50,000).
 */
const INDEX_KNOWN = 'create index on stage_equal (id); create index on stage_moved (id)';
const INDEX_PAIRS = 'create index on pairs (id); analyze pairs';

/** Lines are written by imports alone, which the last one of the scope tells. Index: primary key. */
const pairKnownOf = (table: 'stage_equal' | 'stage_moved'): string => `
  insert into pairs (n, id)
  select e.n, e.id from ${table} e
  join findings f on f.client_id = $1 and f.id = e.id
  where f.scope_id = $2 and f.identity = e.identity and f.content = e.content and f.status <> 'mitigated'`;
const [PAIR_EQUAL, PAIR_MOVED] = [pairKnownOf('stage_equal'), pairKnownOf('stage_moved')];

/**
 * Begins the table `pairs` with what was found to be known while the report was read.
 * @throws KnownFindingsChanged where some of it no longer is.
 */
export const pairKnown = async (context: MergeContext, { equal, moved, lastScanId }: KnownResults): Promise<void> => {
  await context.client.query(createTable('pairs'));
  if (equal + moved > 0) {
    if (context.lastScanId !== lastScanId) throw new KnownFindingsChanged();
    await context.client.query(INDEX_KNOWN);
    const values = [context.clientId, context.scopeId];
    const paired = await readingWholeScope(context, async () => [
      await run(context, PAIR_EQUAL, values),
      await run(context, PAIR_MOVED, values),
    ]);
    if (paired[0] !== equal || paired[1] !== moved) throw new KnownFindingsChanged();
  }
  await context.client.query(INDEX_PAIRS);
};
