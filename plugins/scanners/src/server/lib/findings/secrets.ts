import { createHash } from 'node:crypto';
import { LIMITS } from '../limits.ts';

const MASK = '********';

/** True for what tools write in place of a secret: `REDACTED`, `***`, `AKIA...`. */
function isRedacted(secret: string): boolean {
  return /redacted|\*{3,}|\.{3}$|^x{4,}$/i.test(secret);
}

/** SHA-256 (hex) of a secret that the report carries in the clear; undefined when it was redacted. */
export function secretDigest(secret: string | undefined): string | undefined {
  if (secret === undefined || secret.trim() === '' || isRedacted(secret)) return undefined;
  return createHash('sha256').update(secret).digest('hex');
}

/**
 * `context` with the secret blanked out. Undefined when the context may show the secret in another spelling
 * (escaped, cut or wrapped), because then nothing in it can be trusted to be harmless.
 */
export function maskSecret(context: string | undefined, secret: string | undefined): string | undefined {
  if (context === undefined || secret === undefined || secret.trim() === '') return undefined;
  if (context.length > LIMITS.textChars) return undefined;
  if (context.includes(secret)) return context.replaceAll(secret, MASK);
  return isRedacted(secret) ? context : undefined;
}

/** Free text (a commit message) without the secret. Blanked before it is cut, so that no half of a secret is left. */
export function withoutSecret(value: string | undefined, secret: string | undefined): string | undefined {
  if (value === undefined || secret === undefined || secret === '') return value;
  return value.length > LIMITS.textChars ? undefined : value.replaceAll(secret, MASK);
}

/** Long random-looking words in a line that is known to hold some secret. */
export function maskTokens(value: string): string {
  return value.replace(/[A-Za-z0-9+/_=.-]{16,}/g, (word) => (/\d/.test(word) && /[A-Za-z]/.test(word) ? MASK : word));
}
