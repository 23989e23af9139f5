import { LIMITS } from './limits.ts';
import { clean } from './read.ts';

/** The text on one line, cut at a word with an ellipsis when longer than `max`. */
export function oneLine(value: string, max: number = LIMITS.titleChars): string {
  // Only as much as can matter is looked at: descriptions may be long, titles are not.
  const line = clean(value, max * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1);
  const space = cut.lastIndexOf(' ');
  return `${(space > max / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.(-]+$/, '').toWellFormed()}…`;
}

/** First sentence of a description, for a title. Markdown headings and emphasis are left out. */
export function firstSentence(value: string, max = 120): string | undefined {
  const plain = clean(value, 2_000)
    .replace(/^[ \t]*#{1,6}[ \t].*$/gm, ' ')
    .replace(/^[ \t]*\*\*[^*\n]{1,60}\*\*:?[ \t]*$/gm, ' ')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain === '') return undefined;
  const end = /[.!?](?=\s+[A-Z0-9"'(])/g;
  for (let match = end.exec(plain); match !== null; match = end.exec(plain)) {
    const sentence = plain.slice(0, match.index);
    // "e.g.", "v1." and "i.e." do not end a sentence.
    if (sentence.length >= 20 && !/\b(?:e\.g|i\.e|etc|vs|v\d+(?:\.\d+)*|\w)$/i.test(sentence))
      return oneLine(sentence, max);
  }
  return oneLine(plain.replace(/\.$/, ''), max);
}

/** Parts that were said, as paragraphs. */
export function paragraphs(...parts: readonly (string | undefined)[]): string | undefined {
  const said = [...new Set(parts.filter((part) => part !== undefined && part !== ''))];
  return said.length === 0 ? undefined : said.join('\n\n');
}
