import { readdirSync, readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { ENGLISH, type TextTable, Translator } from '../model/translator.ts';

const FOLDER = new URL('../../../languages/', import.meta.url);
const Forms = Type.Object({ other: Type.String() }, { additionalProperties: Type.String() });
const Table = Type.Record(Type.String(), Type.Union([Type.String(), Forms]));

const tables = new Map<string, Static<typeof Table>>();

/** The tables of a language as one; a slice each. Read once per process. */
const readTable = (language: string): Static<typeof Table> => {
  const known = tables.get(language);
  if (known !== undefined) return known;
  const folder = new URL(`${language}/`, FOLDER);
  const files = readdirSync(folder).filter((name) => name.endsWith('.json'));
  const parts = files.map((name) => Value.Parse(Table, JSON.parse(readFileSync(new URL(name, folder), 'utf8'))));
  const table = Object.assign({}, ...parts);
  tables.set(language, table);
  return table;
};

let pluginTexts: (language: string) => TextTable = () => ({});

/** What plugins say in each language; known once the process has loaded them. */
export const setPluginTexts = (texts: (language: string) => TextTable): void => {
  pluginTexts = texts;
};

/** Languages that have tables, beside English. */
const offered = new Set(
  readdirSync(FOLDER, { withFileTypes: true }).flatMap((entry) => (entry.isDirectory() ? [entry.name] : [])),
);

/** How somebody reads, as their profile says; null where they chose nothing. */
export interface Reader {
  language: string | null;
  time_zone: string | null;
  number_format: string | null;
}

/** How people read, for a selection from `users`: the language that they chose, else that of the browser they signed in with last. */
export const readerColumns = [
  sql<string | null>`coalesce(users.language, users.browser_language)`.as('language'),
  sql<string | null>`users.time_zone`.as('time_zone'),
  sql<string | null>`users.number_format`.as('number_format'),
];

/** `de` of `de-AT`, where there are tables for it. */
const languageFor = (wanted: string | null): string | undefined =>
  [...offered].find((id) => id === wanted || wanted?.startsWith(`${id}-`) === true);

/** Writes the sentences of the server for one reader. Without a language of theirs, or one without tables: in English. */
export const translatorFor = ({ language, time_zone, number_format }: Reader): Translator => {
  const id = languageFor(language);
  if (id === undefined && time_zone === null && number_format === null) return ENGLISH;
  const numbers = new Intl.NumberFormat(number_format ?? id ?? 'en-US', { maximumFractionDigits: 2 });
  const moments = new Intl.DateTimeFormat(id ?? 'en-GB', {
    dateStyle: 'medium',
    timeStyle: 'long',
    timeZone: time_zone ?? 'UTC',
  });
  const translator = new Translator({
    id: id ?? 'en',
    texts: id === undefined ? undefined : readTable(id),
    formatNumber: (value) => numbers.format(value),
    formatMoment: (value) => moments.format(new Date(value)),
  });
  if (id !== undefined) translator.addPluginTexts(pluginTexts(id));
  return translator;
};

/** The first language of an `Accept-Language` header that there are tables for, or English, whichever comes first; else null. Source: RFC 9110 §12.5.4. */
export const languageOfHeader = (header: string | undefined): string | null => {
  const wanted = (header ?? '')
    .slice(0, 200)
    .split(',')
    .map((part) => {
      const [id = '', ...parameters] = part.trim().split(';');
      const weight = parameters.map((one) => /^\s*q=([\d.]+)$/.exec(one)?.[1]).find((q) => q !== undefined);
      return { id, weight: Number(weight ?? 1) };
    })
    .toSorted((a, b) => b.weight - a.weight);
  const found = wanted.map(({ id }) => (/^en\b/.test(id) ? 'en' : languageFor(id))).find((id) => id !== undefined);
  return found ?? null;
};
