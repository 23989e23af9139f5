import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Fault } from './checks.ts';
import { type Literal, literalsOf } from './source-literals.ts';

const TEST = /\.test\.tsx?$|\.test-d\.ts$|^core\/src\/testing\//;
/** The block in which a slice adds its tables to `Database`. */
const DECLARATION = /interface Database \{([\s\S]*?)\n {2}\}/g;
const COLUMN = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?(\w+): \w+;/g;
const OFFER = /@(readable|writable) by ([\w, ]+)/g;
/** What may follow names of tables in SQL, and the tables, separated by commas and perhaps with an alias. */
const CLAUSE =
  /\b(from|join|into|update|using|truncate|copy)\s+(?:only\s+)?([a-z_]+(?:(?:\s+(?:as\s+)?[a-z_]+)?\s*,\s*[a-z_]+)*)/gi;
const BUILDER =
  /\.(selectFrom|insertInto|updateTable|deleteFrom|mergeInto|using|(?:inner|left|right|full|cross)Join)\(\s*$/;
const WRITING = new Set([
  'into',
  'update',
  'truncate',
  'copy',
  'delete from',
  'insertInto',
  'updateTable',
  'deleteFrom',
  'mergeInto',
]);

interface Table {
  owner: string;
  /** Where it is declared. */
  file: string;
  /** Slices that the owner lets read or write it, with whether one does. Who may write may read. */
  readers: Map<string, boolean>;
  writers: Map<string, boolean>;
}

export interface TableUse {
  table: string;
  isWrite: boolean;
}

/** Tables that one piece of text names: SQL, or the argument of a method of the query builder. */
export const tablesIn = ({ text, before }: Literal): TableUse[] => {
  const method = BUILDER.exec(before)?.[1];
  if (method !== undefined) return [{ table: text.split(/[ .]/)[0] ?? '', isWrite: WRITING.has(method) }];
  return [...text.matchAll(CLAUSE)].flatMap((match) => {
    const keyword = (match[1] ?? '').toLowerCase();
    const isDelete = keyword === 'from' && /\bdelete\s+$/i.test(text.slice(0, match.index));
    return (match[2] ?? '')
      .split(',')
      .map((name) => ({ table: name.trim().split(/\s+/)[0] ?? '', isWrite: isDelete || WRITING.has(keyword) }));
  });
};

const sliceOf = (file: string): string => file.split('/')[2] ?? '';

const readOffer = (table: Table, comment: string): void => {
  for (const [, kind, names] of comment.matchAll(OFFER)) {
    const offered = kind === 'readable' ? table.readers : table.writers;
    for (const name of (names ?? '').split(',')) offered.set(name.trim(), false);
  }
};

/** Every table with its owner and offers, from the slices' augmentations of `Database`. */
const readTables = (sources: ReadonlyMap<string, string>): Map<string, Table> => {
  const tables = new Map<string, Table>();
  for (const [file, source] of sources) {
    for (const [, block] of source.matchAll(DECLARATION)) {
      for (const [, comment, name] of (block ?? '').matchAll(COLUMN)) {
        const table: Table = { owner: sliceOf(file), file, readers: new Map(), writers: new Map() };
        readOffer(table, comment ?? '');
        tables.set(name ?? '', table);
      }
    }
  }
  return tables;
};

/** Notes the use where it is offered. @returns false where it is not. */
const useOffer = (table: Table, slice: string, isWrite: boolean): boolean => {
  const offer = table.writers.has(slice) ? table.writers : isWrite ? undefined : table.readers;
  if (offer?.has(slice) !== true) return false;
  if (isWrite || offer === table.readers) offer.set(slice, true);
  return true;
};

const usesOf = (sources: ReadonlyMap<string, string>, tables: ReadonlyMap<string, Table>): Fault[] => {
  const faults = new Map<string, Fault>();
  for (const [file, source] of sources) {
    const slice = sliceOf(file);
    for (const { table: name, isWrite } of literalsOf(source).flatMap(tablesIn)) {
      const table = tables.get(name);
      if (table === undefined || table.owner === slice || useOffer(table, slice, isWrite)) continue;
      const what = `table-owner: ${isWrite ? 'writes' : 'reads'} ${name}, a table of ${table.owner}, which does not offer it`;
      faults.set(`${file} ${what}`, { where: file, what });
    }
  }
  return [...faults.values()];
};

const unusedOffers = (tables: ReadonlyMap<string, Table>): Fault[] =>
  [...tables].flatMap(([name, { file, readers, writers }]) =>
    [...readers, ...writers]
      .filter(([, isUsed]) => !isUsed)
      .map(([slice]) => ({
        where: file,
        what: `table-offer: ${slice} does not use the offer of ${name}; take it away`,
      })),
  );

/**
 * SQL of one slice that names a table of another slice, which does not offer it. A slice owns the tables that it adds to
 * `Database`; `@readable by` and `@writable by` in the comment of a table there name the slices that may use it.
 */
export const checkTables = async (root: string): Promise<Fault[]> => {
  const files: string[] = [];
  for await (const file of glob('core/src/*/**/*.ts', { cwd: root })) if (!TEST.test(file)) files.push(file);
  const sources = new Map<string, string>();
  for (const file of files.sort()) sources.set(file, await readFile(path.join(root, file), 'utf8'));
  const tables = readTables(sources);
  return [...usesOf(sources, tables), ...unusedOffers(tables)];
};
