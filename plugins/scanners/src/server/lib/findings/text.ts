import type { HttpExchange } from '@breakwater/sdk';
import { LIMITS } from '../limits.ts';
import { clean, defined, fields, label, list, text } from '../values/read.ts';

/** The text on one line, cut at a word with an ellipsis when longer than `max`. */
export function oneLine(value: string, max: number = LIMITS.titleChars): string {
  // Only as much as can matter is looked at: descriptions may be long, titles are not.
  const line = clean(value, max * 4)
    .replace(/\s+/g, ' ')
    .trim();
  if (line.length <= max) return line;
  const cut = line.slice(0, max - 1);
  const space = cut.lastIndexOf(' ');
  // at most 1,000 characters
  return `${(space > max / 2 ? cut.slice(0, space) : cut).replace(/[\s,;:.(-]+$/, '').toWellFormed()}…`;
}

/** First sentence of a description, for a title. Markdown headings and emphasis are left out. */
export function firstSentence(value: string, max = 120): string | undefined {
  const plain = clean(value, 2_000)
    .replace(/^[ \t]*#{1,6}[ \t].*$/gm, ' ')
    .replace(/^[ \t]*\*\*[^*\n]{1,60}\*\*:?[ \t]*$/gm, ' ')
    .replace(/[`*]/g, '')
    .replace(/\s+/g, ' ')
    .trim();
  if (plain === '') return undefined;
  const end = /[.!?](?=\s+[A-Z0-9"'(])/g;
  for (let match = end.exec(plain); match !== null; match = end.exec(plain)) {
    const sentence = plain.slice(0, match.index);
    // "e.g.", "v1." and "i.e." do not end a sentence.
    if (sentence.length >= 20 && !/\b(?:e\.g|i\.e|etc|vs|v\d+(?:\.\d+)*|\w)$/i.test(sentence))
      return oneLine(sentence, max);
  }
  return oneLine(plain.replace(/\.$/, ''), max);
}

/** Parts that were said, as paragraphs. */
export function paragraphs(...parts: readonly (string | undefined)[]): string | undefined {
  const said = [...new Set(parts.filter((part) => part !== undefined && part !== ''))];
  return said.length === 0 ? undefined : said.join('\n\n');
}

/** What was sent and what came back, as the report has it: the host masks the secrets. Undefined where it says neither. */
export function exchangeOf(parts: Readonly<Record<keyof HttpExchange, unknown>>): HttpExchange | undefined {
  const [request, response, curl] = [parts.request, parts.response, parts.curl].map((part) =>
    text(part, LIMITS.messageChars),
  );
  const found: HttpExchange = defined({ request, response, curl });
  return Object.keys(found).length === 0 ? undefined : found;
}

/** A message that a report gives in parts: first line, headers as `{ name, value }`, body. */
export function messageOf(start: readonly unknown[], headers: unknown, body: unknown): string | undefined {
  const first = start.flatMap((part) => label(part) ?? []).join(' ');
  const lines = list(headers).flatMap((header) => {
    const { name, value } = fields(header);
    const key = label(name);
    return key === undefined ? [] : [`${key}: ${label(value) ?? ''}`];
  });
  const content = text(body, LIMITS.messageChars);
  if (first === '' && lines.length === 0 && content === undefined) return undefined;
  return [first, ...lines, ...(content === undefined ? [] : ['', content])].join('\n');
}

const ENTITIES: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'", nbsp: ' ' };

/** HTML of a report as plain text: paragraphs as lines, no tags, entities resolved once. */
export function plainText(html: string, max?: number): string {
  const text = clean(html)
    .replace(/<(?:br|\/p|\/div|\/li|\/h\d|\/pre|\/tr)\b[^<>]{0,200}>/gi, '\n')
    .replace(/<li\b[^<>]{0,200}>/gi, '- ')
    .replace(/<\/?[a-z!][^<>]{0,2000}>/gi, '')
    .replace(/&(?:#(\d{1,6})|#x([0-9a-f]{1,5})|(lt|gt|amp|quot|apos|nbsp));/gi, (match, decimal, hex, name) => {
      if (typeof name === 'string') return ENTITIES[name.toLowerCase()] ?? match;
      const code = typeof hex === 'string' ? Number.parseInt(hex, 16) : Number(decimal);
      return code > 31 && code < 0x10ffff && (code < 0xd800 || code > 0xdfff) ? String.fromCodePoint(code) : ' ';
    })
    .split('\n')
    .map((line) => line.trimEnd())
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .trim();
  return max === undefined ? text : clean(text, max);
}

/** Addresses that a piece of HTML links to. */
export function linksIn(html: string): string[] {
  return Array.from(clean(html).matchAll(/\bhref\s*=\s*["']([^"'<>]{1,2000})["']/gi), (match) =>
    (match[1] ?? '').trim(),
  );
}

const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO 8601 in UTC. Dates in other notations are ambiguous (10-11-2003) and read as "not said"; so are zero dates. */
export function isoDate(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const match = ISO.exec(value.trim());
  if (match === null) return undefined;
  const [, year, month, day, time = '00:00:00', zone = 'Z'] = match;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const stamp = Date.parse(`${year}-${month}-${day}T${time.replace(',', '.').replace(/(\.\d{3})\d+/, '$1')}${offset}`);
  // 0001-01-01 and 1970-01-01 are how Go and protobuf write "no date".
  if (!Number.isFinite(stamp) || stamp < 86_400_000) return undefined;
  return new Date(stamp).toISOString();
}
