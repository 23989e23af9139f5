import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookProof } from '../capability-contracts.ts';

/** Headers in which services say what a delivery is about, the most telling first. */
const EVENT_HEADERS = ['x-github-event', 'x-gitlab-event', 'x-gitea-event', 'x-event-key', 'x-event', 'webhook-event'];
/** Headers in which services name a delivery; the same one sent again keeps its name. */
const ID_HEADERS = [
  'x-github-delivery',
  // GitLab gives what follows from another delivery the same event uuid
  'idempotency-key',
  'x-gitlab-event-uuid',
  'x-gitea-delivery',
  'x-request-uuid',
  'webhook-id',
  'x-atlassian-webhook-identifier',
  'x-delivery-id',
];
const MAX_LENGTH = 200;

type Headers = Readonly<Record<string, string | string[] | undefined>>;

/** One value of a header; null where there is none or several. */
function headerOf(headers: Headers, name: string): string | null {
  const value = headers[name.toLowerCase()];
  return typeof value === 'string' ? value : null;
}

function firstOf(headers: Headers, names: readonly string[]): string | null {
  for (const name of names) {
    const value = headerOf(headers, name)?.trim();
    if (value !== undefined && value !== '' && value.length <= MAX_LENGTH) return value;
  }
  return null;
}

/** What a delivery says of itself. Without a name of its own it goes by the digest of its body. */
export function deliveryOf(headers: Headers, bodyDigest: string): { event: string; id: string } {
  return { event: firstOf(headers, EVENT_HEADERS) ?? '', id: firstOf(headers, ID_HEADERS) ?? bodyDigest };
}

/** In a time that tells nothing about where two texts differ, nor how long they are. */
function isSame(left: string, right: string): boolean {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
}

/** Whether a delivery comes from the service: judged by the raw body, before any code of the connector sees it. */
export function isProven(
  proof: WebhookProof,
  secret: string,
  { headers, raw }: { headers: Headers; raw: Uint8Array },
): boolean {
  const given = headerOf(headers, proof.header);
  if (given === null || secret === '') return false;
  if (proof.type === 'token') return isSame(given, secret);
  const expected = createHmac('sha256', secret).update(raw).digest('hex');
  return isSame(given.replace(/^sha256=/, '').toLowerCase(), expected);
}
