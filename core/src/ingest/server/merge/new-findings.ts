import type { CorrelationChange } from '../../model/correlate.ts';
import { fieldNames } from '../../model/reported-fields.ts';
import { type MergeContext, run } from '../stage/merge-context.ts';
import { ADD_DETAILS } from '../stage/staging-tables.ts';
import { createFilled, fillTable } from '../stage/temporary-tables.ts';
import { carryOverVerdicts, writeCarriedOver } from './carry-over-verdicts.ts';

/**
 * Only results that share their identity need a number: among themselves and after what the scope has already. Index: findings_identity,
 * once for each identity that is new; without `limit` the planner, which knows nothing of a young scope, compared all with all.
 */
const NUMBER_EQUALS = fillTable(
  'ordinals',
  { n: 'n', ordinal: 'coalesce(next, 0) + row_number() over (partition by identity order by n) - 1' },
  `from (
    with new_results as (
      select s.n, s.identity from stage_findings s where not exists (select 1 from pairs where pairs.n = s.n)
    ), taken as (
      select i.identity, f.ordinal + 1 as next
      from (select distinct identity from new_results where $3) i
      cross join lateral (
        select ordinal from findings f where f.client_id = $1 and f.scope_id = $2 and f.identity = i.identity
        order by ordinal desc limit 1
      ) f
    ), shared as (
      select identity from new_results group by 1 having count(*) > 1 union select identity from taken
    )
    select n, identity, taken.next from new_results join shared using (identity) left join taken using (identity)
  ) numbered`,
);

/** What correlation needs of them, in the columns of `findings`. */
const FIND_NEW_FINDINGS = fillTable(
  'new_findings',
  {
    id: 's.id',
    severity: 's.severity',
    verdict: 's.verdict',
    first_scan_id: '$1::uuid',
    is_duplicate: 'false',
    duplicate_of: 'null::uuid',
    duplicate_certainty: 'null::smallint',
    file_id: 'p.id',
    definition_id: 'u.id',
    package_key: 'u.package_key',
    tool: 'u.tool',
    type: 's.type',
    start_line: 's.start_line',
    end_line: 's.end_line',
    start_column: 's.start_column',
    end_column: 's.end_column',
  },
  `from stage_findings s
  join stage_definitions u on u.n = s.definition_n
  left join stage_files p on p.n = s.file_n
  where not exists (select 1 from pairs where pairs.n = s.n)`,
);

/** In order of their ids: in any other one each row lands in another place of every index, which costs a third more. */
const REPORTED = fieldNames('findings');
const ADD_FINDINGS = `
  insert into findings (client_id, id, repository_id, scope_id, definition_id, file_id, identity, ordinal, content, tool,
    ${REPORTED.join(', ')}, first_scan_id, date, first_seen, is_duplicate, duplicate_of, duplicate_certainty)
  select $1, s.id, $2, $3, u.id, p.id, s.identity, coalesce(o.ordinal, 0), s.content, u.tool,
    ${REPORTED.map((name) => `s.${name}`).join(', ')}, $4, least(coalesce(s.date, $5::timestamptz), now()), now(),
    m.duplicate_of is not null, m.duplicate_of, m.certainty
  from stage_findings s
  join stage_definitions u on u.n = s.definition_n
  left join stage_files p on p.n = s.file_n
  left join ordinals o on o.n = s.n
  left join unnest($6::uuid[], $7::uuid[], $8::smallint[]) m (id, duplicate_of, certainty) on m.id = s.id
  where not exists (select 1 from pairs where pairs.n = s.n)
  order by s.n`;

/** Of a result that has no place nothing is stored. Its rows come in order of their key. */
const PLACED = fieldNames('finding_locations');
const ADD_LOCATIONS = `
  insert into finding_locations (client_id, finding_id, ${PLACED.join(', ')})
  select $1, s.id, ${PLACED.map((name) => `s.${name}`).join(', ')}
  from stage_findings s
  where num_nonnulls(${PLACED.map((name) => `s.${name}`).join(', ')}) > 0 and not exists (select 1 from pairs where pairs.n = s.n)
  order by s.n`;

/** Results that continue no finding, on their way: all but the rows of `findings` themselves. */
interface NewFindings {
  count: number;
  /** How many took a verdict over from another branch. */
  carriedOver: number;
}

/** Numbers the results that continue no finding, stores their long text, and gathers them in the table `new_findings`. */
export const prepareInserts = async (context: MergeContext, reported: number): Promise<NewFindings> => {
  const { client, clientId, scopeId, scanId } = context;
  const paired = await client.query<{ count: number }>('select count(*)::integer as count from pairs');
  if (paired.rows[0]?.count === reported) return { count: 0, carriedOver: 0 };
  await createFilled(client, 'ordinals', NUMBER_EQUALS, [clientId, scopeId, context.lastSeenAt !== null]);
  await client.query('analyze ordinals');
  const carriedOver = await carryOverVerdicts(context);
  // long text first: the rollups, which others may wait for, are then locked for a shorter time
  if (!context.hasStoredDetails) await run(context, ADD_DETAILS, [clientId]);
  await run(context, ADD_LOCATIONS, [clientId]);
  const count = await createFilled(client, 'new_findings', FIND_NEW_FINDINGS, [scanId]);
  await client.query('analyze new_findings');
  return { count, carriedOver };
};

/** Writes what `prepareInserts` found, marked at once as duplicates where they are: to mark them later would write them twice. */
export const addNew = async (
  context: MergeContext,
  { count, carriedOver }: NewFindings,
  marks: readonly CorrelationChange[],
): Promise<void> => {
  if (count === 0) return;
  const { clientId, repositoryId, scopeId, scanId, reportDate } = context;
  await run(context, ADD_FINDINGS, [
    ...[clientId, repositoryId, scopeId, scanId, reportDate],
    marks.map((mark) => mark.id),
    marks.map((mark) => mark.duplicateOf),
    marks.map((mark) => mark.certainty),
  ]);
  if (carriedOver > 0) await writeCarriedOver(context);
};
