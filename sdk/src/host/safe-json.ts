import type { Json } from '../context.ts';
import { LIMITS } from './limits.ts';

/** Text that is no JSON, or JSON that is made to hurt. */
export class UnreadableJson extends Error {
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

function isTooDeep(bytes: Uint8Array): boolean {
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
