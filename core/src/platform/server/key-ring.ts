import { createHash } from 'node:crypto';

const KEY_BYTES = 32;

/** Keys that seal and open secrets. New secrets are sealed by the current one; older ones still open. */
export interface KeyRing {
  current: { id: string; key: Buffer };
  find(id: string): Buffer | undefined;
}

/** Name of a key that tells nothing about it. */
const idOf = (key: Buffer): string =>
  createHash('sha256').update('breakwater key id\0').update(key).digest('hex').slice(0, 12);

/** @param keys 32 bytes each, the current one first. */
export const createKeyRing = (keys: readonly Buffer[]): KeyRing => {
  const [first] = keys;
  if (first === undefined || keys.some((key) => key.length !== KEY_BYTES)) {
    throw new Error(`A key ring needs at least one key, each of ${KEY_BYTES} bytes.`);
  }
  const byId = new Map(keys.map((key) => [idOf(key), key]));
  return { current: { id: idOf(first), key: first }, find: (id) => byId.get(id) };
};
