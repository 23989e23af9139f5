import { glob, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Issue } from './checks.ts';

const TEST = /\.test\.tsx?$|\.test-d\.ts$|^core\/src\/testing\//;
/** The block in which a slice adds its tables to `Database`. */
const DECLARATION = /interface Database \{([\s\S]*?)\n {2}\}/g;
const COLUMN = /(?:\/\*\*((?:(?!\*\/)[\s\S])*)\*\/\s*)?(\w+): \w+;/g;
const OFFER = /@(readable|writable) by ([\w, -]+)/g;
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

const usesOf = (sources: ReadonlyMap<string, string>, tables: ReadonlyMap<string, Table>): Issue[] => {
  const issues = new Map<string, Issue>();
  for (const [file, source] of sources) {
    const slice = sliceOf(file);
    for (const { table: name, isWrite } of literalsOf(source).flatMap(tablesIn)) {
      const table = tables.get(name);
      if (table === undefined || table.owner === slice || useOffer(table, slice, isWrite)) continue;
      const what = `table-owner: ${isWrite ? 'writes' : 'reads'} ${name}, a table of ${table.owner}, which does not offer it`;
      issues.set(`${file} ${what}`, { where: file, what });
    }
  }
  return [...issues.values()];
};

const unusedOffers = (tables: ReadonlyMap<string, Table>): Issue[] =>
  [...tables].flatMap(([name, { file, readers, writers }]) =>
    [...readers, ...writers]
      .filter(([, isUsed]) => !isUsed)
      .map(([slice]) => ({
        where: file,
        what: `table-offer: ${slice} does not use the offer of ${name}; take it away`,
      })),
  );

const CATALOGUE_CHANGE =
  /^\s*(?:create (?:unlogged )?table (?:if not exists )?(?<made>\w+)|drop table (?:if exists )?(?<dropped>[\w, ]+)|alter table (?:if exists )?(?<from>\w+) rename to (?<to>\w+))/gim;

/** Every table that the baseline and the migrations leave behind, with the file that made it. */
export const tablesOfSchema = (files: readonly { file: string; text: string }[]): Map<string, string> => {
  const tables = new Map<string, string>();
  for (const { file, text } of files) {
    for (const { groups } of text.matchAll(CATALOGUE_CHANGE)) {
      const { made, dropped, from, to } = groups ?? {};
      for (const name of [from, ...(dropped ?? '').split(',')]) tables.delete(name?.trim() ?? '');
      for (const name of [made, to]) if (name !== undefined) tables.set(name, file);
    }
  }
  return tables;
};

const withoutOwner = (schema: ReadonlyMap<string, string>, tables: ReadonlyMap<string, Table>): Issue[] => [
  ...[...schema]
    .filter(([name]) => !tables.has(name))
    .map(([name, file]) => ({ where: file, what: `table-unowned: no slice adds ${name} to Database` })),
  ...[...tables]
    .filter(([name]) => !schema.has(name))
    .map(([name, { file }]) => ({ where: file, what: `table-unknown: the schema has no table ${name}` })),
];

const readAll = async (root: string, pattern: string): Promise<{ file: string; text: string }[]> => {
  const files: string[] = [];
  for await (const file of glob(pattern, { cwd: root })) if (!TEST.test(file)) files.push(file);
  return Promise.all(files.sort().map(async (file) => ({ file, text: await readFile(path.join(root, file), 'utf8') })));
};

/**
 * A table of the schema that no slice owns, and SQL of one slice that names a table of another slice, which does not offer it. A slice owns the tables that it adds to
 * `Database`; `@readable by` and `@writable by` in the comment of a table there name the slices that may use it.
 */
export const checkTables = async (root: string): Promise<Issue[]> => {
  const sources = new Map((await readAll(root, 'core/src/*/**/*.ts')).map(({ file, text }) => [file, text]));
  const tables = readTables(sources);
  const schema = tablesOfSchema([
    ...(await readAll(root, 'core/schema/*.sql')),
    ...(await readAll(root, 'core/migrations/*.sql')),
  ]);
  return [...usesOf(sources, tables), ...unusedOffers(tables), ...withoutOwner(schema, tables)];
};

/** A string or template of a source file. Values put into a template stand as ` ? `. */
export interface Literal {
  text: string;
  /** The code right before it, at most 40 characters. */
  before: string;
}

/** After one of these a slash begins a regular expression, not a division. */
const BEFORE_PATTERN = /(?:[(,=:[!&|?{};+>]|\breturn)\s*$/;

/** Reads literals from left to right; what stands inside a template's `${}` is read as code of its own. */
class Reader {
  readonly found: Literal[] = [];
  readonly #source: string;
  #at = 0;

  constructor(source: string) {
    this.#source = source;
  }

  /** Reads code up to the end, or up to the brace that closes a template's value. */
  readCode(): void {
    let depth = 0;
    while (this.#at < this.#source.length) {
      const character = this.#source.charAt(this.#at);
      if (this.#skip('//', '\n') || this.#skip('/*', '*/')) continue;
      if (character === "'" || character === '"') this.#readString(character);
      else if (character === '`') this.#readTemplate();
      else if (character === '/' && BEFORE_PATTERN.test(this.#before())) this.#skipPattern();
      else {
        if (character === '{') depth += 1;
        if (character === '}') depth -= 1;
        this.#at += 1;
        if (depth < 0) return;
      }
    }
  }

  #before(): string {
    return this.#source.slice(Math.max(0, this.#at - 40), this.#at);
  }

  #skip(start: string, end: string): boolean {
    if (!this.#source.startsWith(start, this.#at)) return false;
    const stop = this.#source.indexOf(end, this.#at + start.length);
    this.#at = stop < 0 ? this.#source.length : stop + end.length;
    return true;
  }

  #readString(quote: string): void {
    const before = this.#before();
    let text = '';
    this.#at += 1;
    while (this.#at < this.#source.length && this.#source.charAt(this.#at) !== quote) {
      if (this.#source.charAt(this.#at) === '\\') this.#at += 1;
      text += this.#source.charAt(this.#at);
      this.#at += 1;
    }
    this.#at += 1;
    this.found.push({ text, before });
  }

  #readTemplate(): void {
    const literal = { text: '', before: this.#before() };
    this.found.push(literal);
    this.#at += 1;
    while (this.#at < this.#source.length && this.#source.charAt(this.#at) !== '`') {
      if (this.#source.startsWith('${', this.#at)) {
        this.#at += 2;
        this.readCode();
        literal.text += ' ? ';
        continue;
      }
      if (this.#source.charAt(this.#at) === '\\') this.#at += 1;
      literal.text += this.#source.charAt(this.#at);
      this.#at += 1;
    }
    this.#at += 1;
  }

  #skipPattern(): void {
    let isClass = false;
    this.#at += 1;
    while (this.#at < this.#source.length) {
      const character = this.#source.charAt(this.#at);
      this.#at += character === '\\' ? 2 : 1;
      if (character === '[') isClass = true;
      if (character === ']') isClass = false;
      if (character === '\n' || (character === '/' && !isClass)) return;
    }
  }
}

/** Every string and template of a source file, without its comments. */
export const literalsOf = (source: string): Literal[] => {
  const reader = new Reader(source);
  reader.readCode();
  return reader.found;
};
