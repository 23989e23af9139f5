import { LIMITS } from '../limits.ts';
import { clean, label } from '../values/read.ts';

/** Address of the server alone: what a container's IP is does not last. */
export function originOf(value: unknown): string | undefined {
  const url = label(value);
  if (url === undefined || !/^https?:/i.test(url) || !URL.canParse(url)) return undefined;
  return new URL(url).origin;
}

/** Address as a place: without its fragment, and without what a scanner put into the attacked parameter of its query. */
export function addressPlace(address: string | undefined, parameter?: string): string | undefined {
  if (address === undefined) return undefined;
  const [whole = ''] = clean(address, LIMITS.pathChars).trim().split('#', 1);
  const query = whole.indexOf('?');
  if (whole === '') return undefined;
  if (query < 0 || parameter === undefined || parameter === '') return whole;
  const parts = whole.slice(query + 1).split('&');
  const kept = parts.map((part) => (nameOf(part) === parameter ? `${part.split('=', 1)[0]}=` : part));
  return `${whole.slice(0, query)}?${kept.join('&')}`;
}

/** Name of a parameter in a query. */
function nameOf(part: string): string {
  const [name = ''] = part.split('=', 1);
  try {
    return decodeURIComponent(name.replaceAll('+', ' '));
  } catch {
    // Attacks leave broken escapes.
    return name;
  }
}
