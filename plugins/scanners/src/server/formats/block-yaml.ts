import { ReportError } from '@breakwater/sdk';
import { LIMITS } from '../lib/limits.ts';
import { blockText, plainValue, QuotedText } from './yaml-scalars.ts';

/**
 * The YAML that scanners write: mappings and lists by indentation, with plain, quoted and block texts. No anchors, tags or lists in
 * brackets: scanners do not write them, and references could blow a small file up to any size.
 * @throws ReportError report_malformed with the line, report_too_complex
 */
export function parseBlockYaml(text: string): unknown {
  return new BlockYaml(text.split(/\r?\n/)).document();
}

/** The report as JSON, for the parser of the same tool's JSON. @throws ReportError */
export function yamlAsJson(bytes: Buffer, change: (report: unknown) => unknown = same): Buffer {
  return Buffer.from(JSON.stringify(change(parseBlockYaml(bytes.toString('utf8')))) ?? 'null');
}

/** YAML has no end to miss: what the tool writes last tells whether the report is whole. */
export function cutOff(missing: string): ReportError {
  const message = `The file is cut off: it ends before ${missing}. Nothing was imported. Check that the scanner finished.`;
  return new ReportError('report_malformed', message);
}

const same = (report: unknown): unknown => report;

const ENTRY = /^("(?:[^"\\]|\\.)*"|'(?:[^']|'')*'|[^\s"'#?|>[\]{}-].*?|-[^\s#].*?):(?: +|$)/;

class BlockYaml {
  private readonly lines: string[];
  private at = 0;
  private depth = 0;

  constructor(lines: string[]) {
    this.lines = lines;
  }

  document(): unknown {
    this.skipBlank();
    if (this.lines[this.at]?.trimEnd() === '---') this.at += 1;
    const value = this.node(-1);
    this.skipBlank();
    if (this.line.trimEnd() === '...') this.at += 1;
    this.skipBlank();
    if (this.at < this.lines.length) throw this.fault('stands behind the end of the report');
    return value;
  }

  private get line(): string {
    return this.lines[this.at] ?? '';
  }

  private get indent(): number {
    return this.line.length - this.line.trimStart().length;
  }

  private skipBlank(): void {
    while (this.at < this.lines.length && /^\s*(?:#.*)?$/.test(this.line)) this.at += 1;
  }

  /** Whatever stands at the next line, when it is indented by more than `parent`; else null. */
  private node(parent: number): unknown {
    this.skipBlank();
    const { indent } = this;
    if (this.at >= this.lines.length || indent <= parent) return null;
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
    this.lines[this.at] = `${' '.repeat(indent + 1)}${this.line.slice(indent + 1)}`;
    if (/^\s*(?:#.*)?$/.test(this.line)) this.at += 1;
    return this.node(indent);
  }

  private mapping(indent: number): Record<string, unknown> {
    const entries: Record<string, unknown> = Object.create(null);
    for (this.skipBlank(); this.at < this.lines.length && this.indent === indent; this.skipBlank()) {
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
    this.at += 1;
    this.skipBlank();
    // Lists may stand at the indentation of their name.
    if (this.indent === indent && isItem(this.line.slice(indent))) return this.list(indent);
    return this.node(indent);
  }

  /** A text that begins with `rest` of the current line; the next lines belong to it as far as they are indented more. */
  private scalar(rest: string, parent: number): unknown {
    if (/^[|>][+-]?\d?[+-]?\s*$/.test(rest)) return this.block(rest, parent);
    if (rest.startsWith('"') || rest.startsWith("'")) return this.quoted(rest);
    this.at += 1;
    const parts = [rest.replace(/\s+#.*$/, '')];
    while (this.at < this.lines.length && (this.line.trim() === '' || this.indent > parent)) {
      parts.push(this.line.trim());
      this.at += 1;
    }
    return plainValue(parts);
  }

  private quoted(rest: string): string {
    const text = new QuotedText(rest);
    const start = this.at;
    while (!text.isClosed) {
      this.at += 1;
      if (this.at >= this.lines.length) {
        this.at = start;
        throw this.fault('opens a quote that is never closed: the file is cut off');
      }
      text.add(this.line);
    }
    this.at += 1;
    return text.value;
  }

  private block(header: string, parent: number): string {
    const lines: string[] = [];
    this.at += 1;
    while (this.at < this.lines.length && (this.line.trim() === '' || this.indent > parent)) {
      lines.push(this.line);
      this.at += 1;
    }
    return blockText(header, lines, Math.max(parent, 0));
  }

  private fault(why: string): ReportError {
    const message = `The file is not valid YAML: line ${this.at + 1} ${why}. Nothing was imported.`;
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
