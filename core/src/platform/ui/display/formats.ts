const whole = new Intl.NumberFormat('en-US', { maximumFractionDigits: 0 });
const compact = new Intl.NumberFormat('en-US', { notation: 'compact', maximumFractionDigits: 1 });
const dollars = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 0 });

const COMPACT_FROM = 100_000;

/** `1,234,567`. */
export const formatNumber = (value: number): string => whole.format(value);

/** `840`, `12,345`, `1.2M`: for places with room for five digits. */
export const formatCount = (value: number): string => (value >= COMPACT_FROM ? compact : whole).format(value);

/** USD without decimals. Source: specification §9. */
export const formatUsd = (amountCents: number): string => dollars.format(amountCents / 100);

const cost = new Intl.NumberFormat('en-US', { style: 'currency', currency: 'USD', maximumFractionDigits: 4 });

/** USD down to a hundredth of a cent, as the use of a model costs: `$0.0123`, `$2.50`. */
export const formatCost = (usd: number): string => cost.format(usd);

/** `+12%`, `-3%`, `0%`. Source: specification §9. */
export const formatChange = (percent: number): string => {
  const rounded = Math.round(percent);
  if (rounded === 0) return '0%';
  return rounded > 0 ? `+${rounded}%` : `${rounded}%`;
};

/** `1 finding`, `108 findings`. */
export const formatAmount = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** By hand: `en-GB` writes "Sept" where every other month has three letters, and columns of dates then do not line up. */
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

const dayAndMonth = (date: Date): string => `${date.getDate()} ${MONTHS[date.getMonth()] ?? ''}`;
const dayMonthYear = (date: Date): string => `${dayAndMonth(date)} ${date.getFullYear()}`;
const clock = new Intl.DateTimeFormat('en-GB', {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  timeZoneName: 'short',
});

const IS_DATE_ONLY = /^\d{4}-\d{2}-\d{2}$/;

/** A date without a time means that day wherever one looks from; `new Date` would read it as midnight UTC. */
const read = (value: string): Date => new Date(IS_DATE_ONLY.test(value) ? `${value}T00:00:00` : value);

/** `18 Nov`; with the year where it is not this one. */
export const formatDate = (value: string, now = new Date()): string => {
  const date = read(value);
  if (Number.isNaN(date.getTime())) return value;
  return date.getFullYear() === now.getFullYear() ? dayAndMonth(date) : dayMonthYear(date);
};

/** `just now`, `3 min ago`, `5 h ago` under a day, else the date. */
export const formatTime = (value: string, now = new Date()): string => {
  const age = now.getTime() - read(value).getTime();
  if (!(age >= -MINUTE_MS && age < DAY_MS) || IS_DATE_ONLY.test(value)) return formatDate(value, now);
  if (age < MINUTE_MS) return 'just now';
  if (age < HOUR_MS) return `${Math.floor(age / MINUTE_MS)} min ago`;
  return `${Math.floor(age / HOUR_MS)} h ago`;
};

/** `18 Nov 2026, 09:12:04 UTC`, in the person's time zone. */
export const formatExact = (value: string): string => {
  const date = read(value);
  if (Number.isNaN(date.getTime())) return value;
  return IS_DATE_ONLY.test(value) ? dayMonthYear(date) : `${dayMonthYear(date)}, ${clock.format(date)}`;
};
