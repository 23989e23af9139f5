import type pg from 'pg';

/** Whether the report that is staged has a finding again. */
const IS_REPEATED = `(
  f.identity in (select identity from stage_findings) or f.id in (select id from stage_equal) or f.id in (select id from stage_moved))`;

/** Scopes of the same target: of no known part, and those of parts. Index: scan_scopes_speaks_for. */
const OF_TARGET = `
  s.client_id = $1 and s.repository_id = $2 and s.tool = $3 and s.branch_id is not distinct from $5
    and (s.target = $4 or s.part <> '' and s.target = ltrim(left($4, 350) || ' part:' || s.part))`;

/** Those that a person split, and the one that they were split from: which of them has most of the report. Index: findings_identity. */
const CHOOSE_SPLIT = `
  select s.id, (
    select count(*) from findings f
    where f.client_id = s.client_id and f.scope_id = s.id and f.status <> 'mitigated' and ${IS_REPEATED}
  )::integer as repeated, s.is_split as "isSplit"
  from scan_scopes s
  where ${OF_TARGET} and (s.part = '' or s.is_split)
  order by repeated desc, s.is_split, s.id`;

/** The one scope of the target that was ever imported, if there is only one. */
const FIND_ONLY = `select s.id from scan_scopes s where ${OF_TARGET} and s.last_seen_at is not null limit 2`;

/**
 * A report without any result cannot say its part where a format takes it from what it lists: where the target has one scope only, it is
 * about that one. @param scope as for `chooseSplitScope`.
 */
export const findOnlyScope = async (client: pg.ClientBase, scope: unknown[]): Promise<number | undefined> => {
  const { rows } = await client.query<{ id: number }>(FIND_ONLY, scope);
  return rows.length === 1 ? rows[0]?.id : undefined;
};

/**
 * A report that does not say its part belongs, where a person has split the scope, to the part whose findings it repeats.
 * @param scope client, repository, tool, target and branch. @returns nothing where it is the scope without a part.
 */
export const chooseSplitScope = async (client: pg.ClientBase, scope: unknown[]): Promise<number | undefined> => {
  const { rows } = await client.query<{ id: number; repeated: number; isSplit: boolean }>(CHOOSE_SPLIT, scope);
  const [best] = rows;
  return best?.isSplit === true && best.repeated > 0 ? best.id : undefined;
};

/** How much of what stands open in a scope the report has. Index: findings_identity. */
const COUNT_REPEATED = `
  select count(*)::integer as open, count(*) filter (where is_repeated)::integer as repeated
  from (
    select ${IS_REPEATED} as is_repeated from findings f
    where f.client_id = $1 and f.scope_id = $2 and f.status <> 'mitigated'
    union all
    select c.digest in (select digest from stage_components) from components c
    where c.client_id = $1 and c.scope_id = $2 and c.removed_at is null
  ) known`;

const DROP_SCOPE = 'delete from scan_scopes where client_id = $1 and id = $2';
const NAME_PART = 'update scan_scopes set target = $3, part = $4 where client_id = $1 and id = $2';

/** Of other parts only what is closed there: they closed each other's findings while the part was not known. */
const MOVE_FINDINGS = `
  update findings moved set scope_id = $6
  from (
    select distinct on (f.identity, f.ordinal) f.id
    from scan_scopes s
    join findings f on f.client_id = s.client_id and f.scope_id = s.id
    where ${OF_TARGET} and s.id <> $6 and (s.part = '' or f.status = 'mitigated') and ${IS_REPEATED}
    order by f.identity, f.ordinal, s.part <> '', f.id
  ) chosen
  where moved.client_id = $1 and moved.id = chosen.id`;
/** A scope that was never seen is taken to have no findings. */
const SET_SEEN = `
  update scan_scopes new set last_seen_at = (select max(s.last_seen_at) from scan_scopes s where ${OF_TARGET} and s.id <> $6)
  where new.client_id = $1 and new.id = $6`;
const MOVE_COMPONENTS = `
  update components c set scope_id = $3
  where c.client_id = $1 and c.scope_id = $2 and c.digest in (select digest from stage_components)`;

export interface TakeOver {
  clientId: string;
  /** Client, repository, tool, target and branch. */
  scope: unknown[];
  /** The new scope. */
  id: number;
  /** The scope of the same target that findings without a known part stand in. */
  before: number | undefined;
  key: string;
  part: string;
  isSplit: boolean;
}

/**
 * Findings that were imported before the part was known go into the new scope with their verdicts and history: all of them where the
 * report repeats at least half (the part is new, the scan is not), else those that it has. @returns the scope to go on with.
 */
export const takeOverFindings = async (client: pg.ClientBase, request: TakeOver): Promise<number> => {
  const { clientId, before, id, key, part, isSplit, scope } = request;
  if (before !== undefined && !isSplit) {
    const counted = await client.query<{ open: number; repeated: number }>(COUNT_REPEATED, [clientId, before]);
    const { open, repeated } = counted.rows[0] ?? { open: 0, repeated: 0 };
    if (repeated > 0 && repeated * 2 >= open) {
      await client.query(DROP_SCOPE, [clientId, id]);
      await client.query(NAME_PART, [clientId, before, key, part]);
      return before;
    }
  }
  const moved = await client.query(MOVE_FINDINGS, [...scope, id]);
  if ((moved.rowCount ?? 0) > 0) await client.query(SET_SEEN, [...scope, id]);
  if (before !== undefined) await client.query(MOVE_COMPONENTS, [clientId, before, id]);
  return id;
};
