/**
 * Characters that change the direction of the text around them: with them a path reads backwards ("Trojan Source", CVE-2021-42574).
 * Source: Unicode Standard Annex 9, "Explicit Directional Formatting Characters" and "Implicit Directional Marks".
 */
const TURNS = /[\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/gu;

const escapeOf = (sign: string): string => `\\u${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}`;

/** Text of a report as it may be shown: what would turn its direction is written as an escape, `\u202E`. */
export const visibleText = (text: string): string => text.replace(TURNS, escapeOf);

/** Whether any text in it turns a direction: most rows hold none, and are then not copied. */
const hasTurn = (value: unknown): boolean => {
  if (typeof value === 'string') return visibleText(value) !== value;
  return typeof value === 'object' && value !== null && Object.values(value).some(hasTurn);
};

function shown<T>(value: T, except: readonly string[]): T;
function shown(value: unknown, except: readonly string[]): unknown {
  if (typeof value === 'string') return visibleText(value);
  if (Array.isArray(value)) return value.map((item) => shown(item, except));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [key, except.includes(key) ? item : shown(item, except)]),
  );
}

/** The same value with every text made visible. `except`: keys of what people wrote here and may write again. */
export const withVisibleText = <T>(value: T, except: readonly string[] = []): T =>
  hasTurn(value) ? shown(value, except) : value;
