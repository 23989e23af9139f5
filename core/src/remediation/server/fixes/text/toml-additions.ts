import { CannotFix } from './cannot-fix.ts';
import { applyEdits, BYTE_ORDER_MARK, indentBefore, lineEndOf, linesOf, type TextEdit } from './edits.ts';
import { type TomlString, tomlStrings } from './toml-strings.ts';

/** Where a string is added: at the end of a list, or under a key of a table that is there. `isNew`: the list is made where there is none. */
export type TomlPlace =
  | { readonly list: readonly string[]; readonly isNew?: true; readonly value: string }
  | { readonly table: readonly string[]; readonly key: string; readonly value: string };

/** A path as a header writes it, where none of its parts needs quotes. */
const headerOf = (table: readonly string[]): RegExp =>
  new RegExp(
    `^[ \\t]*\\[[ \\t]*${table.map((part) => part.replaceAll('-', '\\-')).join('\\.')}[ \\t]*\\][ \\t]*(?:#.*)?$`,
  );

/** A line at the end of a table; undefined where there is no such table. */
const tableEdit = (text: string, table: readonly string[], line: string): TextEdit | undefined => {
  const lines = linesOf(text);
  const header = lines.findIndex((one) => headerOf(table).test(one.text));
  if (header === -1) return undefined;
  const next = lines.findIndex((one, index) => index > header && /^[ \t]*\[/.test(one.text));
  const inside = lines.slice(header, next === -1 ? lines.length : next);
  const at = inside.findLast((one) => /^[ \t]*[^\s#]/.test(one.text))?.end ?? text.length;
  return { start: at, end: at, text: `${lineEndOf(text)}${line}` };
};

/** A table of one line, as the last one of the file. */
const newTableEdit = (text: string, table: readonly string[], line: string): TextEdit => {
  const lineEnd = lineEndOf(text);
  const gap = /[\r\n]$/.test(text) ? lineEnd : lineEnd + lineEnd;
  return { start: text.length, end: text.length, text: `${gap}[${table.join('.')}]${lineEnd}${line}${lineEnd}` };
};

/** One more string behind the last one of a list, in the manner of the list. */
const listEdits = (text: string, last: TomlString, literal: string): TextEdit[] => {
  const indent = indentBefore(text, last.start);
  if (indent === undefined) return [{ start: last.end, end: last.end, text: `, ${literal}` }];
  const [rest = '', comma] = /^[ \t]*(,)?[ \t]*(?:#[^\r\n]*)?/.exec(text.slice(last.end)) ?? [];
  const at = last.end + rest.length;
  const line = { start: at, end: at, text: `${lineEndOf(text)}${indent}${literal},` };
  if (comma !== undefined) return [line];
  return rest.trim() === ''
    ? [{ ...line, start: last.end, end: last.end, text: `,${line.text}` }]
    : [{ start: last.end, end: last.end, text: ',' }, line];
};

const isIn = ({ path }: TomlString, list: readonly string[]): boolean =>
  path.length === list.length + 1 && list.every((part, index) => part === path[index]);

const editsOf = (text: string, strings: readonly TomlString[], place: TomlPlace): TextEdit[] => {
  const literal = JSON.stringify(place.value);
  if ('table' in place) {
    const edit = tableEdit(text, place.table, `${place.key} = ${literal}`);
    return edit === undefined ? [] : [edit];
  }
  const last = strings.findLast((found) => isIn(found, place.list));
  if (last !== undefined) return listEdits(text, last, literal);
  if (place.isNew !== true) return [];
  const table = place.list.slice(0, -1);
  const line = `${place.list.at(-1)} = [${literal}]`;
  return [tableEdit(text, table, line) ?? newTableEdit(text, table, line)];
};

const isAt = (found: TomlString, place: TomlPlace): boolean =>
  found.value === place.value &&
  ('table' in place ? found.path.join('\n') === [...place.table, place.key].join('\n') : isIn(found, place.list));

/** Path and value of each string, in the order of the text. */
const shapeOf = (strings: readonly TomlString[]): string =>
  JSON.stringify(strings.map(({ path, value }) => [path, value]));

/**
 * Adds one string to a TOML document; all other bytes stay. The outcome is read again and must hold this string more than before, at its
 * place, and nothing else. Undefined where the document is written in a way that this cannot be done in.
 */
export const addTomlString = (content: string, path: string, place: TomlPlace): string | undefined => {
  const offset = content.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const text = content.slice(offset);
  const before = tomlStrings(text, path);
  const after = applyEdits(text, editsOf(text, before, place));
  try {
    const strings = tomlStrings(after, path);
    const added = strings.findIndex((found) => isAt(found, place));
    if (added === -1 || shapeOf(strings.toSpliced(added, 1)) !== shapeOf(before)) return undefined;
    return content.slice(0, offset) + after;
  } catch (error) {
    if (error instanceof CannotFix) return undefined;
    throw error;
  }
};
