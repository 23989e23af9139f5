import { t } from '../language/translate.ts';

/** How a reader writes figures and times. */
export interface Formats {
  /** BCP 47 of the language of dates. */
  language: string;
  /** BCP 47 of a place where figures are written so: `de-CH` writes 1’234.5. */
  numbers: string;
  /** IANA, such as `Europe/Berlin`; undefined is the browser's. */
  timeZone: string | undefined;
}

let formats: Formats = { language: 'en', numbers: 'en-US', timeZone: undefined };
/** Formatters are dear to make: each is made once it is needed. */
const made = new Map<string, Intl.NumberFormat | Intl.DateTimeFormat>();

/** Set before anything is drawn, with the language. */
export const setFormats = (next: Formats): void => {
  formats = next;
  made.clear();
};

const numbers = (options: Intl.NumberFormatOptions): Intl.NumberFormat => {
  const key = JSON.stringify(options);
  const known = made.get(key);
  if (known instanceof Intl.NumberFormat) return known;
  const format = new Intl.NumberFormat(formats.numbers, options);
  made.set(key, format);
  return format;
};

const times = (language: string, timeZone: string | undefined, options: Intl.DateTimeFormatOptions) => {
  const key = JSON.stringify([language, timeZone, options]);
  const known = made.get(key);
  if (known instanceof Intl.DateTimeFormat) return known;
  const format = new Intl.DateTimeFormat(language, { ...options, ...(timeZone === undefined ? {} : { timeZone }) });
  made.set(key, format);
  return format;
};

const COMPACT_FROM = 100_000;
const WHOLE = { maximumFractionDigits: 0 } as const;
const COMPACT = { notation: 'compact', maximumFractionDigits: 1 } as const;
const DOLLARS = { style: 'currency', currency: 'USD' } as const;

/** `1,234,567`. */
export const formatNumber = (value: number): string => numbers(WHOLE).format(value);

/** `1,234.5`: with the decimals that a value has, two at most. */
export const formatDecimal = (value: number): string => numbers({ maximumFractionDigits: 2 }).format(value);

/** `9.0`, `12.35`: always with that many decimals, such as scores and means that stand below each other. */
export const formatFixed = (value: number, decimals: number): string =>
  numbers({ minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(value);

/** `54.471`, `90`: a priority, whose thousandths decide between equals. */
export const formatThousandths = (value: number): string =>
  Number.isInteger(value) ? formatNumber(value) : formatFixed(value, 3);

const SIZE_UNITS = ['byte', 'kilobyte', 'megabyte', 'gigabyte'] as const;
const SIZE_STEP = 1000;

/** `512 byte`, `48 kB`, `1.2 MB`: size of a file. */
export const formatSize = (bytes: number): string => {
  const step = Math.min(SIZE_UNITS.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, bytes)) / 3)));
  const unit = SIZE_UNITS[step] ?? 'byte';
  return numbers({ style: 'unit', unit, maximumFractionDigits: step < 2 ? 0 : 1 }).format(bytes / SIZE_STEP ** step);
};

/** `840`, `12,345`, `1.2M`: for places with room for five digits. */
export const formatCount = (value: number): string => numbers(value >= COMPACT_FROM ? COMPACT : WHOLE).format(value);

/** USD without decimals. Source: specification §9. */
export const formatUsd = (amountCents: number): string =>
  numbers({ ...DOLLARS, maximumFractionDigits: 0 }).format(amountCents / 100);

/** USD down to a hundredth of a cent, as the use of a model costs: `$0.0123`, `$2.50`. */
export const formatCost = (usd: number): string => numbers({ ...DOLLARS, maximumFractionDigits: 4 }).format(usd);

/** `12%`, with as many decimals as asked for: `12.50%`. */
export const formatPercent = (percent: number, decimals = 0): string =>
  numbers({ style: 'percent', minimumFractionDigits: decimals, maximumFractionDigits: decimals }).format(percent / 100);

/** `+12%`, `-3%`, `0%`. Source: specification §9. */
export const formatChange = (percent: number): string =>
  numbers({ style: 'percent', maximumFractionDigits: 0, signDisplay: 'exceptZero' }).format(Math.round(percent) / 100);

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** By hand: `en-GB` writes "Sept" where every other month has three letters, and columns of dates then do not line up. */
const MONTHS = 'Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec'.split(' ');

/** British English counts 24 hours, and puts no comma before "and". */
const clockLanguage = (): string => (formats.language === 'en' ? 'en-GB' : formats.language);

const DAY = { year: 'numeric', month: '2-digit', day: '2-digit' } as const;

const IS_DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

interface Moment {
  date: Date;
  timeZone: string | undefined;
}

/** A date without a time means that day wherever one looks from: it is midnight UTC, and read there. */
const read = (value: string): Moment => ({
  date: new Date(value),
  timeZone: IS_DATE_ONLY.test(value) ? 'UTC' : formats.timeZone,
});

const yearOf = ({ date, timeZone }: Moment): string => times('en-GB', timeZone, { year: 'numeric' }).format(date);

const dateText = (moment: Moment, withYear: boolean): string => {
  const { date, timeZone } = moment;
  const { language } = formats;
  const year = withYear ? ({ year: 'numeric' } as const) : {};
  if (language !== 'en') return times(language, timeZone, { day: 'numeric', month: 'short', ...year }).format(date);
  const [day = '', month = ''] = times('en-GB', timeZone, { day: 'numeric', month: 'numeric' }).format(date).split('/');
  return `${Number(day)} ${MONTHS[Number(month) - 1] ?? ''}${withYear ? ` ${yearOf(moment)}` : ''}`;
};

/** `18 Nov`; with the year where it is not this one. */
export const formatDate = (value: string, now = new Date()): string => {
  const moment = read(value);
  if (Number.isNaN(moment.date.getTime())) return value;
  return dateText(moment, yearOf(moment) !== yearOf({ date: now, timeZone: formats.timeZone }));
};

/** `just now`, `3 min ago`, `5 h ago` under a day, else the date. */
export const formatTime = (value: string, now = new Date()): string => {
  const age = now.getTime() - read(value).date.getTime();
  if (!(age >= -MINUTE_MS && age < DAY_MS) || IS_DATE_ONLY.test(value)) return formatDate(value, now);
  if (age < MINUTE_MS) return t('just now');
  if (age < HOUR_MS) return t('{minutes} min ago', { minutes: Math.floor(age / MINUTE_MS) });
  return t('{hours} h ago', { hours: Math.floor(age / HOUR_MS) });
};

const DAYS_OF_MONTH = 365.25 / 12;
const DAYS_OF_YEAR = 365.25;

/** `today`, `12 days ago`, `5 months ago`, `3 years ago`: how long a day is gone, rounded down. */
export const formatAge = (value: string, now = new Date()): string => {
  const { date } = read(value);
  if (Number.isNaN(date.getTime())) return value;
  const days = Math.max(0, Math.floor((now.getTime() - date.getTime()) / DAY_MS));
  const ages = new Intl.RelativeTimeFormat(clockLanguage(), { numeric: days === 0 ? 'auto' : 'always' });
  if (days < DAYS_OF_MONTH) return ages.format(days === 0 ? 0 : -days, 'day');
  if (days < DAYS_OF_YEAR) return ages.format(-Math.floor(days / DAYS_OF_MONTH), 'month');
  return ages.format(-Math.floor(days / DAYS_OF_YEAR), 'year');
};

/** `14:05` today, else with the day: when something comes. */
export const formatMoment = (value: string, now = new Date()): string => {
  const moment = read(value);
  const clock = times(clockLanguage(), moment.timeZone, { hour: '2-digit', minute: '2-digit' }).format(moment.date);
  const isToday = dateText(moment, true) === dateText({ date: now, timeZone: formats.timeZone }, true);
  return isToday ? clock : `${formatTime(value, now)}, ${clock}`;
};

/** `14:05` on the reader's own day, else the day. */
export const formatClockOrDate = (value: string, now = new Date()): string =>
  dateText(read(value), true) === dateText({ date: now, timeZone: formats.timeZone }, true)
    ? formatMoment(value, now)
    : formatDate(value, now);

/** Where the reader's days begin, as in `Europe/Berlin`. */
export const zoneOfReader = (): string => formats.timeZone ?? new Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The reader's day as `2026-11-23`, for names of files. */
export const dayOfReader = (now = new Date()): string => times('en-CA', formats.timeZone, DAY).format(now);

/** `a, b and c`. */
export const formatList = (texts: readonly string[]): string =>
  new Intl.ListFormat(clockLanguage(), { type: 'conjunction' }).format(texts);

const CLOCK = { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short' } as const;

/** `18 Nov 2026, 09:12:04 UTC`, in the person's time zone. */
export const formatExact = (value: string): string => {
  const moment = read(value);
  if (Number.isNaN(moment.date.getTime())) return value;
  if (IS_DATE_ONLY.test(value)) return dateText(moment, true);
  const clock = times(clockLanguage(), moment.timeZone, CLOCK);
  return `${dateText(moment, true)}, ${clock.format(moment.date)}`;
};
