import { isDeepStrictEqual } from 'node:util';
import { type Document, isAlias, isMap, isScalar, isSeq, type ParsedNode, parseAllDocuments, type YAMLMap } from 'yaml';
import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from './cannot-fix.ts';
import { applyEdits, lineEndOf, type TextEdit } from './edits.ts';

export type YamlPath = readonly (string | number)[];
export type YamlValue = string | number | boolean | readonly YamlValue[] | { readonly [key: string]: YamlValue };

/** One document of a file; offsets are of the whole file. */
export type YamlDocument = Document.Parsed;

/** Documents of a file. @throws CannotFix where one of them cannot be read, or its anchors grow without bound. */
export const readYaml = (text: string, path: string): readonly YamlDocument[] => {
  try {
    const documents = parseAllDocuments(text, { logLevel: 'silent' });
    if (Array.isArray(documents) && documents.every(({ errors }) => errors.length === 0)) return documents;
  } catch {
    // nested too deeply: said below
  }
  throw new CannotFix(
    'manifest_unreadable',
    say('{path} is not valid YAML, or a template of another language.', { path }),
  );
};

/** Value of a document as plain objects. @throws CannotFix for anchors that grow without bound. */
export const plainValue = (document: YamlDocument, path: string): unknown => {
  try {
    return document.toJS({ maxAliasCount: 100 });
  } catch {
    throw new CannotFix('manifest_unreadable', say('{path} repeats anchors too often.', { path }));
  }
};

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The value with another one at a path; objects on the way that are missing are added. */
const withValue = (value: unknown, [key, ...rest]: YamlPath, given: YamlValue): unknown => {
  if (key === undefined) return given;
  if (Array.isArray(value)) return value.map((item, index) => (index === key ? withValue(item, rest, given) : item));
  const record = isRecord(value) ? value : {};
  const inner = Object.hasOwn(record, key) ? record[String(key)] : undefined;
  return Object.fromEntries([
    ...Object.entries(record).filter(([name]) => name !== key),
    [String(key), withValue(inner, rest, given)],
  ]);
};

/** In flow style, which every place of a document takes. JSON is YAML. */
const flowText = (value: YamlValue): string => JSON.stringify(value);

const blockLines = (key: string, value: YamlValue, indent: string): string[] => {
  const name = /^[A-Za-z][\w.-]*$/.test(key) ? key : JSON.stringify(key);
  if (typeof value !== 'object' || Array.isArray(value)) return [`${indent}${name}: ${flowText(value)}`];
  const inner = Object.entries(value).flatMap(([member, own]) => blockLines(member, own, `${indent}  `));
  return [`${indent}${name}:`, ...inner];
};

/** `a: {b: {c: value}}` of the keys that are missing. */
const wrapped = (keys: YamlPath, value: YamlValue): YamlValue =>
  keys.reduceRight<YamlValue>((inner, key) => ({ [String(key)]: inner }), value);

const nodeAt = (node: ParsedNode | null, path: YamlPath): { node: ParsedNode | null; rest: YamlPath } => {
  let at = node;
  for (const [index, key] of path.entries()) {
    const next: unknown = isMap(at) || isSeq(at) ? at.get(key, true) : undefined;
    if (next === undefined || next === null) return { node: at, rest: path.slice(index) };
    const [found] = isMap(at)
      ? at.items.flatMap((pair) =>
          isScalar(pair.key) && pair.key.value === key && pair.value !== null ? [pair.value] : [],
        )
      : isSeq(at)
        ? at.items.filter((_, position) => position === key)
        : [];
    if (found === undefined) return { node: at, rest: path.slice(index) };
    at = found;
  }
  return { node: at, rest: [] };
};

/** Adds a member behind the last one of a map that is written in lines. */
const blockInsertion = (text: string, map: YAMLMap.Parsed, key: string, value: YamlValue): TextEdit => {
  const [first] = map.items;
  const start = first?.key.range?.[0] ?? map.range[0];
  const lineStart = Math.max(text.lastIndexOf('\n', start - 1), text.lastIndexOf('\r', start - 1)) + 1;
  const indent = ' '.repeat(start - lineStart);
  const lineEnd = lineEndOf(text);
  const lines = blockLines(key, value, indent).join(lineEnd);
  const end = map.range[1];
  // the text of a block ends with its line, other values before it, maybe with a comment behind them
  if (end > 0 && text[end - 1] === '\n') return { start: end, end, text: `${lines}${lineEnd}` };
  const rest = /[\r\n]/.exec(text.slice(end));
  const at = rest === null ? text.length : end + rest.index;
  return { start: at, end: at, text: `${lineEnd}${lines}` };
};

const editOf = (text: string, path: string, document: YamlDocument, keys: YamlPath, value: YamlValue): TextEdit => {
  const { node, rest } = nodeAt(document.contents, keys);
  const [key, ...deeper] = rest;
  if (node !== null && key === undefined) {
    const isBlock = (isMap(node) || isSeq(node)) && node.flow !== true;
    if (!isBlock && !isAlias(node) && !(isScalar(node) && /^[|>]/.test(text.slice(node.range[0], node.range[1])))) {
      const [start, end] = node.range;
      // a key without a value has an empty scalar directly behind its colon
      return { start, end, text: `${start === end ? ' ' : ''}${flowText(value)}` };
    }
  }
  if (isMap(node) && typeof key === 'string') {
    const member = wrapped(deeper, value);
    if (node.flow !== true) return blockInsertion(text, node, key, member);
    const at = node.range[0] + 1;
    const separator = node.items.length > 0 ? ', ' : '';
    return { start: at, end: at, text: `${JSON.stringify(key)}: ${flowText(member)}${separator}` };
  }
  throw new CannotFix(
    'place_not_found',
    say('{path} writes {keys} in a way that is not edited here.', { path, keys: keys.join('.') }),
  );
};

/**
 * Sets a value in a YAML document and leaves every other byte of the file as it is. The outcome is read again, and must differ in this value
 * alone. @throws CannotFix
 */
export const editYaml = (text: string, path: string, index: number, keys: YamlPath, value: YamlValue): string => {
  const documents = readYaml(text, path);
  const document = documents[index];
  if (document === undefined)
    throw new CannotFix(
      'place_not_found',
      say('{path} has no document {number}.', { path, number: String(index + 1) }),
    );
  const expected = documents.map((one, position) => {
    const before = plainValue(one, path);
    return position === index ? withValue(before, keys, value) : before;
  });
  const after = applyEdits(text, [editOf(text, path, document, keys, value)]);
  if (
    !isDeepStrictEqual(
      readYaml(after, path).map((one) => plainValue(one, path)),
      expected,
    )
  ) {
    throw new CannotFix(
      'place_not_found',
      say('{path} cannot be edited without changing more than {keys}.', { path, keys: keys.join('.') }),
    );
  }
  return after;
};
