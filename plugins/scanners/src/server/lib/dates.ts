const ISO = /^(\d{4})-(\d{2})-(\d{2})(?:[T ](\d{2}:\d{2}(?::\d{2}(?:[.,]\d+)?)?)\s*(Z|[+-]\d{2}:?\d{2})?)?$/i;

/** ISO 8601 in UTC. Dates in other notations are ambiguous (10-11-2003) and read as "not said"; so are zero dates. */
export function isoDate(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 60) return undefined;
  const match = ISO.exec(value.trim());
  if (match === null) return undefined;
  const [, year, month, day, time = '00:00:00', zone = 'Z'] = match;
  const offset = zone.length === 5 ? `${zone.slice(0, 3)}:${zone.slice(3)}` : zone.toUpperCase();
  const stamp = Date.parse(`${year}-${month}-${day}T${time.replace(',', '.').replace(/(\.\d{3})\d+/, '$1')}${offset}`);
  // 0001-01-01 and 1970-01-01 are how Go and protobuf write "no date".
  if (!Number.isFinite(stamp) || stamp < 86_400_000) return undefined;
  return new Date(stamp).toISOString();
}
