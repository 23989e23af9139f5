import type { Json } from '../../context.ts';

const MASK = '[secret]';
/** Of a shorter secret nothing could be told from ordinary words. */
const SHORTEST = 4;
/** Shorter pieces of a secret in another alphabet stand everywhere. */
const SHORTEST_ENCODED = 8;
/** Lines of a key file that are long enough to be a part of it. */
const SHORTEST_LINE = 20;
const DEEPEST = 20;

/** Remembers secrets and takes them out of what is said to anybody. */
export interface SecretMask {
  add(secret: string): void;
  text(text: string): string;
  /** The same facts with masked texts, in keys too. */
  facts(facts: Readonly<Record<string, Json>>): Record<string, Json>;
}

/** Masks each secret also as a part of JSON, a URL, a form, base64 and hex. */
export function createSecretMask(): SecretMask {
  const known = new Set<string>();
  const forms = new Set<string>();
  let pattern: RegExp | null = null;
  // In one pass, so that what was put in place of one secret is not taken for another.
  const text = (value: string): string => (pattern === null ? value : value.replace(pattern, MASK));
  const facts = (of: Readonly<Record<string, Json>>, depth = 0): Record<string, Json> =>
    Object.fromEntries(Object.entries(of).map(([key, item]) => [text(key), masked(item, depth + 1)]));
  const masked = (value: Json, depth: number): Json => {
    if (typeof value === 'string') return text(value);
    if (typeof value !== 'object' || value === null) return value;
    if (depth >= DEEPEST) return MASK;
    return isList(value) ? value.map((item) => masked(item, depth + 1)) : facts(value, depth);
  };
  return {
    add: (secret) => {
      if (known.has(secret)) return;
      known.add(secret);
      for (const form of formsOf(secret)) forms.add(form);
      // The longest first: one form may hold another.
      const ordered = [...forms].toSorted((left, right) => right.length - left.length);
      if (ordered.length > 0) pattern = new RegExp(ordered.map(literal).join('|'), 'g');
    },
    text,
    facts: (of) => facts(of),
  };
}

/** `Array.isArray` forgets lists that are read only. */
function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value);
}

/** A pattern that matches this text alone. */
function literal(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&');
}

function formsOf(secret: string): string[] {
  if (secret.length < SHORTEST) return [];
  // Alone it has its padding; inside another text only its middle stays the same.
  const encoded = [
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    JSON.stringify(secret).slice(1, -1),
    encodeURIComponent(secret.toWellFormed()),
    new URLSearchParams([['', secret]]).toString().slice(1),
  ];
  const hex = Buffer.from(secret).toString('hex');
  const binary = [hex, hex.toUpperCase(), ...base64Forms(secret)].filter((form) => form.length >= SHORTEST_ENCODED);
  return [secret, ...encoded, ...binary, ...keyLines(secret)];
}

/** The key in a key file, line by line; what stands around it (names, addresses) is no secret. */
function keyLines(secret: string): string[] {
  const begin = secret.indexOf('-----BEGIN');
  const start = begin < 0 ? -1 : secret.indexOf('-----', begin + '-----BEGIN'.length);
  const end = start < 0 ? -1 : secret.indexOf('-----END', start + '-----'.length);
  const body = end < 0 ? '' : secret.slice(start + '-----'.length, end);
  return body.split(/\\n|\s+/).filter((line) => line.length >= SHORTEST_LINE);
}

/** What stays the same of the base64 of a text that holds the secret, at each of the three places where it may begin. */
function base64Forms(secret: string): string[] {
  const bytes = Buffer.from(secret);
  return [0, 1, 2].flatMap((before) => {
    const base64 = Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .replaceAll('=', '');
    const whole = base64.slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6));
    return [whole, whole.replaceAll('+', '-').replaceAll('/', '_')];
  });
}
