import { msg } from '../../platform/model/message.ts';
import { sayEnglish } from '../../platform/model/translator.ts';

/** What tokens that this server makes begin with, so that secret scanners recognise a lost one. */
export const TOKEN_PREFIX = 'bwp_';

/** What personal tokens begin with. */
export const PERSONAL_PREFIX = 'bwu_';

/** Who calls with a token: the organisation's machine, or the person who owns it. */
export type TokenKind = 'organization' | 'personal';

const MAX_YEARS = 2;
const MAX_PERSONAL_DAYS = 365;
const TOO_LONG: Record<TokenKind, string> = {
  organization: sayEnglish('A token lives {count} years at most.', { count: MAX_YEARS }),
  personal: sayEnglish('A personal token lives {count} days at most.', { count: MAX_PERSONAL_DAYS }),
};

/** The last day on which a token made now may serve. */
export const lastDayOf = (kind: TokenKind, now: Date): Date => {
  const last = new Date(now);
  if (kind === 'organization') last.setUTCFullYear(last.getUTCFullYear() + MAX_YEARS);
  else last.setUTCDate(last.getUTCDate() + MAX_PERSONAL_DAYS);
  return last;
};
const MIN_LENGTH = 32;
const MAX_LENGTH = 200;
/** Of 32 random hexadecimal digits about 14 differ; fewer than this are typed, not drawn. */
const MIN_DISTINCT = 10;
/** What an Authorization header may carry (RFC 6750 section 2.1). */
const SIGNS = /^[A-Za-z0-9._~+/=-]+$/;
const DAY = /^\d{4}-\d{2}-\d{2}$/;
const MOMENT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:\d{2})$/;

/** Whether a text can be a token at all: 32 to 200 signs that a header may carry. */
export const isTokenShaped = (token: string): boolean =>
  token.length >= MIN_LENGTH && token.length <= MAX_LENGTH && SIGNS.test(token);

/** What is wrong with a token that somebody brings along; nothing where it may serve. */
export const ownTokenIssue = (token: string): string | undefined => {
  if (!isTokenShaped(token)) {
    return `A token has ${MIN_LENGTH} to ${MAX_LENGTH} characters: letters, digits and the signs . _ ~ + / = -`;
  }
  if ([TOKEN_PREFIX, PERSONAL_PREFIX].some((prefix) => token.startsWith(prefix)))
    return msg('This token was not made here, or belongs to another organisation. Make a new one.');
  if (new Set(token).size < MIN_DISTINCT) return msg('This token can be guessed. Let a generator draw it at random.');
  return undefined;
};

const endOfDay = (date: Date): Date => {
  const end = new Date(date);
  end.setUTCHours(23, 59, 59, 999);
  return end;
};

/**
 * Reads when a token ends: a day (`2027-01-31`, its end in UTC) or a moment in ISO 8601 with its zone.
 * @returns a date between `now` and the end of the last day of its kind, or what is wrong.
 */
export const readExpiry = (text: string, now: Date, kind: TokenKind): Date | { issue: string } => {
  const isDay = DAY.test(text);
  const date = isDay || MOMENT.test(text) ? new Date(text) : new Date(Number.NaN);
  if (Number.isNaN(date.getTime()) || (isDay && !date.toISOString().startsWith(text))) {
    return { issue: msg('Give a day such as 2027-01-31, or a moment such as 2027-01-31T12:00:00Z.') };
  }
  const expiresAt = isDay ? endOfDay(date) : date;
  if (expiresAt <= now) return { issue: msg('Choose a time in the future.') };
  if (expiresAt > endOfDay(lastDayOf(kind, now))) return { issue: TOO_LONG[kind] };
  return expiresAt;
};
