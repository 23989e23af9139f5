import { type Static, Type } from 'typebox';
import { SEVERITIES } from './finding.ts';

/** What stands between the cells of a table. */
export const SEPARATORS = [',', ';', '\t', '|'] as const;
export type Separator = (typeof SEPARATORS)[number];

const strict = { additionalProperties: false } as const;
const OneOf = <const T extends string>(values: readonly T[]) => Type.Unsafe<T>({ type: 'string', enum: [...values] });
const FieldName = Type.String({ pattern: '^[a-z][a-z_]{0,39}$' });

/**
 * How the columns of a table that no importer knows are read: per field of the generic format the column that holds it, or one value for all
 * rows. A person made it; it travels with the report.
 */
export const TableMapping = Type.Object(
  {
    /** Name of the scanner, by which later reports of it are known. A proposal may leave it empty, an upload may not. */
    tool: Type.String({ maxLength: 100, description: 'Name of the scanner' }),
    separator: Type.Optional(OneOf(SEPARATORS)),
    fields: Type.Array(
      Type.Union([
        Type.Object({ field: FieldName, column: Type.String({ minLength: 1, maxLength: 200 }) }, strict),
        Type.Object({ field: FieldName, value: Type.String({ maxLength: 500 }) }, strict),
      ]),
      { minItems: 1, maxItems: 60 },
    ),
    /** Words of the severity column, upper and lower case alike. */
    severities: Type.Array(
      Type.Object({ word: Type.String({ minLength: 1, maxLength: 200 }), severity: OneOf(SEVERITIES) }, strict),
      { maxItems: 100 },
    ),
  },
  strict,
);
export type TableMapping = Static<typeof TableMapping>;

/** A field of the generic format, as a person who maps columns is asked for it. */
export interface TableField {
  name: string;
  label: string;
  /** What its values look like. */
  help: string;
  isRequired: boolean;
  /** All values that it can have, where they are few. */
  values?: readonly string[];
}
