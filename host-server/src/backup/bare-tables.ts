import type pg from 'pg';

/**
 * What makes rows slow or impossible to load in any order: foreign keys, indexes, triggers, and row-level security that binds the owner
 * (COPY is refused under it). Taken from the tables and put back in the same transaction; to put a foreign key back checks every row.
 */

const FOREIGN_KEYS = `
  select format('alter table %s drop constraint %I', conrelid::regclass, conname) as away,
    format('alter table %s add constraint %I %s', conrelid::regclass, conname, pg_get_constraintdef(oid)) as back
  from pg_constraint where contype = 'f' and connamespace = 'public'::regnamespace order by oid`;

/** Those that no constraint keeps. */
const INDEXES = `
  select format('drop index %s', i.indexrelid::regclass) as away, pg_get_indexdef(i.indexrelid) as back
  from pg_index i join pg_class c on c.oid = i.indexrelid
  where c.relnamespace = 'public'::regnamespace and not i.indisprimary
    and not exists (select from pg_constraint k where k.conindid = i.indexrelid)
  order by i.indexrelid`;

const TRIGGERS = `
  select distinct format('alter table %s disable trigger user', tgrelid::regclass) as away,
    format('alter table %s enable trigger user', tgrelid::regclass) as back
  from pg_trigger t join pg_class c on c.oid = t.tgrelid
  where c.relnamespace = 'public'::regnamespace and not tgisinternal`;

const ROW_SECURITY = `
  select format('alter table %s no force row level security', oid::regclass) as away,
    format('alter table %s force row level security', oid::regclass) as back
  from pg_class where relnamespace = 'public'::regnamespace and relkind = 'r' and relforcerowsecurity`;

/** Makes the tables bare. @returns what puts all of it back, in the same transaction. */
export const stripTables = async (client: pg.ClientBase): Promise<() => Promise<void>> => {
  const back: string[] = [];
  for (const query of [ROW_SECURITY, FOREIGN_KEYS, TRIGGERS, INDEXES]) {
    const { rows } = await client.query<{ away: string; back: string }>(query);
    for (const step of rows) {
      await client.query(step.away);
      back.unshift(step.back);
    }
  }
  // the other way round: indexes before the foreign keys that use them, row-level security last, which would hide rows from the checks
  return async () => {
    for (const text of back) await client.query(text);
  };
};
