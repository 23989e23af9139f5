import { FINDING_ATTRIBUTES, type FindingAttribute, type FindingColumn, type ValueKind } from './finding-attributes.ts';

type Declared = typeof FINDING_ATTRIBUTES;
type KeysWith<Part> = { [Key in keyof Declared]: Declared[Key] extends Part ? Key : never }[keyof Declared];

/** Columns that can be shown and exported. */
export type ColumnKey = KeysWith<{ column: object }>;
/** Attributes of a finding on the wire. */
export type AttributeKey = KeysWith<{ value: unknown }>;
/** Texts of any length, and what takes work to find: rows hold them only when they are asked for. */
export type OnDemandKey = KeysWith<{ isOnDemand: true }>;
/** What a row of the list always has. */
export type RowKey = Exclude<AttributeKey, OnDemandKey>;
/** Attributes that a table holds as they are. */
export type StoredKey = KeysWith<{ stored: string }>;

type WireType<Value> = Value extends readonly (infer Word)[]
  ? Word
  : Value extends 'integer' | 'number'
    ? number
    : Value extends 'boolean'
      ? boolean
      : Value extends 'integers'
        ? number[]
        : Value extends 'texts' | 'ids'
          ? string[]
          : string;

/** Every attribute with its type on the wire. */
export type AttributeValues = {
  [Key in AttributeKey]: WireType<Declared[Key]['value']> | (Declared[Key] extends { isNullable: true } ? null : never);
};

type Key = keyof Declared;
const isKey = (key: string): key is Key => key in FINDING_ATTRIBUTES;
const KEYS = Object.keys(FINDING_ATTRIBUTES).filter(isKey);

const isColumn = (key: Key): key is ColumnKey => 'column' in FINDING_ATTRIBUTES[key];
const isOnDemand = (key: Key): key is OnDemandKey => 'isOnDemand' in FINDING_ATTRIBUTES[key];
const isAttribute = (key: Key): key is AttributeKey => 'value' in FINDING_ATTRIBUTES[key];
const isOfRow = (key: Key): key is RowKey => isAttribute(key) && !isOnDemand(key);
export const isStored = (key: AttributeKey): key is StoredKey & AttributeKey => 'stored' in FINDING_ATTRIBUTES[key];

/** Names of attributes and of columns. */
export const FIELD_KEYS: readonly string[] = KEYS;

/** Every column there is, in the order in which the menu offers them. */
export const COLUMN_KEYS: readonly ColumnKey[] = KEYS.filter(isColumn);
export const ROW_KEYS: readonly RowKey[] = KEYS.filter(isOfRow);
export const ON_DEMAND_KEYS: readonly OnDemandKey[] = KEYS.filter(isOnDemand);

/** Columns of somebody who chose none. */
export const DEFAULT_COLUMNS: readonly ColumnKey[] = [
  'priority',
  'severity',
  'title',
  'signals',
  'tool',
  'type',
  'status',
  'first_seen',
];

/** Without these a row of the list says nothing: they are shown in any case. */
export const FIXED_COLUMNS: readonly ColumnKey[] = ['priority', 'title'];

/** Width of a resized column in px. */
export const COLUMN_WIDTH = { min: 48, max: 900 } as const;
const USUAL_WIDTH = 120;

/** What a column is called, how it is shown, and the field of `sort_field` that orders by it. */
export interface ColumnInfo {
  label: string;
  /** Wire name of the order; the list may not know it. */
  sort: string;
  firstSort: 'asc' | 'desc';
  /** In px. */
  width: number;
  /** Set to the right, and sorted from the highest on. */
  isNumber: boolean;
  /** Text of several lines. */
  isProse: boolean;
}

const NUMBERS: readonly (ValueKind | undefined)[] = ['integer', 'number', 'time', 'day'];
const PROSE: readonly (ValueKind | undefined)[] = ['prose', 'code'];

/** How the value of an attribute is written; undefined for columns that show others. */
export const valueKind = (key: Key): ValueKind | undefined => {
  const entry: Partial<FindingAttribute> = FINDING_ATTRIBUTES[key];
  return entry.value;
};

export const columnInfo = (key: ColumnKey): ColumnInfo => {
  const { label, sort = key, width = USUAL_WIDTH, firstSort }: FindingColumn = FINDING_ATTRIBUTES[key].column;
  const kind = valueKind(key);
  const isNumber = NUMBERS.includes(kind);
  return {
    label,
    sort,
    width,
    isNumber,
    firstSort: firstSort ?? (kind === 'text' ? 'asc' : 'desc'),
    isProse: PROSE.includes(kind),
  };
};

const namesOf = (key: ColumnKey): AttributeKey[] => {
  const { reads = [key] }: FindingColumn = FINDING_ATTRIBUTES[key].column;
  return reads.filter(isKey).filter(isAttribute);
};

/** All attributes that the columns show, each once. */
export const attributesOf = (columns: readonly ColumnKey[]): AttributeKey[] => [...new Set(columns.flatMap(namesOf))];

/** What the list says below a finding's title: a table of cells without it does not say where. */
const BELOW_TITLE: readonly ColumnKey[] = ['cve', 'component', 'component_version', 'file_path', 'start_line'];

/** The columns shown, and behind them what the list shows in the same cell as the title. */
export const tableColumns = (shown: readonly ColumnKey[]): ColumnKey[] => [...new Set([...shown, ...BELOW_TITLE])];

/** The attributes of these names, each once; a name that is a column only stands for those that it shows. */
export const attributesNamed = (names: readonly string[]): AttributeKey[] => {
  const named = names.filter(isKey).flatMap((key) => (isAttribute(key) ? [key] : attributesOf([key])));
  return [...new Set(named)];
};

/** Keys that exist, each once, the fixed ones put back in front where they are missing; what is gone is left out. */
export const usableColumns = (keys: readonly string[]): ColumnKey[] => {
  const known = [...new Set(keys)].flatMap((key) => COLUMN_KEYS.find((one) => one === key) ?? []);
  return [...FIXED_COLUMNS.filter((key) => !known.includes(key)), ...known];
};
