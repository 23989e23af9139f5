import { isDeepStrictEqual } from 'node:util';
import { parse } from 'smol-toml';
import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from './cannot-fix.ts';
import { applyEdits, BYTE_ORDER_MARK, type TextEdit } from './edits.ts';

/** A string of a TOML document. Places in lists are numbers of the path: `project`, `dependencies`, `0`. */
export interface TomlString {
  readonly path: readonly string[];
  readonly value: string;
  /** Offsets of the whole literal with its quotes. */
  readonly start: number;
  readonly end: number;
}

const SPACE = /[ \t]*/y;
const SPACE_AND_COMMENTS = /(?:[ \t\r\n]+|#[^\r\n]*)*/y;
const STRING = /"""(?:[^\\]|\\[\s\S])*?"""(?!")|'''[\s\S]*?'''(?!')|"(?:[^"\\\r\n]|\\.)*"|'[^'\r\n]*'/y;
const BARE_KEY = /[\w-]+/y;
const BARE_VALUE = /[^\s,\]}#][^,\]}#\r\n]*/y;

const ESCAPES: Readonly<Record<string, string>> = { b: '\b', t: '\t', n: '\n', f: '\f', r: '\r', '"': '"', '\\': '\\' };
const ESCAPE = /\\(?:u([0-9a-f]{4})|U([0-9a-f]{8})|(["\\bfnrt]))/gi;

const unquoted = (literal: string): string => {
  if (literal.startsWith("'")) return literal.slice(1, -1);
  return literal.slice(1, -1).replaceAll(ESCAPE, (_, short?: string, long?: string, sign?: string) => {
    const code = short ?? long;
    return code === undefined ? (ESCAPES[sign ?? ''] ?? '') : String.fromCodePoint(Number.parseInt(code, 16));
  });
};

/** Reads a document that `smol-toml` has read before: what is not well formed never comes here. */
class TomlReader {
  readonly strings: TomlString[] = [];
  private at = 0;
  private readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  read(): readonly TomlString[] {
    let table: readonly string[] = [];
    const counts = new Map<string, number>();
    for (;;) {
      this.take(SPACE_AND_COMMENTS);
      if (this.at >= this.text.length) return this.strings;
      if (this.text[this.at] !== '[') {
        this.member(table);
        continue;
      }
      const isList = this.text.startsWith('[[', this.at);
      this.at += isList ? 2 : 1;
      const path = this.keyPath();
      this.at += isList ? 2 : 1;
      const name = JSON.stringify(path);
      if (isList) counts.set(name, (counts.get(name) ?? -1) + 1);
      table = isList ? [...path, String(counts.get(name))] : path;
    }
  }

  private take(pattern: RegExp): string {
    pattern.lastIndex = this.at;
    const [found = ''] = pattern.exec(this.text) ?? [];
    this.at += found.length;
    return found;
  }

  private keyPath(): string[] {
    const path: string[] = [];
    for (;;) {
      this.take(SPACE);
      const quoted = this.take(STRING);
      const name = quoted === '' ? this.take(BARE_KEY) : unquoted(quoted);
      if (quoted === '' && name === '')
        throw new CannotFix('manifest_unreadable', say('A key of the file cannot be read.'));
      path.push(name);
      this.take(SPACE);
      if (this.text[this.at] !== '.') return path;
      this.at += 1;
    }
  }

  private member(table: readonly string[]): void {
    const path = [...table, ...this.keyPath()];
    this.at += 1;
    this.take(SPACE);
    this.value(path);
  }

  private value(path: readonly string[]): void {
    const opening = this.text[this.at];
    if (opening === '[' || opening === '{') {
      this.list(path, opening === '[' ? ']' : '}');
      return;
    }
    const start = this.at;
    const literal = this.take(STRING);
    if (literal === '') this.take(BARE_VALUE);
    else if (!literal.startsWith('"""') && !literal.startsWith("'''")) {
      this.strings.push({ path, value: unquoted(literal), start, end: this.at });
    }
  }

  private list(path: readonly string[], closing: string): void {
    this.at += 1;
    for (let index = 0; ; index += 1) {
      this.take(SPACE_AND_COMMENTS);
      if (this.at >= this.text.length) return;
      if (this.text[this.at] === closing) break;
      if (closing === ']') this.value([...path, String(index)]);
      else this.member(path);
      this.take(SPACE_AND_COMMENTS);
      if (this.text[this.at] === ',') this.at += 1;
    }
    this.at += 1;
  }
}

const isObject = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && !(value instanceof Date);

/** How many values of two documents of the same shape differ; what has another shape counts as many. */
const differences = (a: unknown, b: unknown): number => {
  if (!isObject(a) || !isObject(b)) return isDeepStrictEqual(a, b) ? 0 : 1;
  const [left, right] = [Object.entries(a), Object.entries(b)];
  if (left.length !== right.length) return Number.POSITIVE_INFINITY;
  return left.reduce((sum, [key, value], index) => {
    const [name, other] = right[index] ?? [];
    return sum + (name === key ? differences(value, other) : Number.POSITIVE_INFINITY);
  }, 0);
};

const readToml = (text: string, path: string): unknown => {
  try {
    return parse(text);
  } catch {
    throw new CannotFix('manifest_unreadable', say('{path} is not valid TOML.', { path }));
  }
};

/** The strings of a document in their order, those of several lines left out. @throws CannotFix */
export const tomlStrings = (text: string, path: string): readonly TomlString[] => {
  readToml(text, path);
  return new TomlReader(text).read();
};

const quotedLike = (literal: string, value: string): string =>
  literal.startsWith("'") && !value.includes("'") ? `'${value}'` : JSON.stringify(value);

/**
 * Replaces strings of a TOML document; all other bytes stay. The outcome is read again and must differ in these strings alone.
 * @param change the new value of a string, or undefined to leave it.
 * @returns the text, and the strings for which `change` gave a value. @throws CannotFix
 */
export const editToml = (
  content: string,
  path: string,
  change: (found: TomlString, all: readonly TomlString[]) => string | undefined,
): { text: string; matches: number } => {
  const offset = content.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
  const text = content.slice(offset);
  const before = readToml(text, path);
  const strings = new TomlReader(text).read();
  const values = strings.map((found) => ({ found, value: change(found, strings) }));
  const edits = values.flatMap(({ found, value }): TextEdit[] =>
    value === undefined || value === found.value
      ? []
      : [{ start: found.start, end: found.end, text: quotedLike(text.slice(found.start, found.end), value) }],
  );
  const after = applyEdits(text, edits);
  if (differences(before, readToml(after, path)) !== edits.length) {
    throw new CannotFix(
      'manifest_unreadable',
      say('{path} cannot be edited without changing more than the version.', { path }),
    );
  }
  return { text: content.slice(0, offset) + after, matches: values.filter(({ value }) => value !== undefined).length };
};
