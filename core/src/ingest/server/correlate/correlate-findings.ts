import { type CorrelationChange, correlate } from '../../model/correlate.ts';
import type { MergeContext } from '../stage/merge-context.ts';
import { createFilled, createTable, fillTable } from '../stage/temporary-tables.ts';
import { type CandidateRequest, type Query, readCandidates } from './read-candidates.ts';

/**
 * What people correlated hangs together across files and packages, so all of it is looked at, once anything is.
 * Index: correlation_overrides_of_repository.
 */
const OVERRIDDEN = `
  select f.file_id, u.package_key
  from correlation_overrides t
  join findings f on f.client_id = $1 and f.id in (t.finding_id, t.other_id)
  join finding_definitions u on u.client_id = $1 and u.id = f.definition_id
  where t.client_id = $1 and t.repository_id = $2`;

const fillTouched = (rows: string): string =>
  fillTable('touched', { file_id: 'file_id', package_key: 'package_key' }, `from (${rows}) rows`);

/** Which tables of this import hold something that may be the same as something else. */
interface TouchedTables {
  changes: boolean;
  moved: boolean;
  gone: boolean;
  newFindings: boolean;
}

/** Files and packages whose open findings are others than before: of new, changed, reopened and closed findings. */
const TOUCHED = ({ changes, moved, gone, newFindings }: TouchedTables): string =>
  fillTouched(`
  ${newFindings ? 'select f.file_id, f.package_key from new_findings f union' : ''}
  ${
    changes
      ? `select p.id as file_id, u.package_key from changes c join stage_findings s on s.n = c.n
    join stage_definitions u on u.n = s.definition_n left join stage_files p on p.n = s.file_n union`
      : ''
  }
  ${moved ? 'select f.file_id, null::uuid as package_key from moved m join findings f on f.client_id = $1 and f.id = m.id union' : ''}
  ${gone ? 'select g.file_id, u.package_key from gone g join finding_definitions u on u.client_id = $1 and u.id = g.definition_id union' : ''}
  ${OVERRIDDEN}`);

/** The same for single findings. Those that are marked as their duplicates stand in the same files, or are correlated. */
const TOUCHED_BY_HAND = fillTouched(`
  select f.file_id, u.package_key
  from findings f
  join finding_definitions u on u.client_id = $1 and u.id = f.definition_id
  where f.client_id = $1 and f.repository_id = $2 and f.id = any($3::uuid[])
  union ${OVERRIDDEN}`);

/** In order of their ids, as decisions lock findings too. */
const LOCK = `
  select from unnest($2::uuid[]) c (id) join findings f on f.client_id = $1 and f.id = c.id
  order by f.id for no key update of f`;

const APPLY = `
  update findings f set is_duplicate = c.duplicate_of is not null, duplicate_of = c.duplicate_of, duplicate_certainty = c.certainty
  from unnest($2::uuid[], $3::uuid[], $4::smallint[]) c (id, duplicate_of, certainty)
  where f.client_id = $1 and f.id = c.id`;

const markAll = async (
  query: Query,
  request: CandidateRequest,
  asked: readonly string[],
): Promise<CorrelationChange[]> => {
  // a repository without statistics is taken for one row: a loop over its findings then costs a lookup each
  await query('create index on touched (file_id)', []);
  await query('analyze touched', []);
  const { items, correlations } = await readCandidates(query, request, asked);
  const changes = correlate(items, correlations);
  if (changes.length === 0) return [];
  const ids = changes.map((change) => change.id);
  await query(LOCK, [request.clientId, ids]);
  await query(APPLY, [
    request.clientId,
    ids,
    changes.map((change) => change.duplicateOf),
    changes.map((change) => change.certainty),
  ]);
  return changes;
};

/**
 * Marks findings of the repository that say the same, across tools and within one. Looks only at what this import touched.
 * @returns the marks that changed; those of findings in the table `new_findings` are left to whoever writes these.
 */
export const mergeCorrelation = async (
  context: MergeContext,
  tables: TouchedTables,
): Promise<readonly CorrelationChange[]> => {
  if (!(tables.changes || tables.moved || tables.gone || tables.newFindings)) return [];
  const { client, clientId, repositoryId } = context;
  const touched = await createFilled(client, 'touched', TOUCHED(tables), [clientId, repositoryId]);
  if (touched === 0) return [];
  const query: Query = async (text, values) => (await client.query(text, values)).rows;
  return markAll(query, { ...context, hasNewFindings: tables.newFindings }, []);
};

/**
 * Marks anew what hangs together with these findings, after people decided about them. In the transaction of the decision.
 * @returns the findings whose mark changed.
 */
export const correlateByHand = async (
  query: Query,
  { clientId, repositoryId, ids }: { clientId: string; repositoryId: string; ids: readonly string[] },
): Promise<CorrelationChange[]> => {
  await query(createTable('touched'), []);
  await query(TOUCHED_BY_HAND, [clientId, repositoryId, ids]);
  return markAll(query, { clientId, repositoryId, scanId: null, hasNewFindings: false }, ids);
};
