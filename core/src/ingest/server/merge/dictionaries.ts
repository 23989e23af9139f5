import { pipeline } from 'node:stream/promises';
import type pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { fieldNames } from '../../model/reported-fields.ts';
import { copiedColumns } from '../stage/staging-tables.ts';
import { createTable } from '../stage/temporary-tables.ts';

/** Rows go in in order of their key, so that two imports wait for each other instead of locking each other out. */
const ADD_FILES = `
  insert into finding_files (client_id, path)
  select $1, s.path from stage_files s
  where not exists (select 1 from finding_files f where f.client_id = $1 and md5(f.path) = md5(s.path))
  order by md5(s.path)
  on conflict (client_id, md5(path)) do nothing`;

const DEFINED = fieldNames('finding_definitions');
const ADD_DEFINITIONS = `
  insert into finding_definitions (client_id, digest, ${DEFINED.join(', ')}, kev_notified)
  select $1, digest, ${DEFINED.join(', ')}, kev_added
  from stage_definitions s
  where not exists (select 1 from finding_definitions t where t.client_id = $1 and t.digest = s.digest)
  order by s.digest
  on conflict (client_id, digest) do nothing`;

const PUBLIC_DATA = fieldNames('finding_definitions', 'public_data');
const rowOf = (table: string): string => `(${PUBLIC_DATA.map((name) => `${table}.${name}`).join(', ')})`;
const IS_OUTDATED = `${rowOf('t')} is distinct from ${rowOf('s')}`;

/** Those that the next two statements change, in order of their ids, as the scoring after feeds locks them too. */
const LOCK_OUTDATED = `
  select from stage_definitions s
  left join stage_policies p on p.definition_n = s.n
  join finding_definitions t on t.client_id = $1 and t.digest = s.digest
  where ${IS_OUTDATED} or p.policy is not null and t.policy is distinct from p.policy
  order by t.id for no key update of t`;

/** What public data says today replaces what it said at an earlier import. */
const REFRESH_DEFINITIONS = `
  update finding_definitions t
  set ${PUBLIC_DATA.map((name) => `${name} = s.${name}`).join(', ')}
  from stage_definitions s
  where t.client_id = $1 and t.digest = s.digest and ${IS_OUTDATED}`;

/** A rule's policy, once for all its findings, so that lists can be filtered by it. The newest report's word counts. */
const KEEP_POLICIES = `
  update finding_definitions t set policy = s.policy
  from stage_policies s join stage_definitions u on u.n = s.definition_n
  where t.client_id = $1 and t.digest = u.digest and t.policy is distinct from s.policy`;

const SHARED = ['stage_files', 'stage_definitions', 'stage_policies'] as const;

const send = async (main: pg.ClientBase, side: pg.ClientBase, table: (typeof SHARED)[number]): Promise<void> => {
  await side.query(createTable(table));
  const columns = `${table} (${copiedColumns(table)})`;
  await pipeline(main.query(copyTo(`copy ${columns} to stdout`)), side.query(copyFrom(`copy ${columns} from stdin`)));
};

/**
 * Stores the paths, definitions and policies of the staged report, in a short transaction of its own on the side connection: the
 * repositories of a client share them, and a long import that wrote them itself would make every other import wait for its end.
 * Doing it again changes nothing. An import that fails afterwards leaves entries that no finding refers to: lists and counts start
 * from findings and never show them, and the next import of the same report uses them.
 */
const storeDictionaries = async (main: pg.ClientBase, side: pg.ClientBase, clientId: string): Promise<void> => {
  await side.query('begin');
  try {
    for (const table of SHARED) await send(main, side, table);
    await side.query('analyze stage_definitions');
    for (const statement of [ADD_FILES, ADD_DEFINITIONS, LOCK_OUTDATED, REFRESH_DEFINITIONS, KEEP_POLICIES])
      await side.query(statement, [clientId]);
    await side.query('commit');
  } catch (error) {
    await side.query('rollback').catch(() => undefined);
    throw error;
  }
};

const FIND_FILES = `
  update stage_files s set id = f.id from finding_files f where f.client_id = $1 and md5(f.path) = md5(s.path)`;

const FIND_DEFINITIONS = `
  update stage_definitions s set id = t.id from finding_definitions t where t.client_id = $1 and t.digest = s.digest`;

/** Stores what is new or changed of paths and definitions, and finds the ids of all in the open transaction of `main`. */
export const mergeDictionaries = async (
  { main, side }: { main: pg.ClientBase; side: pg.ClientBase },
  clientId: string,
): Promise<void> => {
  await storeDictionaries(main, side, clientId);
  for (const statement of [FIND_FILES, FIND_DEFINITIONS]) await main.query(statement, [clientId]);
};
