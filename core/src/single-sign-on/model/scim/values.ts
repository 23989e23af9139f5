import { scimRefusal } from './refusals.ts';

/** Longest text that is kept of a person or a group. */
const MAX_TEXT = 500;

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Value of an attribute: their names do not distinguish upper and lower case (RFC 7643 §2.1). Own properties alone. */
export const fieldOf = (record: Record<string, unknown>, name: string): unknown =>
  Object.entries(record).find(([key]) => key.toLowerCase() === name.toLowerCase())?.[1];

/** Empty and null count as absent (RFC 7643 §2.5). @throws bad_request */
export const textOf = (value: unknown, name: string): string | null => {
  if (value === undefined || value === null) return null;
  if (typeof value !== 'string') throw scimRefusal('invalidValue', `"${name}" must be a text.`);
  const text = value.trim();
  if (text.length > MAX_TEXT) throw scimRefusal('invalidValue', `"${name}" has more than ${MAX_TEXT} characters.`);
  if (text.includes('\0')) throw scimRefusal('invalidValue', `"${name}" holds a character that cannot be stored.`);
  return text === '' ? null : text;
};

/** Some providers write booleans as text. @throws bad_request */
export const flagOf = (value: unknown, name: string): boolean => {
  const word = typeof value === 'string' ? value.toLowerCase() : value;
  if (word === true || word === 'true') return true;
  if (word === false || word === 'false') return false;
  throw scimRefusal('invalidValue', `"${name}" must be true or false.`);
};

/** A list; one value counts as a list of one. */
export const listOf = (value: unknown): unknown[] => {
  if (value === undefined || value === null) return [];
  return Array.isArray(value) ? value : [value];
};
