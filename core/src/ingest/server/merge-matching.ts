import { type ExistingFinding, type Match, type ReportedFinding, startMatching } from '../model/match-leftovers.ts';
import { type MergeContext, run } from './merge-context.ts';
import { findRenamed } from './merge-renamed.ts';

/** Equal in every stored respect, line included: these rows are not touched at all. Index: findings_identity. */
const PAIR_EQUAL = `
  insert into pairs
  select s.n, f.id
  from (select n, identity, content, row_number() over (partition by identity, content order by n) as k from stage_findings) s
  join (
    select id, identity, content, row_number() over (partition by identity, content order by ordinal) as k
    from findings o
    where client_id = $1 and scope_id = $2 and status <> 'mitigated' and not exists (select 1 from pairs where pairs.id = o.id)
      and exists (select 1 from stage_findings)
  ) f using (identity, content, k)`;

/** A place says something only about code: another package or secret on the same line is another finding. */
const PLACE = (row: string, subject: string, file: string): string =>
  `case when ${subject}.component is null and ${row}.type <> 'Secrets' and ${row}.start_line is not null and ${file} is not null
    then ${subject}.rule_id || chr(10) || ${file} end`;

const LEFT_IN_REPORT = `
  select s.n, s.identity, u.digest as subject, p.id as file, coalesce(s.start_line, 0) as line, ${PLACE('s', 'u', 'p.id')} as place
  from stage_findings s
  join stage_subjects u on u.n = s.subject_n
  left join stage_files p on p.n = s.file_n
  where not exists (select 1 from pairs where pairs.n = s.n)`;

/** Closed findings take part only where the report has their identity. Index: findings_identity. */
const LEFT_IN_DATABASE = `
  select f.id, f.identity, u.digest as subject, f.file_id as file, coalesce(f.start_line, 0) as line, f.status <> 'mitigated' as "isOpen",
    ${PLACE('f', 'u', 'f.file_id')} as place
  from findings f
  join finding_subjects u on u.client_id = f.client_id and u.id = f.subject_id
  where f.client_id = $1 and f.scope_id = $2
    and (f.status <> 'mitigated' or f.identity in (select identity from stage_findings))
    and not exists (select 1 from pairs where pairs.id = f.id)`;

const PAIR_MATCHED = 'insert into pairs select * from unnest($1::integer[], $2::uuid[])';

/**
 * Fills the table `pairs`: which result of the report continues which finding of the scope. Each stands in one pair at most.
 * No file is taken for renamed where the report is not `isWhole`: what is missing may be among what could not be read.
 */
export const matchFindings = async (context: MergeContext, isWhole: boolean): Promise<void> => {
  const { client, clientId, scopeId } = context;
  if (context.lastSeenAt === null) return;
  await client.query('create index on stage_findings (n); create index on stage_details (n)');
  await run(context, PAIR_EQUAL, [clientId, scopeId]);
  await client.query('analyze pairs');
  const reported = await client.query<ReportedFinding>(LEFT_IN_REPORT);
  if (reported.rows.length === 0) return;
  const existing = await client.query<ExistingFinding>(LEFT_IN_DATABASE, [clientId, scopeId]);
  const add = async (matches: readonly Match[]): Promise<void> => {
    if (matches.length === 0) return;
    await run(context, PAIR_MATCHED, [matches.map((match) => match.n), matches.map((match) => match.id)]);
  };
  const left = startMatching(existing.rows, reported.rows);
  await add(left.byIdentity);
  const renamed = isWhole ? await findRenamed(context, left) : [];
  await add([...renamed, ...left.byPlace(renamed)]);
  await client.query('analyze pairs');
};
