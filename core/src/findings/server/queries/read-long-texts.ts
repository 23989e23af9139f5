import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { LONG_FIELDS, type LongField } from '../../model/column-catalogue.ts';

/** Long texts of a finding, as on the wire. Those that were not asked for are absent. */
export type LongTexts = { [key in LongField]?: string | null };

const COLUMNS: Readonly<Record<LongField, string>> = {
  description: 'd.description',
  mitigation: 'd.mitigation',
  notes: 'd.notes',
  cvssv3_vector: 'd.cvss_vector',
  scanner_report_code: 'd.code',
};

/** Long texts of at most 10,000 findings by id; code is base64 on the wire. Reads finding_details by primary key. */
export const readLongTexts = async (
  db: Db,
  request: { clientId: string; ids: readonly string[]; fields: readonly LongField[] },
): Promise<Map<string, LongTexts>> => {
  const { clientId, ids } = request;
  const fields = LONG_FIELDS.filter((field) => request.fields.includes(field));
  if (fields.length === 0 || ids.length === 0) return new Map();
  const columns = sql.join(fields.map((field) => sql`${sql.ref(COLUMNS[field])} as ${sql.ref(field)}`));
  const found = await sql<LongTexts & { id: string }>`
    select d.finding_id as id, ${columns} from finding_details d
    where d.client_id = ${clientId} and d.finding_id = any(${[...ids]}::uuid[]) limit 10000`.execute(db);
  return new Map(
    found.rows.map(({ id, ...texts }) => {
      const { scanner_report_code: code } = texts;
      const encoded = typeof code === 'string' ? { scanner_report_code: Buffer.from(code).toString('base64') } : {};
      return [id, { ...texts, ...encoded }];
    }),
  );
};

/** What a finding without stored texts has. */
export const noTexts = (fields: readonly LongField[]): LongTexts =>
  Object.fromEntries(fields.map((field) => [field, null]));
