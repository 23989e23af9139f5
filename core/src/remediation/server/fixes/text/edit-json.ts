import { isDeepStrictEqual } from 'node:util';
import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from './cannot-fix.ts';
import { applyEdits, BYTE_ORDER_MARK, indentBefore, lineEndOf, type TextEdit } from './edits.ts';

/** A text to be set at a path of objects; objects that are missing on the way are added. */
export interface JsonChange {
  readonly path: readonly string[];
  readonly value: string;
}

/** A member of an object, by offsets. */
interface Member {
  readonly path: readonly string[];
  readonly keyStart: number;
  readonly valueStart: number;
  valueEnd: number;
}

/** Deeper members are passed over: nothing that is edited lies deeper. */
const MAX_DEPTH = 4;
/** The end of a string is not asked for, so that no start fails; `JSON.parse` has seen it. */
const TOKEN = /"(?:[^"\\]|\\.)*"?|[{}[\],:]|[^\s"{}[\],:]+/g;

interface Level {
  readonly isObject: boolean;
  readonly path: readonly string[];
  open: Member | undefined;
  key: { text: string; start: number } | undefined;
}

const closeMember = (level: Level | undefined, end: number): void => {
  if (level?.open !== undefined && level.open.valueEnd === -1) level.open.valueEnd = end;
};

/** Members of the objects of a text that `JSON.parse` reads, in order. Does not recurse, so that depth costs nothing. */
const membersOf = (json: string): Member[] => {
  const members: Member[] = [];
  const levels: Level[] = [];
  for (const match of json.matchAll(TOKEN)) {
    const [token] = match;
    const level = levels.at(-1);
    const end = match.index + token.length;
    if (token === '}' || token === ']') {
      levels.pop();
      closeMember(levels.at(-1), end);
    } else if (token === ',') {
      if (level !== undefined) [level.open, level.key] = [undefined, undefined];
    } else if (token === ':') {
      // the value follows
    } else if (level?.isObject && level.key === undefined) {
      level.key = { text: String(JSON.parse(token)), start: match.index };
    } else {
      const path = level?.key === undefined ? (level?.path ?? []) : [...level.path, level.key.text];
      if (level?.key !== undefined && level.path.length < MAX_DEPTH) {
        level.open = { path, keyStart: level.key.start, valueStart: match.index, valueEnd: -1 };
        members.push(level.open);
      }
      if (token === '{' || token === '[') {
        // members of lists have no path of names
        const isReachable = token === '{' && (levels.length === 0 || (level?.isObject && path.length < MAX_DEPTH));
        const inner = isReachable ? path : Array.from({ length: MAX_DEPTH }, () => '');
        levels.push({ isObject: token === '{', path: inner, open: undefined, key: undefined });
      } else closeMember(level, end);
    }
  }
  return members;
};

const isSamePath = (a: readonly string[], b: readonly string[]): boolean =>
  a.length === b.length && a.every((part, index) => part === b[index]);

/** The objects of a document by own members alone: `__proto__` is a name like any other. */
type Json = Readonly<Record<string, unknown>>;
const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
export const memberOf = (value: unknown, ...path: readonly string[]): unknown => {
  let at = value;
  for (const name of path) at = isObject(at) && Object.hasOwn(at, name) ? at[name] : undefined;
  return at;
};

const withValue = (document: Json, [name, ...rest]: readonly string[], value: string): Json => {
  if (name === undefined) return document;
  const inner = memberOf(document, name);
  const changed = rest.length === 0 ? value : withValue(isObject(inner) ? inner : {}, rest, value);
  const copy = Object.fromEntries(Object.entries(document).filter(([key]) => key !== name));
  return Object.fromEntries([...Object.entries(copy), [name, changed]]);
};

/** Reads a document whose root is an object. @throws CannotFix where it is none or cannot be read. */
export const readJson = (content: string, path: string): Json => {
  try {
    const document: unknown = JSON.parse(content.startsWith(BYTE_ORDER_MARK) ? content.slice(1) : content);
    if (isObject(document)) return document;
  } catch {
    // said below
  }
  throw new CannotFix('manifest_unreadable', say('{path} is not a valid JSON object.', { path }));
};

const unitOf = (json: string): string => /^[ \t]+(?=")/m.exec(json)?.[0] ?? '';

/** `"name": value`, or with the objects that are missing on the way. */
const memberText = (names: readonly string[], value: string, indent: string, unit: string, lineEnd: string): string => {
  const [name = '', ...rest] = names;
  if (rest.length === 0) return `${JSON.stringify(name)}: ${JSON.stringify(value)}`;
  const inner = memberText(rest, value, indent + unit, unit, lineEnd);
  return unit === ''
    ? `${JSON.stringify(name)}: {${inner}}`
    : `${JSON.stringify(name)}: {${lineEnd}${indent}${unit}${inner}${lineEnd}${indent}}`;
};

const insertion = (json: string, members: readonly Member[], change: JsonChange): TextEdit => {
  const known = change.path.findLastIndex((_, index) =>
    members.some(({ path }) => isSamePath(path, change.path.slice(0, index + 1))),
  );
  const parentPath = change.path.slice(0, known + 1);
  const parent = members.find(({ path }) => isSamePath(path, parentPath));
  const start = parent?.valueStart ?? json.indexOf('{');
  const end = parent?.valueEnd ?? json.lastIndexOf('}') + 1;
  const unit = unitOf(json);
  const lineEnd = lineEndOf(json);
  const siblings = members.filter(({ path }) => path.length === known + 2 && isSamePath(path.slice(0, -1), parentPath));
  const last = siblings.at(-1);
  const names = change.path.slice(known + 1);
  const depth = unit.repeat(known + 2);
  if (last !== undefined) {
    const indent = indentBefore(json, last.keyStart);
    const text = memberText(names, change.value, indent ?? '', indent === undefined ? '' : unit, lineEnd);
    const gap = indent === undefined ? ' ' : `${lineEnd}${indent}`;
    return { start: last.valueEnd, end: last.valueEnd, text: `,${gap}${text}` };
  }
  const text = memberText(names, change.value, depth, unit, lineEnd);
  return {
    start: start + 1,
    end: end - 1,
    text: unit === '' ? text : `${lineEnd}${depth}${text}${lineEnd}${unit.repeat(known + 1)}`,
  };
};

/** Values nested too deeply to be compared count as different. */
const isSame = (a: unknown, b: unknown): boolean => {
  try {
    return isDeepStrictEqual(a, b);
  } catch (error) {
    if (error instanceof RangeError) return false;
    throw error;
  }
};

/**
 * Sets texts in a JSON document and leaves every other byte as it is: format, order, line ends, byte order mark. The outcome is read again
 * and must differ in these values alone. @throws CannotFix where it is no JSON object, or names a member twice.
 */
export const editJson = (content: string, path: string, changes: readonly JsonChange[]): string => {
  let expected = readJson(content, path);
  let text = content;
  for (const change of changes) {
    const offset = text.startsWith(BYTE_ORDER_MARK) ? 1 : 0;
    const json = text.slice(offset);
    const members = membersOf(json);
    const found = change.path.map((_, index) =>
      members.filter((member) => isSamePath(member.path, change.path.slice(0, index + 1))),
    );
    if (found.some((list) => list.length > 1)) {
      throw new CannotFix(
        'manifest_unreadable',
        say('{path} names {key} more than once.', { path, key: change.path.join('.') }),
      );
    }
    const [member] = found.at(-1) ?? [];
    const edit =
      member === undefined
        ? insertion(json, members, change)
        : { start: member.valueStart, end: member.valueEnd, text: JSON.stringify(change.value) };
    text = text.slice(0, offset) + applyEdits(json, [edit]);
    expected = withValue(expected, change.path, change.value);
  }
  if (!isSame(readJson(text, path), expected)) {
    throw new CannotFix(
      'manifest_unreadable',
      say('{path} cannot be edited without changing more than the version.', { path }),
    );
  }
  return text;
};
