import { createHash } from 'node:crypto';
import { type EgressGate, hostAndPort } from '@breakwater/sdk/host';
import type { ImageType } from './tables.ts';

/** Source: specification §9. */
const SIZE_PX = 200;
const MAX_BYTES = 262_144;
const REQUEST_MS = 10_000;

type Incoming = Awaited<ReturnType<EgressGate['send']>>;

export interface AvatarImage {
  image: Buffer;
  mediaType: ImageType;
}

/** How avatar services name a person: SHA-256 of the trimmed e-mail in lower case, in hex. Source: Gravatar, "Hash", 2026-11. */
export const hashOfEmail = (email: string): string =>
  createHash('sha256').update(email.trim().toLowerCase()).digest('hex');

const SIGNATURES: readonly [ImageType, (bytes: Buffer) => boolean][] = [
  ['image/png', (bytes) => bytes.subarray(0, 4).equals(Buffer.from('89504e47', 'hex'))],
  ['image/jpeg', (bytes) => bytes.subarray(0, 3).equals(Buffer.from('ffd8ff', 'hex'))],
  ['image/gif', (bytes) => bytes.toString('latin1', 0, 4) === 'GIF8'],
  ['image/webp', (bytes) => bytes.toString('latin1', 0, 4) === 'RIFF' && bytes.toString('latin1', 8, 12) === 'WEBP'],
];

/** What the bytes are, whatever the service calls them. SVG is none: it may hold scripts. */
const typeOf = (bytes: Buffer): ImageType | undefined => SIGNATURES.find(([, fits]) => fits(bytes))?.[0];

const readImage = async ({ body }: Incoming): Promise<Buffer | undefined> => {
  const pieces: Buffer[] = [];
  let size = 0;
  for await (const piece of body) {
    size += piece.length;
    if (size > MAX_BYTES) return undefined;
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

/** Asks an avatar service through the egress gate: first whether there is a picture, then for it. */
export const createAvatarService = ({ gate, address }: { gate: EgressGate; address: URL }) => {
  const send = async (hash: string, method: 'HEAD' | 'GET'): Promise<Incoming> => {
    const url = new URL(`${address.href.replace(/\/$/, '')}/${hash}?s=${SIZE_PX}&d=404`);
    const incoming = await gate.send({
      url,
      method,
      headers: { accept: 'image/png, image/jpeg, image/gif, image/webp' },
      body: undefined,
      rules: {
        title: 'the avatar service',
        setting: '',
        hosts: [{ name: url.hostname, isWildcard: false, port: url.port === '' ? null : url.port }],
        places: new Set(),
        // the operator named it
        trusted: new Set([hostAndPort(url)]),
      },
      isRedirect: false,
      signal: AbortSignal.timeout(REQUEST_MS),
      headersMs: REQUEST_MS,
      idleMs: REQUEST_MS,
    });
    // a body that is not read to its end is given up, and says so where nobody listens any more
    incoming.body.on('error', () => undefined);
    return incoming;
  };
  return {
    /** @returns nothing where the service has none, or what it has is no picture of at most 256 kB. @throws what the network says */
    fetch: async (hash: string): Promise<AvatarImage | undefined> => {
      const head = await send(hash, 'HEAD');
      head.body.destroy();
      if (head.status !== 200) return undefined;
      const answer = await send(hash, 'GET');
      try {
        const image = answer.status === 200 ? await readImage(answer) : undefined;
        const mediaType = image && typeOf(image);
        return image === undefined || mediaType === undefined ? undefined : { image, mediaType };
      } finally {
        answer.body.destroy();
      }
    },
  };
};

export type AvatarService = ReturnType<typeof createAvatarService>;
