import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, utf8ToBytes } from '@noble/hashes/utils.js';

/** In place of Node's: importers take the SHA-256 of a text, at once. */
export const createHash = (algorithm: 'sha256') => ({
  update: (text: string) => ({
    digest: (encoding: 'hex'): string => {
      if (algorithm !== 'sha256' || encoding !== 'hex')
        throw new Error(`${algorithm} as ${encoding} is not offered here`);
      return bytesToHex(sha256(utf8ToBytes(text)));
    },
  }),
});
