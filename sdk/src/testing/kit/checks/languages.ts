import type { ReadLanguage } from '../../../languages/language-table.ts';
import type { KitIssue } from '../check.ts';

/** What became of each file below `languages`, by its language. */
export type Languages = ReadonlyMap<string, ReadLanguage>;

/** Texts named in a note; the rest is counted. */
const NAMED = 3;
const FIX = 'Correct the entry or take it out: the host would leave it out.';

const list = (texts: readonly string[]): string => {
  const named = texts.slice(0, NAMED).map((text) => JSON.stringify(text));
  return [...named, ...(texts.length > NAMED ? [`and ${texts.length - NAMED} more`] : [])].join(', ');
};

/** Entries that the host would leave out are issues. What is missing is a note: it shows in English. */
export function checkLanguages(languages: Languages): { issues: KitIssue[]; notes: string[] } {
  const all = [...languages];
  return {
    issues: all.flatMap(([language, { issues }]) =>
      issues.map((what) => ({ what, where: `languages, ${language}`, fix: FIX })),
    ),
    notes: all
      .filter(([, { missing }]) => missing.length > 0)
      .map(([language, { missing }]) => `languages/${language}.json lacks ${list(missing)}`),
  };
}

const PLACE = /\{\w+\}/;

/** Whether a sentence was written from a text with names in braces. */
const fits = (text: string, said: string): boolean => {
  const [first = '', ...others] = text.split(PLACE);
  if (!said.startsWith(first)) return false;
  let at = first.length;
  for (const piece of others) {
    const found = said.indexOf(piece, at);
    if (found < at) return false;
    at = found + piece.length;
  }
  return at === said.length || text.endsWith('}');
};

/** Sentences of errors that a language has no entry for, as notes. */
export function untranslated(languages: Languages, said: readonly string[]): string[] {
  return [...languages].flatMap(([language, { table }]) => {
    const missing = [...new Set(said)].filter((one) => !Object.keys(table).some((text) => fits(text, one)));
    return missing.length === 0
      ? []
      : [
          `languages/${language}.json has no entry for what errors say (sentences of the SDK need none): ${list(missing)}`,
        ];
  });
}
