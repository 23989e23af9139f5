import { randomFillSync } from 'node:crypto';

/** A value of one COPY column. Arrays become PostgreSQL arrays, objects wrapped by `json` become jsonb. */
export type CopyValue =
  | string
  | number
  | boolean
  | null
  | undefined
  | readonly (string | number)[]
  | CopyJson
  | CopyText;

export interface CopyJson {
  json: unknown;
}

/** A value that is COPY text already. */
export interface CopyText {
  copyText: string;
}

/** What COPY text has to escape, and what PostgreSQL cannot store: NUL, and halves of surrogate pairs. */
const SPECIAL = /[\\\n\r\t\0\ud800-\udfff]/;
/** The backslash first, which the others bring. */
const ESCAPES = [
  ['\\', '\\\\'],
  ['\n', '\\n'],
  ['\r', '\\r'],
  ['\t', '\\t'],
] as const;

/** Text that PostgreSQL can store: no NUL, no half surrogate pairs. */
export const storable = (text: string): string => {
  const whole = text.includes('\0') ? text.replaceAll('\0', '') : text;
  return whole.isWellFormed() ? whole : whole.toWellFormed();
};

const escaped = (text: string): string => {
  let out = text;
  for (const [character, written] of ESCAPES) if (out.includes(character)) out = out.replaceAll(character, written);
  return out;
};

const quoted = (text: string): string =>
  text.includes('"') || text.includes('\\') ? `"${text.replace(/["\\]/g, '\\$&')}"` : `"${text}"`;

const arrayText = (values: readonly (string | number)[]): string => {
  let text = '';
  for (const value of values) {
    text += `${text === '' ? '' : ','}${typeof value === 'number' ? String(value) : quoted(storable(value))}`;
  }
  return `{${text}}`;
};

const storableDeep = (value: unknown): unknown => {
  if (typeof value === 'string') return storable(value);
  if (Array.isArray(value)) return value.map(storableDeep);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(Object.entries(value).map(([key, inner]) => [storable(key), storableDeep(inner)]));
};

/** jsonb refuses escaped NUL and half surrogate pairs; the search is made only where the text hints at one. */
const jsonText = (value: unknown): string => {
  const text = JSON.stringify(value);
  return /\\u(?:0000|d[89a-f])/i.test(text) ? JSON.stringify(storableDeep(value)) : text;
};

const isArray = (value: CopyJson | CopyText | readonly (string | number)[]): value is readonly (string | number)[] =>
  Array.isArray(value);

const copyField = (value: CopyValue): string => {
  if (value === null || value === undefined) return '\\N';
  if (typeof value === 'string') return SPECIAL.test(value) ? escaped(storable(value)) : value;
  if (typeof value === 'number') return String(value);
  if (typeof value === 'boolean') return value ? 't' : 'f';
  if (isArray(value)) return escaped(arrayText(value));
  return 'copyText' in value ? value.copyText : escaped(jsonText(value.json));
};

/** One line of COPY's text format, without the line's end. */
export const copyLine = (values: readonly CopyValue[]): string => {
  let line = copyField(values[0]);
  for (let index = 1; index < values.length; index += 1) line += `\t${copyField(values[index])}`;
  return line;
};

const POOL = Buffer.alloc(8 * 1024);
let used = POOL.length;
let lastMs = 0;
let sequence = 0;

/** UUID version 7 that grows within this process, so that rows of one report keep its order. */
export const uuidv7 = (): string => {
  if (used === POOL.length) {
    randomFillSync(POOL);
    used = 0;
  }
  const now = Date.now();
  sequence = now > lastMs ? 0 : sequence + 1;
  // 12 bits count within a millisecond; more than that borrow from the next one
  if (now > lastMs) lastMs = now;
  else if (sequence > 0xfff) {
    lastMs += 1;
    sequence = 0;
  }
  const time = lastMs.toString(16).padStart(12, '0');
  const random = POOL.toString('hex', used, used + 8);
  used += 8;
  const variant = (0x8 | (Number.parseInt(random.slice(0, 1), 16) & 0x3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${sequence.toString(16).padStart(3, '0')}-${variant}${random.slice(1, 4)}-${random.slice(4)}`;
};
