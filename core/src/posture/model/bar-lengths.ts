/** How long bars are drawn: by their figures, or by the logarithm of their sums. */
export const SCALES = ['linear', 'log'] as const;
export type Scale = (typeof SCALES)[number];

/** Share of the longest bar below which nothing that is there is drawn. */
export const LEAST_SHARE = 0.04;

/**
 * Lengths of stacked bars, `[series][label]`, in no unit. On a logarithmic scale a bar is as long as the logarithm of its sum, and its
 * parts share that by their figures. A zero has no length; any other figure has at least `LEAST_SHARE` of the longest bar.
 */
export const barLengths = (series: readonly (readonly number[])[], scale: Scale): number[][] => {
  const labels = Math.max(0, ...series.map((data) => data.length));
  const sums = Array.from({ length: labels }, (_, label) => series.reduce((sum, data) => sum + (data[label] ?? 0), 0));
  const whole = sums.map((sum) => (scale === 'linear' ? sum : Math.log10(1 + sum)));
  const least = Math.max(0, ...whole) * LEAST_SHARE;
  return series.map((data) =>
    Array.from({ length: labels }, (_, label) => {
      const [value = 0, sum = 0, length = 0] = [data[label], sums[label], whole[label]];
      return value === 0 ? 0 : Math.max(least, (value / sum) * length);
    }),
  );
};
