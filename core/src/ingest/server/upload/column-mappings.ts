import { TableMapping } from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Static } from 'typebox';
import { Check } from 'typebox/schema';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type Endpoint, tenantEndpoint } from '../../../platform/server/endpoint.ts';
import {
  type ColumnMapping,
  deleteColumnMapping,
  listColumnMappings,
  saveColumnMapping,
} from '../../api/table-routes.ts';
import '../scans/tables.ts';

type Item = Static<typeof ColumnMapping>;

/** Of one organisation. */
const MAX_MAPPINGS = 200;

interface Row {
  id: string;
  name: string;
  columns: string[];
  mapping: TableMapping;
  changed_by: string | null;
  changed_at: Date;
}

const itemOf = ({ id, changed_at, ...attributes }: Row): Item => ({
  _id: id,
  attributes: { ...attributes, changed_at: changed_at.toISOString() },
});

/** The mappings of an organisation, by name; with columns those for exactly these, newest first. Reads column_mappings by its keys. */
export const listMappings = async (
  db: Db,
  { clientId, columns }: { clientId: string; columns?: readonly string[] },
): Promise<Item[]> => {
  const wanted = columns === undefined ? null : [...columns];
  const { rows } = await sql<Row>`
    select m.id, m.name, m.columns, m.mapping, u.username as changed_by, m.changed_at
    from column_mappings m left join users u on u.id = m.changed_by
    where m.client_id = ${clientId} and (${wanted}::text[] is null or m.columns = ${wanted}::text[])
    order by case when ${wanted}::text[] is null then null else m.changed_at end desc, lower(m.name), m.id
    limit ${MAX_MAPPINGS}
  `.execute(db);
  return rows.map(itemOf);
};

/** The mapping of that name, whatever its upper and lower case. Reads column_mappings_name. */
const findMapping = async (db: Db, clientId: string, name: string): Promise<TableMapping | undefined> => {
  const found = await db
    .selectFrom('column_mappings')
    .select('mapping')
    .where('client_id', '=', clientId)
    .where(sql`lower(name)`, '=', name.trim().toLowerCase())
    .executeTakeFirst();
  return found?.mapping;
};

const refuse = (msg: string): AppError =>
  new AppError('validation_failed', undefined, { issues: [{ loc: ['body', 'mapping'], msg, type: 'mapping' }] });

/**
 * The mapping that an upload names: an object, its JSON, or the name of one that the organisation keeps.
 * @throws validation_failed
 */
export const readMapping = async (db: Db, clientId: string, sent: unknown): Promise<TableMapping> => {
  const value = typeof sent === 'string' ? await mappingOfText(db, clientId, sent) : sent;
  if (!Check(TableMapping, value))
    throw refuse(
      msg('mapping must say tool, fields (field with column or value) and severities, as /upload_preview proposes it.'),
    );
  if (value.tool.trim() === '')
    throw refuse(msg('mapping.tool is empty: name the scanner, so that its next report is known.'));
  return value;
};

const mappingOfText = async (db: Db, clientId: string, text: string): Promise<unknown> => {
  if (!text.trimStart().startsWith('{')) {
    const known = await findMapping(db, clientId, text);
    if (known === undefined)
      throw refuse(sayEnglish('There is no saved mapping named “{text}”.', { text: text.slice(0, 100) }));
    return known;
  }
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(msg('mapping is not valid JSON.'));
  }
};

/** Mappings of columns that an organisation keeps. Who changed one last, and when, stays with it. */
export const columnMappingEndpoints = (): Endpoint[] => [
  tenantEndpoint(listColumnMappings)(async ({ db, caller }) => ({ data: await listMappings(db, caller) })),
  tenantEndpoint(saveColumnMapping)(async ({ db, caller, body, log }) => {
    const { clientId, userId } = caller;
    const mapping = await readMapping(db, clientId, body.mapping);
    const name = body.name.replaceAll('\0', '').trim();
    const columns = [...body.columns];
    const { rows } = await sql<{ id: string }>`
      insert into column_mappings (client_id, name, columns, mapping, changed_by)
      select ${clientId}, ${name}, ${columns}::text[], ${JSON.stringify(mapping)}::jsonb, ${userId}
      where (select count(*) from column_mappings where client_id = ${clientId}) < ${MAX_MAPPINGS}
        or exists (select from column_mappings where client_id = ${clientId} and lower(name) = lower(${name}))
      on conflict (client_id, lower(name)) do update
        set name = excluded.name, columns = excluded.columns, mapping = excluded.mapping, changed_by = excluded.changed_by, changed_at = now()
      returning id
    `.execute(db);
    const saved = rows[0];
    if (saved === undefined)
      throw new AppError(
        'conflict',
        say('The organisation keeps {most} mappings. Remove one first.', { most: MAX_MAPPINGS }),
      );
    log.info({ columnMapping: saved.id, user: userId }, 'a mapping of columns was saved');
    return { success: true, data: { _id: saved.id } };
  }),
  tenantEndpoint(deleteColumnMapping)(async ({ db, caller, params, log }) => {
    const { numDeletedRows } = await db
      .deleteFrom('column_mappings')
      .where('client_id', '=', caller.clientId)
      .where('id', '=', params.id)
      .executeTakeFirst();
    if (numDeletedRows === 0n) throw new AppError('column_mapping_not_found');
    log.info({ columnMapping: params.id, user: caller.userId }, 'a mapping of columns was removed');
    return { success: true };
  }),
];
