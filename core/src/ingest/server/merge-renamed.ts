import type { Leftovers, Match } from '../model/match-leftovers.ts';
import { matchRenamed } from '../model/match-renamed.ts';
import type { MergeContext } from './merge-context.ts';

/** A secret whose digest nobody told, or a few characters of code, stand for nothing. */
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
  const [gone, fresh] = [filesOf(left.open, kept), filesOf(left.waiting, kept)];
  if (gone.size === 0 || fresh.size === 0) return [];
  const open = left.open.filter(({ file }) => file !== null && gone.has(file));
  const waiting = left.waiting.filter(({ file }) => file !== null && fresh.has(file));
  const paths = await client.query<{ id: number; path: string }>(PATHS, [clientId, [...new Set([...gone, ...fresh])]]);
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
