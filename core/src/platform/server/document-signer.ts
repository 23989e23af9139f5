import { hkdfSync } from 'node:crypto';
import { decodeProtectedHeader, errors, jwtVerify, SignJWT } from 'jose';
import type { KeyRing } from './key-ring.ts';

const ALGORITHM = 'HS256';
const KEY_BYTES = 32;

/** What a signing key is for: part of its derivation, so that no key serves two purposes. */
const PURPOSE = 'breakwater signed document v1';

/** Signs what this server says of itself (JWS, compact). Signed with the ring's current key; older keys still verify. */
export interface DocumentSigner {
  /** The document as payload, with `iat`, the second in which it was signed. */
  sign(document: Readonly<Record<string, unknown>>): Promise<string>;
  /** The payload; nothing where this server did not sign it, or its key has left the ring. */
  verify(jws: string): Promise<Record<string, unknown> | undefined>;
}

/** The ring's own keys seal secrets; they are never used for signing. */
const signingKey = (ringKey: Buffer): Uint8Array =>
  new Uint8Array(hkdfSync('sha256', ringKey, Buffer.alloc(0), PURPOSE, KEY_BYTES));

/** Signs with keys derived from the ring (HKDF, RFC 5869). */
export const createDocumentSigner = (ring: KeyRing): DocumentSigner => ({
  sign: (document) =>
    new SignJWT({ ...document })
      .setProtectedHeader({ alg: ALGORITHM, typ: 'JWT', kid: ring.current.id })
      .setIssuedAt()
      .sign(signingKey(ring.current.key)),
  verify: async (jws) => {
    try {
      const { kid } = decodeProtectedHeader(jws);
      const ringKey = kid === undefined ? undefined : ring.find(kid);
      if (ringKey === undefined) return undefined;
      return (await jwtVerify(jws, signingKey(ringKey), { algorithms: [ALGORITHM] })).payload;
    } catch (error) {
      if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
      throw error;
    }
  },
});
