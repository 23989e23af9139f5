import { clean } from './read.ts';

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
    .replace(/[ \t]+\n/g, '\n')
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
