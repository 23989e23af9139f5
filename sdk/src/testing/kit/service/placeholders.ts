export type Values = Readonly<Record<string, unknown>>;

/** Stands for any text in what a fixture expects. */
export const ANY = '{{any}}';
/** Stands for the address of the fake service. */
export const ORIGIN = '{{origin}}';

/** Puts values into `{{field}}`; what is not known stays. */
export function expand(template: string, values: Values): string {
  return template.replace(/\{\{(\w+)\}\}/g, (whole, name: string) =>
    values[name] === undefined ? whole : String(values[name]),
  );
}

/** Whether a text is as expected, where `{{any}}` is any text. */
export function isMatch(expected: string, actual: string): boolean {
  const [first = '', ...rest] = expected.split(ANY);
  if (rest.length === 0) return expected === actual;
  const last = rest.pop() ?? '';
  if (!actual.startsWith(first)) return false;
  let at = first.length;
  for (const piece of rest) {
    const found = actual.indexOf(piece, at);
    if (found < 0) return false;
    at = found + piece.length;
  }
  return actual.length - last.length >= at && actual.endsWith(last);
}

/** Where two values differ, as paths: `[0].severity is "low", expected is "high"`. At most `limit` of them. */
export function differences(expected: unknown, actual: unknown, limit = 5): string[] {
  const found: string[] = [];
  compare(expected, actual, { place: '', found, limit });
  return found;
}

interface Comparison {
  readonly place: string;
  readonly found: string[];
  readonly limit: number;
}

function compare(expected: unknown, actual: unknown, { place, found, limit }: Comparison): void {
  if (found.length >= limit) return;
  const at = (name: string | number) => ({
    place: typeof name === 'number' ? `${place}[${name}]` : place === '' ? name : `${place}.${name}`,
    found,
    limit,
  });
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length) {
      found.push(`${place || 'it'} has ${actual.length} items, expected are ${expected.length}`);
      return;
    }
    expected.forEach((item, index) => {
      compare(item, actual[index], at(index));
    });
  } else if (isRecord(expected) && isRecord(actual)) {
    for (const name of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      compare(expected[name], actual[name], at(name));
    }
  } else if (!isEqual(expected, actual)) {
    found.push(`${place || 'it'} is ${shown(actual)}, expected is ${shown(expected)}`);
  }
}

function isEqual(expected: unknown, actual: unknown): boolean {
  if (typeof expected === 'string' && typeof actual === 'string') return isMatch(expected, actual);
  return Object.is(expected, actual);
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

const LONGEST = 80;

function shown(value: unknown): string {
  if (value === undefined) return 'not there';
  const text = JSON.stringify(value);
  return text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text;
}
