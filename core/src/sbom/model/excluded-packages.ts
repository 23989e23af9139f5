import { msg } from '../../platform/model/message.ts';
import type { RegistryPackage } from './registry-package.ts';

export const MAX_EXCLUSIONS = 500;
const MAX_LENGTH = 214;

/** Lines of the list of private packages, without empty ones. */
export const exclusionLines = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** What is wrong with one line; undefined where it can be used. */
export const exclusionIssue = (line: string): string | undefined => {
  if (line.length > MAX_LENGTH) return msg('A pattern has at most 214 characters.');
  if (/^[a-z]+:\/\//i.test(line)) return msg('Write a name of packages, not an address.');
  if (line.startsWith('pkg:')) return msg('Write the name without “pkg:” and without the type.');
  if (/\s/.test(line)) return msg('Write one pattern on each line.');
  if (!/^[\w@.:/*~!+-]+$/.test(line)) {
    return msg('A pattern may have letters, digits, “*” and the characters @ . : / ~ ! + - _.');
  }
  if (/^[*.:/]+$/.test(line)) return msg('This would leave every package out: turn the lookup off instead.');
  return undefined;
};

/** One spelling for all that people and tools use for the same package; group and name are joined by "/" or ":". */
const foldedOf = (text: string): string =>
  text
    .toLowerCase()
    .replaceAll(/[-_.]+/g, '-')
    .replaceAll(':', '/');

/** Whether a text has the parts in their order, the first at its start and the last at its end. Not by a regular expression: patterns are typed by people. */
const hasParts = (text: string, [first = '', ...rest]: readonly string[]): boolean => {
  const last = rest.pop();
  if (last === undefined) return text === first;
  if (!text.startsWith(first)) return false;
  let from = first.length;
  for (const part of rest) {
    const at = text.indexOf(part, from);
    if (at === -1) return false;
    from = at + part.length;
  }
  return text.length - last.length >= from && text.endsWith(last);
};

/**
 * Whether a package is on the list and therefore never sent. Case does not matter, nor which of `-`, `_` and `.` a name is written with: what
 * could be meant is left out. `*` stands for any characters.
 */
export const createExclusion = (patterns: readonly string[]): ((known: RegistryPackage) => boolean) => {
  const all = patterns.map((pattern) => foldedOf(pattern).split(/\*+/));
  return ({ name }) => {
    const folded = foldedOf(name);
    return all.some((parts) => hasParts(folded, parts));
  };
};
