import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import type { ReferenceData } from '../../model/reference.ts';
import { scorePriority } from '../../model/score-priority.ts';
import { comparePriorities, type Stratum, spreadOver } from '../../model/settings/compare-priorities.ts';
import { type PriorityRules, rulesOf } from '../../model/settings/priority-rules.ts';
import type { PrioritySettings } from '../../model/settings/priority-settings.ts';
import { readScored, type ScoredFinding } from './read-scored.ts';

/** Counts of open findings of default branches, by group of findings that are alike. Reads rollups by client. */
export const countOpenCells = async (db: Db, clientId: string): Promise<{ cell: string; count: number }[]> => {
  const { rows } = await sql<{ cell: string; count: number }>`
    select c.cell::text as cell, c.count::integer as count
    from aggregate_cells c
    join aggregate_dispositions s on s.client_id = ${clientId} and s.disposition = c.disposition and s.is_open
    join aggregate_sources k on k.client_id = ${clientId} and k.source = c.source
    join repositories r on r.client_id = ${clientId} and r.id = k.repository_id
    where c.client_id = ${clientId} and c.count > 0
    order by c.cell`.execute(db);
  return rows;
};

/** Ids of so many findings of each group, the first that the index has. Index: findings_by_cell. */
export const pickFindings = async (db: Db, clientId: string, strata: readonly Stratum[]): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    select picked.id
    from jsonb_to_recordset(${JSON.stringify(strata)}::jsonb) wanted (cell bigint, take integer)
    cross join lateral (
      select id from findings where client_id = ${clientId} and cell = wanted.cell limit wanted.take
    ) picked
    order by picked.id`.execute(db);
  return rows.map(({ id }) => id);
};

/** Entries of the index that are walked at most for the first of the list. */
const MAX_WALKED = 20_000;

/** Ids of the open findings of default branches with the highest priority, highest first. Index: findings_by_priority. */
export const pickHighest = async (
  db: Db,
  clientId: string,
  request: { cells: readonly string[]; limit: number },
): Promise<string[]> => {
  const { rows } = await sql<{ id: string }>`
    with open as materialized (select unnest(${[...request.cells]}::bigint[]) as cell)
    select id from (
      select id, cell, priority from findings where client_id = ${clientId} order by priority desc, id desc limit ${MAX_WALKED}
    ) f
    where cell in (select cell from open)
    order by priority desc, id desc limit ${request.limit}`.execute(db);
  return rows.map(({ id }) => id);
};

/** Up to this many findings each is looked at; of more, so many as a sample. Both take well under a second. */
const MOST = 10_000;
const SAMPLE = 5_000;
/** The highest of the list, from which the first ten afterwards may come although the sample leaves them out. */
const HEAD = 200;
const TOP = 10;

interface Moved {
  id: string;
  title: string;
  severity: ScoredFinding['facts']['severity'];
  before: number;
  after: number;
}

const movedBy =
  (rules: PriorityRules) =>
  ({ id, title, priority, facts }: ScoredFinding): Moved => ({
    ...{ id, title, severity: facts.severity },
    before: priority,
    after: scorePriority(facts, rules).priority,
  });

const shown = ({ id, ...attributes }: Moved) => ({ _id: id, attributes });

/** As the list sorts: the newer one first among equals. */
const highest = (moved: Iterable<Moved>, of: 'before' | 'after'): Moved[] =>
  [...moved].sort((a, b) => b[of] - a[of] || (a.id < b.id ? 1 : -1)).slice(0, TOP);

/** What settings would do to the open findings of default branches; changes nothing. Bounded: see MOST and SAMPLE. */
export const previewSettings = async (
  db: Db,
  request: {
    clientId: string;
    settings: PrioritySettings;
    reference: Pick<ReferenceData, 'cwe'>;
    /** For tests: how many are looked at. */
    limits?: { most: number; sample: number };
  },
) => {
  const { clientId, settings, reference, limits = { most: MOST, sample: SAMPLE } } = request;
  const rules = rulesOf(settings);
  const groups = await countOpenCells(db, clientId);
  const total = groups.reduce((sum, { count }) => sum + count, 0);
  const picked = await pickFindings(db, clientId, spreadOver(groups, limits.most, limits.sample));
  const head = await pickHighest(db, clientId, { cells: groups.map(({ cell }) => cell), limit: HEAD });
  const chosen = new Set(picked);
  const found = await readScored(db, { clientId, ids: [...new Set([...picked, ...head])], reference });
  const all = found.map(movedBy(rules));
  const lookedAt = all.filter(({ id }) => chosen.has(id));
  const weight = lookedAt.length === 0 ? 1 : total / lookedAt.length;
  return {
    total,
    looked_at: lookedAt.length,
    is_estimate: lookedAt.length < total,
    ...comparePriorities(lookedAt, weight),
    weights: rules.weights,
    top_before: highest(all, 'before').map(shown),
    top_after: highest(all, 'after').map(shown),
  };
};
