import { ReportError } from '@breakwater/sdk';
import { SaxesParser, type SaxesTagNS } from 'saxes';
import { detectEncoding } from '../input/byte-window.ts';
import { LIMITS } from '../limits.ts';
import { clean } from '../values/read.ts';

const NO_CHILDREN: readonly XmlElement[] = [];
const NO_ATTRIBUTES: ReadonlyMap<string, string> = new Map();

/** One element with all that is inside it. Names are local names: reports move between namespaces from version to version. */
export class XmlElement {
  readonly name: string;
  readonly attributes: ReadonlyMap<string, string>;
  // Most elements have no children or no text: neither list is made before it is needed.
  private inner: XmlElement[] | undefined;
  private parts: string[] | undefined;
  private chars = 0;

  constructor(name: string, attributes: ReadonlyMap<string, string>) {
    this.name = name;
    this.attributes = attributes;
  }

  addText(part: string): void {
    // Longer texts are cut in the end; collecting them would only cost memory.
    if (this.chars > LIMITS.textChars * 4) return;
    this.chars += part.length;
    this.parts ??= [];
    this.parts.push(part);
  }

  get text(): string {
    return this.rawText.trim();
  }

  /** With the white space around it: source code counts its lines. */
  get rawText(): string {
    return this.parts === undefined ? '' : clean(this.parts.join(''));
  }

  get children(): readonly XmlElement[] {
    return this.inner ?? NO_CHILDREN;
  }

  append(child: XmlElement): void {
    this.inner ??= [];
    this.inner.push(child);
  }

  child(name: string): XmlElement | undefined {
    return this.children.find((child) => child.name === name);
  }

  all(name: string): XmlElement[] {
    return this.children.filter((child) => child.name === name);
  }

  /** Texts of the children by name, of several with one name the last. */
  get texts(): Readonly<Record<string, string | undefined>> {
    return Object.fromEntries(this.children.map((child) => [child.name, child.text]));
  }

  /** Text of a child; undefined when it is missing or blank. */
  textOf(name: string): string | undefined {
    const text = this.child(name)?.text;
    return text === '' ? undefined : text;
  }
}

export interface XmlShape {
  /** Local name of the root element. */
  root: string;
  /** Part of the root's namespace. */
  namespace: string;
  /** Paths of the elements to hand out, from below the root: `dependencies/dependency`. */
  records: readonly string[];
  /** Local names of elements to hand out wherever they stand. */
  anywhere?: readonly string[];
  /** Paths of elements around records that are handed out as they open, with nothing inside: `site`. */
  heads?: readonly string[];
  /** True for a tool whose reports begin with declarations of elements and attributes. Entities and other files are refused there too. */
  declaresElements?: boolean;
  /** Name of the tool for messages. */
  tool: string;
}

export interface XmlRecord {
  path: string;
  element: XmlElement;
  /** True for an element of `heads`. */
  isHead: boolean;
  /** Attributes of the elements around the record, the root's first. */
  above: readonly ReadonlyMap<string, string>[];
}

/**
 * Streams the elements at the given paths. Document types, and with them entities, are refused before any is read.
 * @throws ReportError report_malformed with the position, report_wrong_tool, report_too_complex
 */
export async function* readXml(
  report: AsyncIterable<Uint8Array>,
  shape: XmlShape,
  signal: AbortSignal,
): AsyncGenerator<XmlRecord> {
  const builder = new XmlBuilder(shape);
  let decoder: TextDecoder | undefined;
  for await (const chunk of report) {
    signal.throwIfAborted();
    decoder ??= decoderFor(chunk);
    builder.write(decoder.decode(chunk, { stream: true }));
    yield* builder.take();
  }
  if (decoder !== undefined) builder.write(decoder.decode());
  builder.close();
  yield* builder.take();
}

function decoderFor(head: Uint8Array): TextDecoder {
  const { encoding } = detectEncoding(head);
  if (encoding !== 'utf-8') return new TextDecoder(encoding);
  const start = Buffer.from(head.subarray(0, 200)).toString('latin1');
  const declared = /^\s*<\?xml[^>]*encoding=["']([\w-]+)["']/.exec(start)?.[1];
  const isSingleByte = declared !== undefined && /^(?:iso-8859-\d+|windows-125\d|us-ascii)$/i.test(declared);
  return new TextDecoder(isSingleByte ? declared : 'utf-8');
}

class XmlBuilder {
  private readonly shape: XmlShape;
  private readonly parser = new SaxesParser({ xmlns: true, position: true });
  private readonly path: string[] = [];
  /** Attributes of the open elements that are not part of a record. */
  private readonly above: ReadonlyMap<string, string>[] = [];
  /** Elements of the record under construction, innermost last. */
  private readonly open: XmlElement[] = [];
  private ready: XmlRecord[] = [];
  private hasRoot = false;
  private isBlank = true;
  private records = 0;
  /** Elements of the record under construction. */
  private elements = 0;

  constructor(shape: XmlShape) {
    this.shape = shape;
    this.parser.on('error', (error) => {
      throw this.malformed(error.message.replace(/^\d+:\d+: /, ''));
    });
    this.parser.on('doctype', (declared) => {
      if (shape.declaresElements === true && declaresNothingElse(declared)) return;
      throw this.malformed('it declares a document type (DTD), which is refused because entities in it can read files');
    });
    this.parser.on('opentag', (tag) => this.opened(tag));
    this.parser.on('text', (text) => this.open.at(-1)?.addText(text));
    this.parser.on('cdata', (text) => this.open.at(-1)?.addText(text));
    this.parser.on('closetag', () => this.closed());
  }

  write(text: string): void {
    if (text === '') return;
    if (this.isBlank && text.trim() !== '') {
      this.isBlank = false;
      if (!text.trimStart().startsWith('<')) throw this.malformed('it does not begin with a tag');
    }
    this.parser.write(text);
  }

  close(): void {
    if (this.isBlank)
      throw new ReportError('report_empty', 'The file is empty. Check that the scanner wrote its report.');
    this.parser.close();
  }

  take(): XmlRecord[] {
    const taken = this.ready;
    this.ready = [];
    return taken;
  }

  private opened(tag: SaxesTagNS): void {
    if (this.path.length >= LIMITS.depth) {
      throw tooComplex(`it nests elements more than ${LIMITS.depth} levels deep`);
    }
    if (!this.hasRoot) this.root(tag);
    this.path.push(tag.local);
    const parent = this.open.at(-1);
    if (parent === undefined && !this.isRecord(tag.local)) {
      this.openedAround(tag.local, attributesOf(tag));
      return;
    }
    this.elements = parent === undefined ? 1 : this.elements + 1;
    if (this.elements > LIMITS.elements) throw tooComplex('one record holds too many elements');
    const element = new XmlElement(tag.local, attributesOf(tag));
    parent?.append(element);
    this.open.push(element);
  }

  private openedAround(name: string, attributes: ReadonlyMap<string, string>): void {
    const path = this.path.slice(1).join('/');
    if (this.shape.heads?.includes(path) === true)
      this.add({ path, element: new XmlElement(name, attributes), isHead: true, above: [...this.above] });
    this.above.push(attributes);
  }

  private add(record: XmlRecord): void {
    this.records += 1;
    if (this.records > LIMITS.records) throw tooComplex('it holds too many records');
    this.ready.push(record);
  }

  private isRecord(name: string): boolean {
    const { records, anywhere } = this.shape;
    return anywhere?.includes(name) === true || records.includes(this.path.slice(1).join('/'));
  }

  private root(tag: SaxesTagNS): void {
    const { root, namespace, tool } = this.shape;
    this.hasRoot = true;
    if (tag.local === root && tag.uri.toLowerCase().includes(namespace)) return;
    throw new ReportError(
      'report_wrong_tool',
      `This is not a report of ${tool}: its root element is <${tag.local.slice(0, 60)}>. Choose the tool that wrote it.`,
    );
  }

  private closed(): void {
    const element = this.open.pop();
    if (element === undefined) this.above.pop();
    else if (this.open.length === 0) {
      this.add({ path: this.path.slice(1).join('/'), element, isHead: false, above: [...this.above] });
    }
    this.path.pop();
  }

  private malformed(reason: string): ReportError {
    const { line, column } = this.parser;
    return new ReportError(
      'report_malformed',
      `The file is not valid XML: ${reason} (line ${line}, column ${column}). Nothing was imported.`,
    );
  }
}

/** A document type that says of elements what may stand in them, names no other file and makes no entity. */
function declaresNothingElse(declared: string): boolean {
  const open = declared.indexOf('[');
  const outside = open < 0 ? declared : declared.slice(0, open);
  if (/\b(?:SYSTEM|PUBLIC)\b/i.test(outside)) return false;
  return !declared.includes('%') && !/<!(?!ELEMENT\s|ATTLIST\s)/.test(declared);
}

/**
 * Name of the root element at the start of a file, without its prefix. Comments and processing instructions before it are passed over
 * one by one: a single pattern for all of them tries exponentially many ways to divide a text that has no root.
 */
export function rootName(start: string): string | undefined {
  const element = /\s*<(?:[\w.-]+:)?([\w.-]+)/y;
  const opening = /\s*<(\?|!--)/y;
  for (let at = 0; at >= 0; ) {
    opening.lastIndex = at;
    const found = opening.exec(start);
    if (found === null) {
      element.lastIndex = at;
      return element.exec(start)?.[1];
    }
    const end = found[1] === '?' ? '?>' : '-->';
    const close = start.indexOf(end, opening.lastIndex);
    at = close === -1 ? -1 : close + end.length;
  }
  return undefined;
}

function attributesOf(tag: SaxesTagNS): ReadonlyMap<string, string> {
  const attributes = Object.values(tag.attributes);
  if (attributes.length === 0) return NO_ATTRIBUTES;
  return new Map(attributes.map((attribute) => [attribute.local, clean(attribute.value)]));
}

function tooComplex(reason: string): ReportError {
  return new ReportError(
    'report_too_complex',
    `The report is refused: ${reason}. Scanners do not write that; export it again.`,
  );
}
