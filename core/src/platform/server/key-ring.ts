import { createHash, createHmac, hkdfSync } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';

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

const ALGORITHM = 'HS256';

/** What a derived key is for: part of its derivation, so that no key serves two purposes. */
const PURPOSES = {
  document: 'breakwater signed document v1',
  device: 'breakwater known device v1',
  setup: 'breakwater setup code v1',
  consent: 'breakwater oauth proof key v1',
} as const;

/** Signs what this server says of itself (JWS, compact). Signed with the ring's current key; older keys still verify. */
export interface DocumentSigner {
  /** The document as payload, with `iat`, the second in which it was signed. */
  sign(document: Readonly<Record<string, unknown>>): Promise<string>;
  /** The payload; nothing where this server did not sign it, or its key has left the ring. */
  verify(jws: string): Promise<Record<string, unknown> | undefined>;
}

/** The ring's own keys seal secrets; they are never used for anything else. */
const derivedKey = (ringKey: Buffer, purpose: keyof typeof PURPOSES): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', ringKey, Buffer.alloc(0), PURPOSES[purpose], KEY_BYTES));

/** Without letters and digits that are mistaken for each other (Crockford's base 32). */
const CODE_SIGNS = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';

/** The code that opens the first start from another machine: `ABCD-EFGH-JKMN-PQRS`, 80 bits, the same in all processes of one key. */
export const setupCodeOf = (ring: KeyRing): string => {
  const signs = Array.from(derivedKey(ring.current.key, 'setup').slice(0, 16), (byte) => CODE_SIGNS[byte % 32]);
  return signs.join('').replace(/(.{4})(?=.)/g, '$1-');
};

/**
 * The proof key (RFC 7636 `code_verifier`) of one sign-in at a service, derived from its state: it is stored nowhere, and who sees the
 * state in an address cannot make it.
 */
export const proofKeyOf = (ring: KeyRing, state: string): string =>
  createHmac('sha256', derivedKey(ring.current.key, 'consent')).update(state).digest('base64url');

/** Signs with keys derived from the ring (HKDF, RFC 5869). What is signed for one purpose is nothing for another. */
export const createDocumentSigner = (ring: KeyRing, purpose: 'document' | 'device' = 'document'): DocumentSigner => ({
  sign: (document) =>
    new SignJWT({ ...document })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: ring.current.id })
      .setIssuedAt()
      .sign(derivedKey(ring.current.key, purpose)),
  verify: async (jws) => {
    try {
      const { kid } = decodeProtectedHeader(jws);
      const ringKey = kid === undefined ? undefined : ring.find(kid);
      if (ringKey === undefined) return undefined;
      return (await jwtVerify(jws, derivedKey(ringKey, purpose), { algorithms: [ALGORITHM] })).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  },
});
