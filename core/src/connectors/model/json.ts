import type { Json } from '@breakwater/sdk';

/** Deeper values are refused before anything recurses into them. */
const MAX_DEPTH = 64;

/** True for what JSON can say, at most 64 levels deep. */
export function isJson(value: unknown, depth = 0): value is Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object' || depth >= MAX_DEPTH) return false;
  if (Array.isArray(value)) return value.every((item) => isJson(item, depth + 1));
  return Object.values(value).every((item) => isJson(item, depth + 1));
}

/** True for a text that PostgreSQL can keep: no NUL, no half of a surrogate pair. Looks into lists and maps. */
export function isStorable(value: Json): boolean {
  if (typeof value === 'string') return value.isWellFormed() && !value.includes('\0');
  if (typeof value !== 'object' || value === null) return true;
  return Object.entries(value).every(([key, item]) => isStorable(key) && isStorable(item));
}
