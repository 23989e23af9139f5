import { say } from '../../../../platform/model/sentence.ts';
import { CannotFix } from './cannot-fix.ts';
import { indentBefore, lineEndOf, type TextEdit } from './edits.ts';

/** A block of HCL by offsets: `resource "aws_s3_bucket" "logs" { … }`. */
export interface HclBlock {
  /** What stands before its brace: `resource`, `aws_s3_bucket`, `logs`. */
  readonly words: readonly string[];
  readonly start: number;
  /** Behind its opening brace. */
  readonly bodyStart: number;
  /** Before its closing brace. */
  readonly bodyEnd: number;
}

/** A text with its strings, comments and heredocs blanked out, so that what is left is structure. */
interface HclText {
  readonly text: string;
  readonly mask: string;
}

/** Where the string that begins at an offset ends; templates `${…}` in it may hold strings again. */
const stringEnd = (text: string, start: number): number => {
  // one entry for each open string (") and template ({)
  const open: string[] = ['"'];
  let at = start + 1;
  while (at < text.length && open.length > 0) {
    const sign = text[at] ?? '';
    const isInString = open.at(-1) === '"';
    if (isInString && sign === '\\') at += 1;
    else if (isInString && (sign === '$' || sign === '%') && text[at + 1] === '{') {
      if (text[at - 1] !== sign) open.push('{');
      at += 1;
    } else if (sign === '"') {
      if (isInString) open.pop();
      else open.push('"');
    } else if (!isInString && sign === '{') open.push('{');
    else if (!isInString && sign === '}') open.pop();
    else if (isInString && (sign === '\n' || sign === '\r'))
      throw new CannotFix('manifest_unreadable', say('A string goes over several lines.'));
    at += 1;
  }
  return at;
};

const endOf = (text: string, start: number): number | undefined => {
  const sign = text[start];
  const next = text[start + 1];
  const lineEnd = (from: number): number => {
    const end = text.indexOf('\n', from);
    return end === -1 ? text.length : end;
  };
  if (sign === '"') return stringEnd(text, start);
  if (sign === '#' || (sign === '/' && next === '/')) return lineEnd(start);
  if (sign === '/' && next === '*') {
    const end = text.indexOf('*/', start + 2);
    return end === -1 ? text.length : end + 2;
  }
  const heredoc =
    sign === '<' && next === '<' ? /^<<-?([\w-]{1,100})[ \t]*\r?$/.exec(text.slice(start, lineEnd(start))) : null;
  if (heredoc === null) return undefined;
  let at = lineEnd(start) + 1;
  while (at <= text.length) {
    const end = lineEnd(at);
    if (text.slice(at, end).trim() === heredoc[1]) return end;
    at = end + 1;
  }
  return text.length;
};

const masked = (text: string): string => {
  const parts: string[] = [];
  let plain = 0;
  for (let at = 0; at < text.length; ) {
    const end = endOf(text, at);
    if (end === undefined) at += 1;
    else {
      const filler = text[at] === '"' ? '_' : ' ';
      parts.push(text.slice(plain, at), text.slice(at, end).replaceAll(/[^\r\n]/g, filler));
      at = end;
      plain = end;
    }
  }
  return parts.join('') + text.slice(plain);
};

const PAIRS: Readonly<Record<string, number>> = { '{': 1, '[': 1, '(': 1, '}': -1, ']': -1, ')': -1 };

/** Blocks that lie directly between two offsets. */
const blocksBetween = ({ text, mask }: HclText, start: number, end: number): HclBlock[] => {
  const blocks: HclBlock[] = [];
  let depth = 0;
  let lineStart = start;
  let open: { words: readonly string[]; start: number; bodyStart: number } | undefined;
  for (let at = start; at < end; at += 1) {
    const sign = mask[at] ?? '';
    if (sign === '\n' || sign === '\r') {
      if (depth === 0) lineStart = at + 1;
      continue;
    }
    const step = PAIRS[sign] ?? 0;
    if (step === 1 && depth === 0 && sign === '{') {
      const head = text.slice(lineStart, at);
      const words = /^\s*[A-Za-z][\w-]*(?:\s+[\w-]+)*\s*$/.test(mask.slice(lineStart, at))
        ? [...head.matchAll(/"([^"]*)"|[\w-]+/g)].map(([word, quoted]) => quoted ?? word)
        : undefined;
      open =
        words === undefined
          ? undefined
          : { words, start: lineStart + (/^\s*/.exec(head)?.[0].length ?? 0), bodyStart: at + 1 };
    }
    depth += step;
    if (depth < 0) throw new CannotFix('manifest_unreadable', say('The brackets of the file do not match.'));
    if (step === -1 && depth === 0 && open !== undefined) {
      blocks.push({ ...open, bodyEnd: at });
      open = undefined;
    }
  }
  if (depth !== 0) throw new CannotFix('manifest_unreadable', say('The brackets of the file do not match.'));
  return blocks;
};

/** Blocks at the top of a file. @throws CannotFix where its brackets do not match. */
export const hclBlocks = (text: string): HclBlock[] => blocksBetween({ text, mask: masked(text) }, 0, text.length);

/** An attribute that stands directly in a block: offsets of its value. */
const attributeOf = (
  { text, mask }: HclText,
  block: HclBlock,
  name: string,
): { start: number; end: number } | undefined => {
  let depth = 0;
  let at = block.bodyStart;
  while (at < block.bodyEnd) {
    const lineEnd = /[\r\n]/.exec(mask.slice(at, block.bodyEnd));
    const end = lineEnd === null ? block.bodyEnd : at + lineEnd.index;
    const line = mask.slice(at, end);
    const match = depth === 0 ? /^\s*([A-Za-z][\w-]*)\s*=(?!=)\s*/.exec(line) : null;
    for (const sign of line) depth += PAIRS[sign] ?? 0;
    if (match !== null && match[1] === name) {
      if (depth !== 0) throw new CannotFix('place_not_found', say('{name} has a value of several lines.', { name }));
      const value = text.slice(at + match[0].length, at + line.trimEnd().length);
      return { start: at + match[0].length, end: at + match[0].length + value.length };
    }
    at = end + 1;
  }
  return undefined;
};

/** What a block gets: attributes with their values as HCL writes them, and blocks inside of it. */
export interface HclContent {
  readonly [name: string]: string | HclContent;
}

export const hclLines = (content: HclContent, indent: string): string[] =>
  Object.entries(content).flatMap(([name, value]) =>
    typeof value === 'string'
      ? [`${indent}${name} = ${value}`]
      : [`${indent}${name} {`, ...hclLines(value, `${indent}  `), `${indent}}`],
  );

const insertion = (source: HclText, block: HclBlock, content: HclContent): TextEdit[] => {
  if (Object.keys(content).length === 0) return [];
  const { text, mask } = source;
  const lineEnd = lineEndOf(text);
  const outer = indentBefore(text, block.start) ?? '';
  const lines = hclLines(content, `${outer}  `)
    .map((line) => `${line}${lineEnd}`)
    .join('');
  const closing = indentBefore(text, block.bodyEnd);
  if (closing !== undefined)
    return [{ start: block.bodyEnd - closing.length, end: block.bodyEnd - closing.length, text: lines }];
  // a block of one line is opened up
  if (mask.slice(block.bodyStart, block.bodyEnd).trim() !== '') {
    throw new CannotFix(
      'place_not_found',
      say('The block {block} stands on one line with its content.', { block: block.words.join('.') }),
    );
  }
  return [{ start: block.bodyStart, end: block.bodyEnd, text: `${lineEnd}${lines}${outer}` }];
};

const LITERAL = /^(?:true|false|null|-?\d+(?:\.\d+)?|"[^"$%\\]*")$/;

/** Edits that give a block its content: what is set already is changed where it is a plain value. @throws CannotFix */
export const hclEdits = (text: string, block: HclBlock, content: HclContent): TextEdit[] => {
  const source = { text, mask: masked(text) };
  const inner = blocksBetween(source, block.bodyStart, block.bodyEnd);
  const edits: TextEdit[] = [];
  const added: Record<string, string | HclContent> = {};
  for (const [name, value] of Object.entries(content)) {
    const nested = inner.find(({ words }) => words.length === 1 && words[0] === name);
    if (typeof value !== 'string') {
      if (nested === undefined) added[name] = value;
      else edits.push(...hclEdits(text, nested, value));
      continue;
    }
    const place = attributeOf(source, block, name);
    const present = place === undefined ? undefined : text.slice(place.start, place.end);
    if (place === undefined || present === undefined) added[name] = value;
    else if (present !== value) {
      if (!LITERAL.test(present)) {
        throw new CannotFix(
          'place_not_found',
          say('{name} is set by an expression, {value}: change what it comes from.', {
            name,
            value: present.slice(0, 100),
          }),
        );
      }
      edits.push({ start: place.start, end: place.end, text: value });
    }
  }
  return [...edits, ...insertion(source, block, added)];
};
