import { createHash, createHmac, timingSafeEqual } from 'node:crypto';
import type { WebhookProof } from '@breakwater/sdk';
import { headerOf } from '../model/delivery.ts';

/** In a time that tells nothing about where two texts differ, nor how long they are. */
const isSame = (left: string, right: string): boolean => {
  const digest = (text: string): Buffer => createHash('sha256').update(text).digest();
  return timingSafeEqual(digest(left), digest(right));
};

/** Whether a delivery comes from the service: judged by the raw body, before any code of the connector sees it. */
export const isProven = (
  proof: WebhookProof,
  secret: string,
  { headers, raw }: { headers: Readonly<Record<string, string | string[] | undefined>>; raw: Buffer },
): boolean => {
  const given = headerOf(headers, proof.header);
  if (given === null || secret === '') return false;
  if (proof.type === 'token') return isSame(given, secret);
  const expected = createHmac('sha256', secret).update(raw).digest('hex');
  return isSame(given.replace(/^sha256=/, '').toLowerCase(), expected);
};
