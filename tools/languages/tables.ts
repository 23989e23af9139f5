import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Text } from './texts.ts';

export type Forms = Readonly<Record<string, string>>;
export type Table = Readonly<Record<string, string | Forms>>;

/** Tables of one language by slice. */
export interface Language {
  /** BCP 47, as the folder is called. */
  id: string;
  tables: ReadonlyMap<string, Table>;
}

/** Words that many slices use may stand in the table of this one alone. */
export const COMMON = 'platform';

const isTable = (value: unknown): value is Table =>
  typeof value === 'object' &&
  value !== null &&
  Object.values(value).every(
    (entry) =>
      typeof entry === 'string' ||
      (typeof entry === 'object' && entry !== null && Object.values(entry).every((form) => typeof form === 'string')),
  );

export const readLanguages = async (root: string): Promise<Language[]> => {
  const folder = path.join(root, 'core/languages');
  const ids = (await readdir(folder, { withFileTypes: true })).filter((entry) => entry.isDirectory());
  return Promise.all(
    ids.map(async ({ name: id }) => {
      const files = (await readdir(path.join(folder, id))).filter((file) => file.endsWith('.json')).toSorted();
      const tables = new Map<string, Table>();
      for (const file of files) {
        const table: unknown = JSON.parse(await readFile(path.join(folder, id, file), 'utf8'));
        if (!isTable(table)) throw new Error(`core/languages/${id}/${file} is no table of texts`);
        tables.set(path.basename(file, '.json'), table);
      }
      return { id, tables };
    }),
  );
};

/** Names in braces and marks of a text, sorted: `</a> <a> {name}`. */
const placesOf = (text: string): string[] => (text.match(/\{\w+\}|<\/?\w+>/g) ?? []).toSorted();
const isSame = (a: readonly string[], b: readonly string[]): boolean => a.join(' ') === b.join(' ');

/** What is wrong with the translation of a text; nothing where it is right. */
const faultOf = (id: string, { text, one }: Text, translation: string | Forms): string | undefined => {
  const places = placesOf(text);
  if (typeof translation === 'string') {
    if (one !== undefined) return 'is a text, and a number decides: give its forms';
    if (translation.trim() === '') return 'is empty';
    return isSame(placesOf(translation), places) ? undefined : `needs ${places.join(' ') || 'no places'}`;
  }
  if (one === undefined) return 'has forms, and no number decides';
  const { pluralCategories } = new Intl.PluralRules(id).resolvedOptions();
  if (!isSame(Object.keys(translation).toSorted(), pluralCategories.toSorted()))
    return `needs the forms ${pluralCategories.join(', ')}`;
  const wrong = Object.entries(translation).find(([category, form]) => {
    const own = placesOf(form);
    const withoutCount = places.filter((place) => place !== '{count}');
    return form.trim() === '' || !(isSame(own, places) || (category !== 'other' && isSame(own, withoutCount)));
  });
  return wrong === undefined ? undefined : `${wrong[0]} needs ${places.join(' ') || 'no places'}`;
};

const entryOf = (table: Table | undefined, text: string): string | Forms | undefined =>
  table !== undefined && Object.hasOwn(table, text) ? table[text] : undefined;

/** The texts of a slice that a language lacks, each once. */
export const missingTexts = (language: Language, slice: string, texts: readonly Text[]): Text[] => [
  ...new Map(
    texts
      .filter((text) => text.slice === slice)
      .filter(({ text }) => entryOf(language.tables.get(slice), text) === undefined)
      .filter(({ text }) => entryOf(language.tables.get(COMMON), text) === undefined)
      .map((text) => [text.text, text]),
  ).values(),
];

/** What a translator fills: `{ "<text>": "" }`, forms of a plural in English. */
export const skeletonOf = (language: Language, missing: readonly Text[]): Table => {
  const { pluralCategories } = new Intl.PluralRules(language.id).resolvedOptions();
  return Object.fromEntries(
    missing.map(({ text, one }): [string, string | Forms] => [
      text,
      one === undefined ? '' : Object.fromEntries(pluralCategories.map((name) => [name, name === 'one' ? one : text])),
    ]),
  );
};

/** Entries that no screen shows, that do not fit their text, or that another table translates differently. */
export const tableIssues = (language: Language, texts: readonly Text[]): string[] => {
  const issues: string[] = [];
  const known = new Map<string, { slice: string; written: string }>();
  for (const [slice, table] of language.tables)
    for (const [text, translation] of Object.entries(table)) {
      const where = `core/languages/${language.id}/${slice}.json: ${JSON.stringify(text)}`;
      const uses = texts.filter((one) => one.text === text && (slice === COMMON || one.slice === slice));
      if (uses.length === 0) issues.push(`${where} is shown nowhere in ${slice}`);
      for (const fault of new Set(uses.map((use) => faultOf(language.id, use, translation))))
        if (fault !== undefined) issues.push(`${where} ${fault}`);
      const written = JSON.stringify(translation);
      const other = known.get(text);
      if (other !== undefined && other.written !== written)
        issues.push(`${where} is another text in ${other.slice}.json`);
      known.set(text, { slice, written });
    }
  return issues;
};
