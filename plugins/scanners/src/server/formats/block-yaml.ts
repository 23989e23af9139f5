import { ReportError } from '@breakwater/sdk';
import { LIMITS } from '../lib/limits.ts';
import { blockText, plainValue, QuotedText } from './yaml-scalars.ts';

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
    if (!this.isEnd) throw this.fault('stands behind the end of the report');
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
        if (whole === undefined || name === undefined) throw this.fault('is neither “name: value” nor “- value”');
        entries[keyOf(name)] = this.entryValue(indent, rest.slice(whole.length));
      }
    }
    return entries;
  }

  /** Names of more than 128 characters: `? name` and `: value` on lines of their own. */
  private longEntry(indent: number, entries: Record<string, unknown>): void {
    const name = String(this.inner(indent));
    this.skipBlank();
    const hasValue = this.indent === indent && this.line.slice(indent).startsWith(':');
    entries[name] = hasValue ? this.inner(indent) : null;
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
    const parts = [rest.replace(/\s+#.*$/, '')];
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
        throw this.fault('opens a quote that is never closed: the file is cut off', start);
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

  private fault(why: string, line = this.number): ReportError {
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
