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

/** `+12%`, `-3%`, `0%`. Source: specification §9. */
export const formatChange = (percent: number): string => {
  const rounded = Math.round(percent);
  if (rounded === 0) return '0%';
  return rounded > 0 ? `+${rounded}%` : `${rounded}%`;
};

/** `1 finding`, `108 findings`. */
export const formatAmount = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`;
