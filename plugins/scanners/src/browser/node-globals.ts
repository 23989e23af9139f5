import { Buffer } from 'buffer/';

/** To be imported before the importers, which take Node's `Buffer` for granted. */
Reflect.set(globalThis, 'Buffer', Buffer);

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });
const plainToString = Buffer.prototype.toString;

/** Text is most of what importers ask of a buffer, and the platform decodes it many times faster. */
Buffer.prototype.toString = function decode(this: Buffer, encoding, start = 0, end = this.length): string {
  if (encoding !== undefined && encoding !== 'utf8') return plainToString.call(this, encoding, start, end);
  return utf8.decode(Uint8Array.prototype.subarray.call(this, Math.max(0, start), Math.max(0, end)));
};
