import { ReportError } from '@breakwater/sdk';
import { LIMITS } from '../limits.ts';

/**
 * The YAML that scanners write: mappings and lists by indentation, with plain, quoted and block texts. No anchors, tags or lists in
 * brackets: scanners do not write them, and references could blow a small file up to any size.
 * @throws ReportError report_malformed with the line, report_too_complex
 */
export function parseBlockYaml(bytes: Buffer): unknown {
  return new BlockYaml(bytes).document();
}

/** The report as JSON, for the parser of the same tool's JSON. @throws ReportError */
export function yamlAsJson(bytes: Buffer, change: (report: unknown) => unknown = same): Buffer {
  return Buffer.from(JSON.stringify(change(parseBlockYaml(bytes))) ?? 'null');
}

/** YAML has no end to miss: what the tool writes last tells whether the report is whole. */
export function cutOff(missing: string): ReportError {
  const message = `The file is cut off: it ends before ${missing}. Nothing was imported. Check that the scanner finished.`;
  return new ReportError('report_malformed', message);
}

const same = (report: unknown): unknown => report;

const ENTRY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#?|>[\]{}-].*?|-[^\s#].*?):(?: +|$)/;

class BlockYaml {
  private readonly bytes: Buffer;
  /** Where the next line begins. */
  private next = 0;
  /** Number of the current line, counted from 1. */
  private number = 0;
  /** The current line: lines are decoded one by one, as a large report would not fit in memory a second time. */
  private line = '';
  private isEnd = false;
  private depth = 0;

  constructor(bytes: Buffer) {
    this.bytes = bytes;
    this.advance();
  }

  private advance(): void {
    this.number += 1;
    this.isEnd = this.next > this.bytes.length;
    const newline = this.bytes.indexOf(0x0a, this.next);
    const end = newline < 0 ? this.bytes.length : newline;
    const text = this.isEnd ? '' : this.bytes.toString('utf8', this.next, end);
    this.line = text.endsWith('\r') ? text.slice(0, -1) : text;
    this.next = end + 1;
  }

  document(): unknown {
    this.skipBlank();
    if (this.line.trimEnd() === '---') this.advance();
    const value = this.node(-1);
    this.skipBlank();
    if (this.line.trimEnd() === '...') this.advance();
    this.skipBlank();
    if (!this.isEnd) throw this.malformed('stands behind the end of the report');
    return value;
  }

  private get indent(): number {
    return this.line.length - this.line.trimStart().length;
  }

  private skipBlank(): void {
    while (!this.isEnd && /^\s*(?:#.*)?$/.test(this.line)) this.advance();
  }

  /** Whatever stands at the next line, when it is indented by more than `parent`; else null. */
  private node(parent: number): unknown {
    this.skipBlank();
    const { indent } = this;
    if (this.isEnd || indent <= parent) return null;
    this.depth += 1;
    if (this.depth > LIMITS.depth) throw tooDeep();
    const rest = this.line.slice(indent);
    let value: unknown;
    if (isItem(rest)) value = this.list(indent);
    else if (rest.startsWith('? ') || ENTRY.test(rest)) value = this.mapping(indent);
    else value = this.scalar(rest, parent);
    this.depth -= 1;
    return value;
  }

  private list(indent: number): unknown[] {
    const items: unknown[] = [];
    for (this.skipBlank(); this.indent === indent && isItem(this.line.slice(indent)); this.skipBlank()) {
      items.push(this.inner(indent));
    }
    return items;
  }

  /** What follows an indicator (`-`, `?`, `:`), as if it stood on a line of its own. */
  private inner(indent: number): unknown {
    this.line = `${' '.repeat(indent + 1)}${this.line.slice(indent + 1)}`;
    if (/^\s*(?:#.*)?$/.test(this.line)) this.advance();
    return this.node(indent);
  }

  private mapping(indent: number): Record<string, unknown> {
    const entries: Record<string, unknown> = Object.create(null);
    for (this.skipBlank(); !this.isEnd && this.indent === indent; this.skipBlank()) {
      const rest = this.line.slice(indent);
      if (isItem(rest) || /^(?:---|\.\.\.)\s*$/.test(rest)) break;
      if (rest.startsWith('? ')) this.longEntry(indent, entries);
      else {
        const [whole, name] = ENTRY.exec(rest) ?? [];
        if (whole === undefined || name === undefined) throw this.malformed('is neither “name: value” nor “- value”');
        entries[keyOf(name)] = this.entryValue(indent, rest.slice(whole.length));
      }
    }
    return entries;
  }

  /** Names of more than 128 characters: `? name` and `: value` on lines of their own. */
  private longEntry(indent: number, entries: Record<string, unknown>): void {
    const line = this.number;
    const name = this.inner(indent);
    if (typeof name === 'object' && name !== null) throw this.malformed('has a list or a mapping for a name', line);
    this.skipBlank();
    const hasValue = this.indent === indent && this.line.slice(indent).startsWith(':');
    entries[String(name)] = hasValue ? this.inner(indent) : null;
  }

  private entryValue(indent: number, rest: string): unknown {
    if (rest !== '' && !rest.startsWith('#')) return this.scalar(rest, indent);
    this.advance();
    this.skipBlank();
    // Lists may stand at the indentation of their name.
    if (this.indent === indent && isItem(this.line.slice(indent))) return this.list(indent);
    return this.node(indent);
  }

  /** A text that begins with `rest` of the current line; the next lines belong to it as far as they are indented more. */
  private scalar(rest: string, parent: number): unknown {
    if (/^[|>][+-]?\d?[+-]?\s*$/.test(rest)) return this.block(rest, parent);
    if (rest.startsWith('"') || rest.startsWith("'")) return this.quoted(rest);
    this.advance();
    const parts = [withoutComment(rest)];
    while (!this.isEnd && (this.line.trim() === '' || this.indent > parent)) {
      parts.push(this.line.trim());
      this.advance();
    }
    return plainValue(parts);
  }

  private quoted(rest: string): string {
    const text = new QuotedText(rest);
    const start = this.number;
    while (!text.isClosed) {
      this.advance();
      if (this.isEnd) {
        throw this.malformed('opens a quote that is never closed: the file is cut off', start);
      }
      text.add(this.line);
    }
    this.advance();
    return text.value;
  }

  private block(header: string, parent: number): string {
    const lines: string[] = [];
    this.advance();
    while (!this.isEnd && (this.line.trim() === '' || this.indent > parent)) {
      lines.push(this.line);
      this.advance();
    }
    return blockText(header, lines, Math.max(parent, 0));
  }

  private malformed(why: string, line = this.number): ReportError {
    const message = `The file is not valid YAML: line ${line} ${why}. Nothing was imported.`;
    return new ReportError('report_malformed', message);
  }
}

const isItem = (rest: string): boolean => rest === '-' || rest.startsWith('- ');

function keyOf(name: string): string {
  return /^["']/.test(name) ? new QuotedText(name).value : name.trim();
}

function tooDeep(): ReportError {
  return new ReportError(
    'report_too_complex',
    `The report is refused: it is nested more than ${LIMITS.depth} levels deep. Scanners do not write that; export it again.`,
  );
}

/** A text in quotes, which may go over several lines: a line end is a space, an empty line is a line end. */
class QuotedText {
  private readonly quote: string;
  private readonly parts: string[] = [];
  private breaks = 0;
  /** True when the last line ended in a backslash: its end is no part of the text. */
  private isJoined = true;
  isClosed = false;

  /** `start`: the first line, from the quote on. */
  constructor(start: string) {
    this.quote = start.charAt(0);
    this.part(start.slice(1));
  }

  /** The next line. */
  add(line: string): void {
    const text = line.trimStart();
    if (text.trim() === '') this.breaks += 1;
    else {
      if (!this.isJoined) this.parts.push(this.breaks === 0 ? ' ' : '\n'.repeat(this.breaks));
      this.breaks = 0;
      this.part(text);
    }
  }

  get value(): string {
    return this.parts.join('');
  }

  private part(text: string): void {
    const end = this.quote === '"' ? endOfDouble(text) : endOfSingle(text);
    this.isClosed = end >= 0;
    const inside = this.isClosed ? text.slice(0, end) : text.trimEnd();
    this.isJoined = !this.isClosed && this.quote === '"' && /(?:^|[^\\])(?:\\\\)*\\$/.test(inside);
    const said = this.isJoined ? inside.slice(0, -1) : inside;
    this.parts.push(this.quote === '"' ? unescaped(said) : said.replaceAll("''", "'"));
  }
}

function endOfSingle(text: string): number {
  for (let at = text.indexOf("'"); at >= 0; at = text.indexOf("'", at + 2)) {
    if (text.charAt(at + 1) !== "'") return at;
  }
  return -1;
}

function endOfDouble(text: string): number {
  for (let at = 0; at < text.length; at += text.charAt(at) === '\\' ? 2 : 1) {
    if (text.charAt(at) === '"') return at;
  }
  return -1;
}

const ESCAPES: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\u0007'],
  ['b', '\b'],
  ['t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\u001b'],
  ['N', '\u0085'],
  ['_', '\u00a0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
]);

function unescaped(text: string): string {
  return text.replace(/\\(?:x([\da-fA-F]{2})|u([\da-fA-F]{4})|U([\da-fA-F]{8})|(.))/gs, (_, x, u, U, letter) => {
    if (typeof letter === 'string') return ESCAPES.get(letter) ?? letter;
    const code = Number.parseInt(String(x ?? u ?? U), 16);
    return code > 0x10ffff ? '\ufffd' : String.fromCodePoint(code);
  });
}

/** A text without quotes, by its lines: also a number, a truth value or nothing. */
function plainValue(lines: readonly string[]): unknown {
  const text = folded(lines).trim();
  if (text === '' || text === '~' || text === 'null') return null;
  if (text === 'true' || text === 'false') return text === 'true';
  if (text === '[]') return [];
  if (text === '{}') return {};
  return /^-?(?:0|[1-9]\d{0,14})(?:\.\d{1,15})?$/.test(text) ? Number(text) : text;
}

function folded(lines: readonly string[]): string {
  let text = '';
  let breaks = 0;
  for (const line of lines) {
    if (line === '') breaks += 1;
    else {
      if (text !== '') text += breaks === 0 ? ' ' : '\n'.repeat(breaks);
      text += line;
      breaks = 0;
    }
  }
  return text;
}

/** A comment begins with a `#` behind white space. */
function withoutComment(line: string): string {
  for (let at = line.indexOf('#'); at >= 0; at = line.indexOf('#', at + 1))
    if (at > 0 && /\s/.test(line.charAt(at - 1))) return line.slice(0, at).trimEnd();
  return line;
}

function withoutLastLines(text: string): string {
  let end = text.length;
  while (end > 0 && text[end - 1] === '\n') end -= 1;
  return text.slice(0, end);
}

/** A text of its own lines: `|` keeps line ends, `>` makes them spaces; `-` drops the last one. */
function blockText(header: string, lines: readonly string[], parent: number): string {
  const given = /\d/.exec(header)?.[0];
  const first = lines.find((line) => line.trim() !== '') ?? '';
  const indent = given === undefined ? first.length - first.trimStart().length : parent + Number(given);
  const inside = lines.map((line) => line.slice(indent));
  const text = withoutLastLines(header.startsWith('>') ? folded(inside) : inside.join('\n'));
  return header.includes('-') || text === '' ? text : `${text}\n`;
}
