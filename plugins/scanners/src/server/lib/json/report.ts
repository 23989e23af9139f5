import { ReportError } from '@breakwater/sdk';
import { headText } from '../input/decode.ts';
import { LIMITS } from '../limits.ts';
import { isRecord } from '../values/read.ts';
import { JsonError } from './scan.ts';

/**
 * What to keep of each known field of a report: `value` parses it at once (small), `records` are handed on one after the
 * other (many), `object` and `each` describe a sub-document or a list of them. Everything else is skipped.
 */
export type JsonPart = 'value' | 'records' | { readonly object: JsonShape } | { readonly each: JsonShape };

export interface JsonShape {
  readonly [key: string]: JsonPart;
}

/** One object of a report, taken apart as its shape says. */
export class JsonNode {
  readonly values = new Map<string, unknown>();
  /** Names of the lists of records that it has. */
  readonly lists = new Set<string>();
  readonly children = new Map<string, JsonNode[]>();
  /** The object around it; undefined for a whole report. */
  readonly parent: JsonNode | undefined;
  /** Its name in the object around it. */
  readonly key: string;
  /** True when nothing is added any more. */
  isClosed = false;
  /** Names of children that stand in a list. */
  private readonly listed = new Set<string>();

  constructor(parent?: JsonNode, key = '') {
    this.parent = parent;
    this.key = key;
  }

  get isKnown(): boolean {
    return this.values.size + this.lists.size + this.children.size > 0;
  }

  /** The whole report that it is a part of. */
  get root(): JsonNode {
    return this.parent?.root ?? this;
  }

  /** True for a list that is there and was not written as null. */
  isListed(key: string): boolean {
    return this.lists.has(key) && this.values.get(key) !== null;
  }

  child(key: string): JsonNode | undefined {
    return this.children.get(key)?.[0];
  }

  /** Where it stands in the report: `runs[0]`, nothing for a whole one. */
  get path(): string {
    const { parent, key } = this;
    if (parent === undefined) return '';
    const among = parent.children.get(key) ?? [];
    const name = parent.listed.has(key) ? `${key}[${among.indexOf(this)}]` : key;
    return parent.path === '' ? name : `${parent.path}.${name}`;
  }

  addChildren(key: string, isList: boolean): JsonNode[] {
    const children: JsonNode[] = [];
    this.children.set(key, children);
    if (isList) this.listed.add(key);
    return children;
  }
}

/** Takes what `takeApart` finds. @throws ReportError when it is too much */
export interface Taking {
  node(): void;
  list(node: JsonNode, name: string, records: readonly unknown[]): void;
  /** A list that is written as null. */
  nothing(node: JsonNode, name: string): void;
}

/** Fills a node from an object that has been read as a whole. */
export function takeApart(
  node: JsonNode,
  value: Readonly<Record<string, unknown>>,
  shape: JsonShape,
  taking: Taking,
): void {
  taking.node();
  for (const name of Object.keys(value)) {
    const part = Object.hasOwn(shape, name) ? shape[name] : undefined;
    if (part !== undefined) takePart(node, name, value[name], part, taking);
  }
  node.isClosed = true;
}

function takePart(node: JsonNode, name: string, found: unknown, part: JsonPart, taking: Taking): void {
  if (part === 'value') node.values.set(name, found);
  else if (found === null) taking.nothing(node, name);
  else if (part === 'records') {
    if (!Array.isArray(found)) return;
    node.lists.add(name);
    taking.list(node, name, found);
  } else {
    const isList = 'each' in part;
    if (isList !== Array.isArray(found)) return;
    const shape = isList ? part.each : part.object;
    const children = node.addChildren(name, isList);
    for (const child of Array.isArray(found) ? found : [found]) {
      if (!isRecord(child)) continue;
      const inner = new JsonNode(node, name);
      children.push(inner);
      takeApart(inner, child, shape, taking);
    }
  }
}

/** Parses one value of the report's frame. @throws JsonError, ReportError report_too_complex */
export function parseValue(bytes: Buffer, from: number, stop: number): unknown {
  if (stop - from > LIMITS.valueBytes) {
    throw new ReportError('report_too_complex', 'One value of the report is larger than 32 MB.');
  }
  try {
    return JSON.parse(bytes.toString('utf8', from, stop));
  } catch {
    throw new JsonError('a value is not valid JSON', from);
  }
}

export function tooMany(): ReportError {
  return new ReportError(
    'report_too_complex',
    'The report holds more than five million records or 200,000 parts. Split it, or narrow the scan.',
  );
}

/** The refusal of a file that is no JSON, whose first bytes are given. */
export function malformed(head: Uint8Array, error: JsonError, place: { line: number; column: number }): ReportError {
  if (isWebPage(head)) {
    return new ReportError(
      'report_malformed',
      'The file is a web page (HTML), not JSON: probably the error or sign-in page of a proxy. Nothing was imported.',
      { cause: error },
    );
  }
  return new ReportError(
    'report_malformed',
    `The file is not valid JSON: ${error.message} (line ${place.line}, column ${place.column}). Nothing was imported.`,
    { cause: error },
  );
}

/** True for a page that a proxy or sign-in form put in the place of the report. */
export function isWebPage(bytes: Uint8Array): boolean {
  return /^\s*<(?:!doctype\s+html|html)/i.test(headText(bytes.subarray(0, 1_024)).toString('utf8'));
}
