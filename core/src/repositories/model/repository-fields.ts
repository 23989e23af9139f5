import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
/** Longest name of a repository here. */
export const MAX_NAME_LENGTH = 200;
export const MAX_TAG_LENGTH = 100;

/** No control character, no end of a line, and nothing that turns the direction of the text after it ("Trojan Source", CVE-2021-42574). */
const SHOWN = '[^\\p{Cc}\\u2028\\u2029\\u061C\\u200E\\u200F\\u202A-\\u202E\\u2066-\\u2069]*';
/** One line of text, as a regular expression of JSON Schema. */
export const ONE_LINE = `^${SHOWN}$`;
/** The same, which does not begin with a blank. */
export const NAME_LINE = `^(?!\\s)${SHOWN}$`;
const LINE = new RegExp(NAME_LINE, 'u');

/** What is wrong with a name that a provider gives a repository; undefined for a sound one. */
export const nameIssue = (name: string): string | undefined => {
  if (name === '') return msg('It has no name.');
  if (name.length > MAX_NAME_LENGTH)
    return sayEnglish('Its name has more than {most} characters.', { most: MAX_NAME_LENGTH });
  return LINE.test(name) ? undefined : msg('Its name holds characters that cannot be shown.');
};

/** Tags as they are kept: without blanks around, each once. */
export const keptTags = (tags: readonly string[]): string[] => [
  ...new Set(tags.map((tag) => tag.trim()).filter((tag) => tag !== '')),
];
