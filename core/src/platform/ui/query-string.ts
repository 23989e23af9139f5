type Scalar = string | number | boolean;

const isEmpty = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.every(isEmpty));

const isScalar = (value: unknown): value is Scalar =>
  typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';

/** Commas between the values of a list stay readable; a comma inside a value would split it, so such lists go as `key[]=` each. */
const encodeList = (key: string, values: Scalar[]): string[] => {
  const texts = values.map(String);
  if (texts.some((text) => text.includes(','))) return texts.map((text) => `${key}[]=${encodeURIComponent(text)}`);
  return [`${key}=${texts.map(encodeURIComponent).join(',')}`];
};

const encodePart = (key: string, value: unknown): string[] => {
  if (isEmpty(value)) return [];
  if (isScalar(value)) return [`${key}=${encodeURIComponent(String(value))}`];
  if (Array.isArray(value))
    return encodeList(
      key,
      value.filter((entry) => isScalar(entry) && !isEmpty(entry)),
    );
  if (typeof value === 'object' && value !== null) {
    return Object.entries(value).flatMap(([name, inner]) => encodePart(`${key}[${encodeURIComponent(name)}]`, inner));
  }
  return [];
};

/** `{filters: {severity: ['high', 'low']}}` → `filters[severity]=high,low`. Empty values are omitted (specification §5). */
export const toQueryString = (query: unknown): string => {
  if (typeof query !== 'object' || query === null) return '';
  return Object.entries(query)
    .flatMap(([key, value]) => encodePart(encodeURIComponent(key), value))
    .join('&');
};
