import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { likePattern } from '../../../platform/server/like-pattern.ts';
import { FEW_IDS, type IdSet, idSetOf } from '../id-set.ts';

/** More than any client has: a bound for the functions, not for the result. */
const NO_LIMIT = 2_000_000_000;

/**
 * Definitions and files whose text holds the words, upper and lower case alike. Reads finding_definitions_search and
 * finding_files_search (trigrams) through functions that keep the client.
 */
export const searchDictionaries = async (
  db: Db,
  request: { text: string },
): Promise<{ definitions: IdSet; files: IdSet }> => {
  const pattern = sql`lower(${likePattern(request.text)})`;
  const found = await sql<{ definitions: number[]; files: number[] }>`
    select array(select search_definitions(${pattern}, ${FEW_IDS + 1}))::float8[] as definitions,
      array(select search_files(${pattern}, ${FEW_IDS + 1}))::float8[] as files`.execute(db);
  const row = found.rows[0];
  return {
    definitions: idSetOf(row?.definitions ?? [], sql`select search_definitions(${pattern}, ${NO_LIMIT})`),
    files: idSetOf(row?.files ?? [], sql`select search_files(${pattern}, ${NO_LIMIT})`),
  };
};
