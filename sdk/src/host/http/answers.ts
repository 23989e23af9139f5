import type { HttpAnswer, Json } from '../../context.ts';
import { ConnectorError } from '../../errors.ts';
import type { SecretMask } from '../auth/secret-mask.ts';
import { LIMITS } from '../limits.ts';

/** The body of an answer as JSON; null for an empty one. @throws ConnectorError upstream */
export function parseAnswer(title: string, { headers, body }: Pick<HttpAnswer, 'headers' | 'body'>): Json {
  try {
    return parseJson(body);
  } catch (error) {
    if (!(error instanceof UnreadableJson)) throw error;
    if (/^\s*text\/html/i.test(headers['content-type'] ?? '')) {
      throw new ConnectorError('upstream', `${title} answered with a page for people instead of data.`, {
        help: 'Is the address that of the service itself, and does it need no sign-in page or proxy before it?',
      });
    }
    throw new ConnectorError('upstream', `The answer of ${title} cannot be read: ${error.message}.`);
  }
}

/** Text that is no JSON, or JSON that is made to hurt. */
class UnreadableJson extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'UnreadableJson';
  }
}

/**
 * JSON of a stranger: at most 200 levels deep, `__proto__` keys left out. Null for nothing at all.
 * @throws UnreadableJson
 */
export function parseJson(bytes: Uint8Array): Json {
  const text = new TextDecoder().decode(bytes);
  if (!/\S/.test(text)) return null;
  if (isTooDeep(bytes)) throw new UnreadableJson(`it is nested more than ${LIMITS.jsonDepth} levels deep`);
  const value = parsed(text);
  if (/__proto__|\\u/.test(text)) dropProto(value);
  return value;
}

function parsed(text: string): Json {
  try {
    return JSON.parse(text);
  } catch {
    // The parser's own message quotes the text, which may hold anything.
    throw new UnreadableJson('it is not JSON');
  }
}

const QUOTE = 0x22;
const BACKSLASH = 0x5c;
const BRACKET = 0x5b;
const BRACE = 0x7b;
/** From an opening bracket or brace to its closing one. */
const TO_CLOSER = 2;

export function isTooDeep(bytes: Uint8Array): boolean {
  let depth = 0;
  let isText = false;
  for (let at = 0; at < bytes.length; at += 1) {
    const byte = bytes[at] ?? 0;
    if (isText) {
      if (byte === BACKSLASH) at += 1;
      else if (byte === QUOTE) isText = false;
    } else if (byte === QUOTE) isText = true;
    else if (byte === BRACKET || byte === BRACE) {
      depth += 1;
      if (depth > LIMITS.jsonDepth) return true;
    } else if (byte === BRACKET + TO_CLOSER || byte === BRACE + TO_CLOSER) depth -= 1;
  }
  return false;
}

function dropProto(root: unknown): void {
  const waiting: unknown[] = [root];
  while (waiting.length > 0) {
    const value = waiting.pop();
    if (typeof value !== 'object' || value === null) continue;
    if (Object.hasOwn(value, '__proto__')) Reflect.deleteProperty(value, '__proto__');
    for (const item of Object.values(value)) waiting.push(item);
  }
}

const LONGEST = 200;
const NAMES = [
  'error_description',
  'message',
  'detail',
  'error',
  'title',
  'errors',
  'errorMessages',
  'reason',
  'description',
];
const DEEPEST = 3;

/** The service's own words about a failure, one masked line, where its answer is JSON and has some; else null. */
export function saidByService(body: Uint8Array, mask: SecretMask): string | null {
  let answer: unknown;
  try {
    answer = parseJson(body);
  } catch {
    return null;
  }
  const words = wordsOf(answer, 0);
  if (words === null) return null;
  // Masked before it is cut: half a secret is one too.
  const line = mask
    .text(words)
    .replace(/[\p{Cc}\s]+/gu, ' ')
    .trim();
  if (line === '' || /<[a-z!/]/i.test(line)) return null;
  return line.length > LONGEST ? `${line.slice(0, LONGEST).trimEnd()}…` : line;
}

function wordsOf(value: unknown, depth: number): string | null {
  if (typeof value === 'string') return value.trim() === '' ? null : value;
  if (typeof value !== 'object' || value === null || depth > DEEPEST) return null;
  if (Array.isArray(value)) return wordsOf(value[0], depth + 1);
  for (const name of NAMES) {
    const words = Object.hasOwn(value, name) ? wordsOf(Reflect.get(value, name), depth + 1) : null;
    if (words !== null) return words;
  }
  return null;
}
