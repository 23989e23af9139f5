/** Headers in which services say what a delivery is about, the most telling first. */
const EVENT_HEADERS = ['x-github-event', 'x-gitlab-event', 'x-gitea-event', 'x-event-key', 'x-event', 'webhook-event'];
/** Headers in which services name a delivery; the same one sent again keeps its name. */
const ID_HEADERS = [
  'x-github-delivery',
  'x-gitlab-event-uuid',
  'x-gitea-delivery',
  'x-request-uuid',
  'webhook-id',
  'x-delivery-id',
  'idempotency-key',
];
const MAX_LENGTH = 200;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One value of a header; null where there is none or several. */
export function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : null;
}

const firstOf = (headers: Headers, names: readonly string[]): string | null => {
  for (const name of names) {
    const value = headerOf(headers, name)?.trim();
    if (value !== undefined && value !== '' && value.length <= MAX_LENGTH) return value;
  }
  return null;
};

/** What a delivery says of itself. Without a name of its own it goes by the digest of its body. */
export function deliveryOf(headers: Headers, bodyDigest: string): { event: string; id: string } {
  return { event: firstOf(headers, EVENT_HEADERS) ?? '', id: firstOf(headers, ID_HEADERS) ?? bodyDigest };
}
