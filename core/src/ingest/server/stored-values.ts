import { hash } from 'node:crypto';

export const MAX_TITLE = 500;
export const MAX_NAME = 1000;
/** An entry of an index holds 2,704 bytes; a character takes four at most. */
export const MAX_INDEXED = 600;
export const MAX_TEXT = 65_536;
export const MAX_LINKS = 100;
export const MAX_PLACES = 200;
export const MAX_FLOWS = 20;
const MAX_INT = 2_147_483_647;

/** 128 bits of SHA-256, as a UUID column takes them. */
export const digest = (text: string): string => hash('sha256', text, 'hex').slice(0, 32);

export const cut = (text: string | undefined, max: number): string | undefined =>
  text !== undefined && text.length > max ? text.slice(0, max) : text;

export const position = (value: number | undefined): number | undefined =>
  value !== undefined && Number.isInteger(value) && value > 0 && value <= MAX_INT ? value : undefined;

export const score = (value: number | undefined): number | undefined =>
  value !== undefined && value >= 0 && value <= 10 ? Math.round(value * 10) / 10 : undefined;

/** The time as PostgreSQL reads it; nothing for what is no date of our calendar's four-digit years. */
export const isoDate = (text: string | undefined): string | undefined => {
  const time = text === undefined ? Number.NaN : Date.parse(text);
  if (Number.isNaN(time)) return undefined;
  const date = new Date(time);
  const year = date.getUTCFullYear();
  return year >= 1 && year <= 9999 ? date.toISOString() : undefined;
};
