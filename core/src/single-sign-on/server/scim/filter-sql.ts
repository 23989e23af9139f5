import { type RawBuilder, sql } from 'kysely';
import type { Filter } from 'scim2-parse-filter';
import { parseFilter } from '../../model/scim/patch.ts';
import { scimRefusal } from '../../model/scim/refusals.ts';

/** An attribute that a filter may name, by its name in lower case. */
export type FilterColumns = Readonly<Record<string, { kind: 'text' | 'flag' | 'time'; of: RawBuilder<unknown> }>>;

type Compare = Extract<Filter, { compValue: unknown }>;

const refuse = (detail: string) => scimRefusal('invalidFilter', detail);

const textCondition = ({ op, attrPath, compValue }: Compare, of: RawBuilder<unknown>): RawBuilder<boolean> => {
  if (typeof compValue !== 'string') throw refuse(`"${attrPath}" is compared with a text.`);
  if (compValue.includes('\0')) throw refuse('The filter holds a character that is never stored.');
  const [left, right] = [sql`lower(${of})`, sql`lower(${compValue}::text)`];
  if (op === 'eq') return sql`${left} = ${right}`;
  if (op === 'ne') return sql`${left} is distinct from ${right}`;
  if (op === 'co') return sql`strpos(${left}, ${right}) > 0`;
  if (op === 'sw') return sql`starts_with(${left}, ${right})`;
  if (op === 'ew') return sql`right(${left}, length(${right})) = ${right}`;
  throw refuse(`"${attrPath}" has no order.`);
};

const flagCondition = ({ op, attrPath, compValue }: Compare, of: RawBuilder<unknown>): RawBuilder<boolean> => {
  if (typeof compValue !== 'boolean' || (op !== 'eq' && op !== 'ne')) {
    throw refuse(`"${attrPath}" is compared with true or false, by "eq" or "ne".`);
  }
  return op === 'eq' ? sql`${of} = ${compValue}` : sql`${of} <> ${compValue}`;
};

const timeCondition = ({ op, attrPath, compValue }: Compare, of: RawBuilder<unknown>): RawBuilder<boolean> => {
  const time = new Date(typeof compValue === 'string' ? compValue : Number.NaN);
  if (Number.isNaN(time.getTime())) throw refuse(`"${attrPath}" is compared with a moment in ISO 8601.`);
  if (op === 'eq') return sql`${of} = ${time}`;
  if (op === 'gt') return sql`${of} > ${time}`;
  if (op === 'ge') return sql`${of} >= ${time}`;
  if (op === 'lt') return sql`${of} < ${time}`;
  if (op === 'le') return sql`${of} <= ${time}`;
  throw refuse(`"${attrPath}" is compared by "eq", "gt", "ge", "lt" or "le".`);
};

const BY_KIND = { text: textCondition, flag: flagCondition, time: timeCondition };

const plainName = (path: string): string =>
  path.toLowerCase().replace(/^urn:ietf:params:scim:schemas:core:2\.0:\w+:/, '');

const conditionOf = (filter: Filter, columns: FilterColumns, around: string): RawBuilder<boolean> => {
  if ('filters' in filter) {
    const parts = filter.filters.map((one) => conditionOf(one, columns, around));
    return sql`(${sql.join(parts, filter.op === 'and' ? sql` and ` : sql` or `)})`;
  }
  if (filter.op === 'not') return sql`not coalesce(${conditionOf(filter.filter, columns, around)}, false)`;
  if (filter.op === '[]') return conditionOf(filter.valFilter, columns, `${plainName(filter.attrPath)}.`);
  const name = `${around}${plainName(filter.attrPath)}`;
  const column = Object.hasOwn(columns, name) ? columns[name] : undefined;
  if (column === undefined) throw refuse(`"${filter.attrPath}" cannot be filtered by.`);
  if (filter.op === 'pr') return sql`${column.of} is not null`;
  return BY_KIND[column.kind](filter, column.of);
};

/** A filter as a condition; true for none. Names are looked up, values are parameters. @throws bad_request */
export const filterSql = (text: string | undefined, columns: FilterColumns): RawBuilder<boolean> =>
  text === undefined || text.trim() === '' ? sql`true` : conditionOf(parseFilter(text), columns, '');
