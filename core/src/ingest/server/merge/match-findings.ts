import { matchEdited, type Shown } from '../../model/match-edited.ts';
import {
  type Leftovers,
  leftByRuleAndFile,
  type Match,
  type PairedLine,
  startMatching,
} from '../../model/match-leftovers.ts';
import { matchRenamed } from '../../model/match-renamed.ts';
import { type MergeContext, run } from '../stage/merge-context.ts';
import { createTable } from '../stage/temporary-tables.ts';
import { isCovered } from './closing.ts';
import { pairByPosition } from './unconfirmed-verdicts.ts';

/** A secret without a digest, or a few characters of code, identify nothing. */
const SUBSTANCE = (row: string): string => `case
  when d.secret_hash is not null then md5(concat_ws(chr(10), 'secret', u.rule_id, d.secret_hash))
  when u.component is not null then md5(concat_ws(chr(10), 'component', u.rule_id, u.component, u.ecosystem))
  when ${row}.type <> 'Secrets' and length(btrim(d.code)) >= 4
    then md5(concat_ws(chr(10), 'code', u.rule_id, btrim(regexp_replace(left(d.code, 4000), '\\s+', ' ', 'g')), d.resource))
  end`;

const OF_DATABASE = `
  select f.id, ${SUBSTANCE('f')} as substance
  from unnest($2::uuid[]) w (id)
  join findings f on f.client_id = $1 and f.id = w.id
  join finding_definitions u on u.client_id = $1 and u.id = f.definition_id
  join finding_details d on d.client_id = $1 and d.finding_id = f.id`;

const OF_REPORT = `
  select s.n, ${SUBSTANCE('s')} as substance
  from unnest($1::integer[]) w (n)
  join stage_findings s on s.n = w.n
  join stage_definitions u on u.n = s.definition_n
  join stage_details d on d.n = s.n`;

/** Of these files those with a result that continues a finding there. Index: findings_by_file. */
const KEPT_FILES = `
  select distinct f.file_id as id from findings f join pairs on pairs.id = f.id where f.client_id = $1 and f.file_id = any($2::bigint[])`;

const PATHS = 'select id, path from finding_files where client_id = $1 and id = any($2::bigint[])';

const NONE: ReadonlySet<number> = new Set();
const filesOf = (items: readonly { file: number | null }[], kept = NONE): Set<number> =>
  new Set(items.flatMap(({ file }) => (file === null || kept.has(file) ? [] : [file])));

/**
 * Which of the leftovers continue a finding whose file was renamed. The pairs by identity must be in the table `pairs`. Reads the text of
 * leftovers in files that have no pair, by primary key.
 */
export const findRenamed = async (
  context: MergeContext,
  left: Pick<Leftovers, 'open' | 'waiting'>,
): Promise<Match[]> => {
  const { client, clientId } = context;
  if (left.open.length === 0 || left.waiting.length === 0) return [];
  const all = [...filesOf([...left.open, ...left.waiting])];
  const kept = new Set((await client.query<{ id: number }>(KEPT_FILES, [clientId, all])).rows.map((row) => row.id));
  const [gone, added] = [filesOf(left.open, kept), filesOf(left.waiting, kept)];
  if (gone.size === 0 || added.size === 0) return [];
  const open = left.open.filter(({ file }) => file !== null && gone.has(file));
  const waiting = left.waiting.filter(({ file }) => file !== null && added.has(file));
  const paths = await client.query<{ id: number; path: string }>(PATHS, [clientId, [...new Set([...gone, ...added])]]);
  const stored = await client.query<{ id: string; substance: string | null }>(OF_DATABASE, [
    clientId,
    open.map((finding) => finding.id),
  ]);
  const staged = await client.query<{ n: number; substance: string | null }>(OF_REPORT, [waiting.map((of) => of.n)]);
  return matchRenamed({
    open,
    waiting,
    keptFiles: kept,
    paths: new Map(paths.rows.map((row) => [row.id, row.path])),
    substances: {
      existing: new Map(
        stored.rows.flatMap(({ id, substance }) => (substance === null ? [] : [[id, substance] as const])),
      ),
      reported: new Map(
        staged.rows.flatMap(({ n, substance }) => (substance === null ? [] : [[n, substance] as const])),
      ),
    },
  });
};

/** Equal in every stored respect, line included: these rows are not touched at all. Indexes: findings_identity, primary key. */
const PAIR_EQUAL = `
  insert into pairs (n, id)
  select s.n, f.id
  from (
    select n, identity, content, concat_ws(' ', start_line, end_line, places) as place,
      row_number() over (partition by identity, content, start_line, end_line, places order by n) as k
    from stage_findings
  ) s
  join (
    select o.id, o.identity, o.content, concat_ws(' ', l.start_line, l.end_line, l.places) as place,
      row_number() over (partition by o.identity, o.content, l.start_line, l.end_line, l.places order by o.ordinal) as k
    from findings o
    left join finding_locations l on l.client_id = $1 and l.finding_id = o.id
    where o.client_id = $1 and o.scope_id = $2 and o.status <> 'mitigated' and not exists (select 1 from pairs where pairs.id = o.id)
      and o.identity in (select identity from stage_findings)
  ) f using (identity, content, place, k)`;

/** What both sides of a match say of themselves: the definition is looked up by `definitionId`. */
interface Unmatched {
  identity: string;
  definitionId: number;
  file: number | null;
  line: number;
  /** Code may be paired by rule and file. */
  isInCode: boolean;
  column: number | null;
}

/** A line says something only about code: another package or secret on the same line is another finding. */
const IS_IN_CODE = (row: string, line: string, file: string): string =>
  `${row}.type <> 'Secrets' and ${line} is not null and ${file} is not null`;

const LEFT_IN_REPORT = `
  select s.n, s.identity, s.is_vague as "isVague", s.start_column as column, u.id as "definitionId", p.id as file, coalesce(s.start_line, 0) as line, ${IS_IN_CODE('s', 's.start_line', 'p.id')} as "isInCode"
  from stage_findings s
  join stage_definitions u on u.n = s.definition_n
  left join stage_files p on p.n = s.file_n
  where not exists (select 1 from pairs where pairs.n = s.n)
  order by s.n`;

/** Closed findings, and those outside the folder that was scanned, take part only where the report has their identity. Index: findings_identity. */
const LEFT_IN_DATABASE = `
  select f.id, f.identity, f.start_column as column, f.definition_id as "definitionId", f.file_id as file, coalesce(l.start_line, 0) as line,
    f.status <> 'mitigated' as "isOpen", ${IS_IN_CODE('f', 'l.start_line', 'f.file_id')} as "isInCode"
  from findings f
  left join finding_locations l on l.client_id = $1 and l.finding_id = f.id
  where f.client_id = $1 and f.scope_id = $2
    and (f.identity in (select identity from stage_findings) or f.status <> 'mitigated' and ${isCovered('$3')})
    and not exists (select 1 from pairs where pairs.id = f.id)
  order by f.identity, f.ordinal`;

/** How what is paired already moved in these files: it was equal but for its lines, or equal. Indexes: primary keys. */
const PAIRED_LINES = `
  select f.file_id as file, l.start_line as line, coalesce(m.start_line, l.start_line) - l.start_line as offset
  from pairs p
  join findings f on f.client_id = $1 and f.id = p.id
  join finding_locations l on l.client_id = $1 and l.finding_id = p.id
  left join stage_moved m on m.id = p.id
  where f.file_id = any($2::bigint[]) and l.start_line is not null`;

/** What distinguishes results of one rule and line. Index: primary key. */
const MESSAGES = `
  select d.finding_id as id, md5(d.description) as message from unnest($2::uuid[]) w (id)
  join finding_details d on d.client_id = $1 and d.finding_id = w.id`;
const STAGED_MESSAGES = `
  select d.n as id, md5(d.description) as message from unnest($1::integer[]) w (n) join stage_details d on d.n = w.n`;

/** What is compared of edited code. Index: primary key. */
const SHOWN = `
  select d.finding_id as id, left(coalesce(d.code, ''), 1000) as code, coalesce(d.resource, '') as resource from unnest($2::uuid[]) w (id)
  join finding_details d on d.client_id = $1 and d.finding_id = w.id`;
const STAGED_SHOWN = `
  select d.n as id, left(coalesce(d.code, ''), 1000) as code, coalesce(d.resource, '') as resource from unnest($1::integer[]) w (n)
  join stage_details d on d.n = w.n`;

/**
 * Read apart: of a scope that was imported a moment ago the planner has no statistics and takes it for one row, so that in a join it
 * read all definitions for each finding. Index: primary key.
 */
const DEFINITIONS = `
  select id, digest, rule_id as rule, component is not null as "isComponent" from finding_definitions
  where client_id = $1 and id = any($2::bigint[])`;

interface Definition {
  id: number;
  digest: string;
  rule: string;
  isComponent: boolean;
}

/** Both sides with what their definitions say. */
const readDefinitions = async (
  { client, clientId }: MergeContext,
  sides: readonly (readonly Unmatched[])[],
): Promise<<T extends Unmatched>(item: T) => T & { definition: string; ruleAndFile: string | null }> => {
  const ids = [...new Set(sides.flatMap((side) => side.map((item) => item.definitionId)))];
  const { rows } = await client.query<Definition>(DEFINITIONS, [clientId, ids]);
  const definitions = new Map(rows.map((row) => [row.id, row]));
  return (item) => {
    const definition = definitions.get(item.definitionId);
    if (definition === undefined) throw new Error('The definition of a finding is not visible');
    const ruleAndFile = item.isInCode && !definition.isComponent ? `${definition.rule}\n${item.file}` : null;
    return { ...item, definition: definition.digest, ruleAndFile };
  };
};

/** The items that share identity and line with another of their side. */
const crowdOf = <T extends Unmatched>(items: readonly T[]): T[] => {
  const groups = new Map<string, T[]>();
  for (const item of items) {
    const key = `${item.identity} ${item.line}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [item]);
    else group.push(item);
  }
  return [...groups.values()].flatMap((group) => (group.length > 1 ? group : []));
};

/** Column and message of all items that share their identity with a crowd on either side. */
const readDetails = async (
  { client, clientId }: MergeContext,
  reported: readonly (Unmatched & { n: number })[],
  existing: readonly (Unmatched & { id: string })[],
) => {
  const crowded = new Set([...crowdOf(reported), ...crowdOf(existing)].map((item) => item.identity));
  if (crowded.size === 0) return <T>(item: T): T => item;
  const ids = existing.flatMap(({ identity, id }) => (crowded.has(identity) ? [id] : []));
  const numbers = reported.flatMap(({ identity, n }) => (crowded.has(identity) ? [n] : []));
  const rows = [
    ...(await client.query<{ id: string; message: string | null }>(MESSAGES, [clientId, ids])).rows,
    ...(await client.query<{ id: number; message: string | null }>(STAGED_MESSAGES, [numbers])).rows,
  ];
  const messages = new Map<string | number, string | null>(rows.map(({ id, message }) => [id, message]));
  return <T extends Unmatched & ({ n: number } | { id: string })>(item: T): T =>
    crowded.has(item.identity)
      ? { ...item, detail: `${item.column} ${messages.get('n' in item ? item.n : item.id)}` }
      : item;
};

/** Which of what is left is code that was edited. Reads the text of results of one rule and file on both sides. */
const findEdited = async (
  { client, clientId }: MergeContext,
  { open, waiting }: Pick<Leftovers, 'open' | 'waiting'>,
): Promise<Match[]> => {
  if (open.length === 0 || waiting.length === 0) return [];
  const stored = await client.query<Shown & { id: string }>(SHOWN, [clientId, open.map((of) => of.id)]);
  const staged = await client.query<Shown & { id: number }>(STAGED_SHOWN, [waiting.map((of) => of.n)]);
  return matchEdited(open, waiting, {
    existing: new Map(stored.rows.map((row) => [row.id, row])),
    reported: new Map(staged.rows.map((row) => [row.id, row])),
  });
};

const PAIR_MATCHED = 'insert into pairs (n, id) select * from unnest($1::integer[], $2::uuid[])';

const pairMatched = async (context: MergeContext, matches: readonly Match[]): Promise<void> => {
  if (matches.length === 0) return;
  await run(context, PAIR_MATCHED, [matches.map((match) => match.n), matches.map((match) => match.id)]);
  await pairByPosition(context, matches);
};

/**
 * Fills the table `pairs`: which result of the report continues which finding of the scope. Each stands in one pair at most.
 * No file is taken for renamed where the report is not `isWhole`: what is missing may be among what could not be read. Findings outside the
 * folder `root` that was scanned are continued only by the same identity.
 */
export const matchFindings = async (
  context: MergeContext,
  { isWhole, root }: { isWhole: boolean; root: string },
): Promise<void> => {
  const { client, clientId, scopeId } = context;
  if (context.lastSeenAt === null) return;
  await client.query('create index on stage_findings (n); create index on stage_details (n)');
  await client.query(createTable('position_pairs'));
  await run(context, PAIR_EQUAL, [clientId, scopeId]);
  await client.query('analyze pairs');
  const reported = (await client.query<Unmatched & { n: number }>(LEFT_IN_REPORT)).rows;
  if (reported.length === 0) return;
  const existing = (
    await client.query<Unmatched & { id: string; isOpen: boolean }>(LEFT_IN_DATABASE, [clientId, scopeId, root])
  ).rows;
  const withDefinition = await readDefinitions(context, [reported, existing]);
  const withDetail = await readDetails(context, reported, existing);
  const files = [...filesOf(existing)];
  const paired = (await client.query<PairedLine>(PAIRED_LINES, [clientId, files])).rows;
  const left = startMatching(
    existing.map((item) => withDefinition(withDetail(item))),
    reported.map((item) => withDefinition(withDetail(item))),
    paired,
  );
  await pairMatched(context, left.byIdentity);
  const renamed = isWhole ? await findRenamed(context, left) : [];
  await pairMatched(context, [...renamed, ...(await findEdited(context, leftByRuleAndFile(left, renamed)))]);
  await client.query('analyze pairs');
};
