import { parseJson } from './safe-json.ts';
import type { SecretMask } from './secret-mask.ts';

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
