import type { Db } from '../../../platform/server/database.ts';
import type { ReferenceData } from '../../model/reference.ts';
import { scorePriority } from '../../model/score-priority.ts';
import { comparePriorities, spreadOver } from '../../model/settings/compare-priorities.ts';
import { type PriorityRules, rulesOf } from '../../model/settings/priority-rules.ts';
import type { PrioritySettings } from '../../model/settings/priority-settings.ts';
import { countOpenCells, pickFindings, pickHighest } from './queries/pick-findings.ts';
import { readScored, type ScoredFinding } from './queries/read-scored.ts';

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
