import type pg from 'pg';
import { type MergeContext, run } from './merge-context.ts';
import { createTable } from './temporary-tables.ts';

/** A scope with more open findings than this is matched in the database alone: the list would weigh too much in memory. */
const MAX_KNOWN = 200_000;

/** The one scope that a report will speak for, if there is only one that it can be. Its target is known no sooner than at its end. */
const GUESS_SCOPE = `
  select s.id from scan_scopes s
  join repositories r on r.client_id = $1 and r.id = s.repository_id
  left join repository_branches b on b.client_id = $1 and b.id = s.branch_id
  where s.client_id = $1 and s.repository_id = $2 and s.tool = $3 and s.last_seen_at is not null
    and coalesce(b.name, r.repository_branch) = coalesce($4, r.repository_branch) and ($5::text is null or s.part = $5)
  limit 2`;

/** An accepted risk may have expired, so it is always looked at. Index: findings_identity. */
const READ_OPEN = `
  select id, encode(uuid_send(identity) || uuid_send(content), 'hex') as key
  from findings
  where client_id = $1 and scope_id = $2 and status <> 'mitigated' and verdict <> 'accepted_risk'
  order by identity, ordinal limit ${MAX_KNOWN + 1}`;

export interface KnownRequest {
  clientId: string;
  repositoryId: string;
  toolId: string;
  /** As the sender named it; null for the default branch. */
  branch: string | null;
  /** As the sender named it; null where the report says. */
  part: string | null;
  /** Set where the scope is certain. */
  scopeId: number | undefined;
}

/** Open findings of the scope as they stood before the report was read. */
export interface KnownFindings {
  /** Id of a finding that is equal in every stored respect; each is given once. The digests are hexadecimal. */
  take(identity: string, content: string): string | undefined;
}

/** Nothing is known of a scope that is not certain or too large. */
export const NOTHING_KNOWN: KnownFindings = { take: () => undefined };

/** What was known while the report was read is no longer so: the report has to be read again. */
export class KnownFindingsChanged extends Error {}

const findScope = async (client: pg.ClientBase, request: KnownRequest): Promise<number | undefined> => {
  const { clientId, repositoryId, toolId, branch, part, scopeId } = request;
  if (scopeId !== undefined) return scopeId;
  const { rows } = await client.query<{ id: number }>(GUESS_SCOPE, [clientId, repositoryId, toolId, branch, part]);
  return rows.length === 1 ? rows[0]?.id : undefined;
};

/**
 * Reads which results need not be sent to the database again. No lock is held meanwhile: the merge, which holds the lock of the
 * repository, checks that all of them still are what they were (`pairKnown`).
 */
export const readKnownFindings = async (client: pg.ClientBase, request: KnownRequest): Promise<KnownFindings> => {
  const scopeId = await findScope(client, request);
  if (scopeId === undefined) return NOTHING_KNOWN;
  const { rows } = await client.query<{ id: string; key: string }>(READ_OPEN, [request.clientId, scopeId]);
  if (rows.length > MAX_KNOWN) return NOTHING_KNOWN;
  // the first at the end, where it is taken from
  const ids = new Map<string, string | string[]>();
  for (const { id, key } of rows) {
    const found = ids.get(key);
    if (found === undefined) ids.set(key, id);
    else if (typeof found === 'string') ids.set(key, [id, found]);
    else found.unshift(id);
  }
  return {
    take: (identity, content) => {
      const key = identity + content;
      const found = ids.get(key);
      if (found === undefined) return undefined;
      if (typeof found !== 'string') return found.pop();
      ids.delete(key);
      return found;
    },
  };
};

/*
 * Of a scope that was imported a moment ago the planner has no statistics and takes it for one row, so that it loops over it. With these
 * indexes a loop costs a lookup for each row; without them it read all pairs for each (147 s of processor time at 50,000).
 */
const INDEX_EQUAL = 'create index on stage_equal (id)';
const INDEX_PAIRS = 'create index on pairs (id); analyze pairs';

/** Index: primary key. */
const PAIR_KNOWN = `
  insert into pairs (n, id)
  select e.n, e.id from stage_equal e
  join findings f on f.client_id = $1 and f.id = e.id
  where f.scope_id = $2 and f.identity = e.identity and f.content = e.content and f.status <> 'mitigated'`;

/**
 * Begins the table `pairs` with what was found equal while the report was read.
 * @throws KnownFindingsChanged where some of it no longer is.
 */
export const pairKnown = async (context: MergeContext, { equal }: { equal: number }): Promise<void> => {
  await context.client.query(createTable('pairs'));
  if (equal > 0) {
    await context.client.query(INDEX_EQUAL);
    if ((await run(context, PAIR_KNOWN, [context.clientId, context.scopeId])) !== equal)
      throw new KnownFindingsChanged();
  }
  await context.client.query(INDEX_PAIRS);
};
