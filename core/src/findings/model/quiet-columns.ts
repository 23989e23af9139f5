import { type ColumnKey, FIXED_COLUMNS } from './column-catalogue.ts';
import { isOpenStatus } from './facet-labels.ts';
import type { FindingFilters } from './filter-catalogue.ts';
import { cellText, hasSignals } from './finding-text.ts';

/** Columns whose value a filter of the same name fixes, and whose one value for all rows a facet of the same name tells. */
const FIXED_BY = ['repository', 'branch', 'tool', 'type', 'category', 'language'] as const;

/** Columns of which a facet is asked where the rows are too many to be read: cheap counts, and columns that many lists have. */
export const ASKED_COLUMNS = ['repository', 'tool', 'type'] as const;
export type AskedColumn = (typeof ASKED_COLUMNS)[number];

/** Columns that say how bad a finding is stay, even where all are as bad: a list is read by them. */
const KEPT: readonly ColumnKey[] = [...FIXED_COLUMNS, 'severity'];

type Row = Parameters<typeof cellText>[1] & Parameters<typeof hasSignals>[0];

/** What is known of the rows of a list. */
interface KnownRows {
  /** All of them, where they are here. */
  rows?: readonly Row[] | undefined;
  /** The one value, as people read it, that all rows have in these columns. */
  sole?: ReadonlyMap<AskedColumn, string>;
  /** The list is in the order of this column, which its head shows and turns. */
  sortedBy?: string;
}

/** A column that says the same in every row. */
export interface QuietColumn {
  key: ColumnKey;
  /** What it says, where the rows tell it; undefined where a filter says it already, and for what needs no words. Empty: nothing in any row. */
  text: string | undefined;
}

/** The columns that a filter with one value fixes, and the status while only open work shows. */
const fixedByFilters = (filters: FindingFilters): ColumnKey[] => {
  const quiet: ColumnKey[] = FIXED_BY.filter((key) => filters[key]?.length === 1);
  const hidesDecided = [filters.false_positive, filters.accepted_risk, filters.is_duplicate].every(
    (one) => one === 'hide',
  );
  if (isOpenStatus(filters.status) && hidesDecided) quiet.push('status');
  return quiet;
};

/** Days of one import, and the default branch: nobody asks for them. */
const UNTOLD: readonly ColumnKey[] = ['first_seen', 'date', 'last_seen', 'branch'];

/** What the column says in all of the rows; undefined where they differ. */
const sameText = (key: ColumnKey, rows: readonly Row[]): string | undefined => {
  if (key === 'signals') return rows.some(hasSignals) ? undefined : '';
  const [first, ...others] = rows.map((row) => String(cellText(key, row)));
  return first !== undefined && key !== '_id' && others.every((text) => text === first) ? first : undefined;
};

/**
 * The columns among these that say the same in every row of a list with these filters, which step back: by the filters, by the rows where
 * all are here (two at least: one row is alike in everything), else by what is known of the values.
 */
export const quietColumns = (
  keys: readonly ColumnKey[],
  filters: FindingFilters,
  { rows, sole = new Map(), sortedBy }: KnownRows = {},
): QuietColumn[] => {
  const fixed = fixedByFilters(filters);
  return keys.flatMap((key): QuietColumn[] => {
    if (KEPT.includes(key)) return [];
    if (fixed.includes(key)) return [{ key, text: undefined }];
    if (key === sortedBy) return [];
    const asked = ASKED_COLUMNS.find((one) => one === key);
    const text = rows === undefined ? asked && sole.get(asked) : rows.length > 1 ? sameText(key, rows) : undefined;
    return text === undefined ? [] : [{ key, text: UNTOLD.includes(key) ? undefined : text }];
  });
};
