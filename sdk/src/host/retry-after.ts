import type { Incoming } from './egress-gate.ts';

type Headers = Incoming['headers'];

const EPOCH_FROM = 1_000_000_000;

/** Milliseconds that the service asks to wait, from Retry-After (seconds or a date) or the reset time of its limit; else undefined. */
export function retryAfterMs(headers: Headers, now: Date): number | undefined {
  const header = headers['retry-after']?.trim();
  if (header !== undefined && header !== '') {
    const seconds = Number(header);
    if (Number.isFinite(seconds) && seconds >= 0) return Math.round(seconds * 1000);
    const date = Date.parse(header);
    if (!Number.isNaN(date)) return Math.max(0, date - now.getTime());
  }
  const reset = Number((headers['x-ratelimit-reset'] ?? headers['ratelimit-reset'])?.trim() || Number.NaN);
  if (!Number.isFinite(reset) || reset < 0 || !isSpent(headers)) return undefined;
  // GitHub and GitLab give the time of day, others the seconds until then.
  return Math.max(0, reset >= EPOCH_FROM ? reset * 1000 - now.getTime() : reset * 1000);
}

/** Whether a refusal is about how often we asked and not about rights: GitHub says 403 for both. */
export function isRateLimit(headers: Headers): boolean {
  return headers['retry-after'] !== undefined || isSpent(headers);
}

function isSpent(headers: Headers): boolean {
  return (headers['x-ratelimit-remaining'] ?? headers['ratelimit-remaining'])?.trim() === '0';
}
