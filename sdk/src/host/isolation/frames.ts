/** Frames between the host and the process of a plugin: four bytes of length, then JSON in which bytes stand as base64. */

const HEAD_BYTES = 4;
const BYTES_KEY = '\0bytes';

/** What went over the agreed size or form; the process that sent it is ended. */
export class FrameError extends Error {
  constructor(message: string) {
    super(message);
    this.name = 'FrameError';
  }
}

/** @throws where a value cannot be said in JSON, such as one that holds itself */
export function encodeFrame(message: unknown): Uint8Array {
  const body = Buffer.from(JSON.stringify(message, withBytes) ?? 'null');
  const frame = Buffer.allocUnsafe(HEAD_BYTES + body.byteLength);
  frame.writeUInt32LE(body.byteLength, 0);
  body.copy(frame, HEAD_BYTES);
  return frame;
}

function withBytes(this: unknown, key: string, value: unknown): unknown {
  // Buffer has a toJSON, which ran already: the holder has the value itself
  const raw: unknown = typeof this === 'object' && this !== null ? Reflect.get(this, key) : value;
  return raw instanceof Uint8Array ? { [BYTES_KEY]: Buffer.from(raw).toString('base64') } : value;
}

/** Puts bytes back where they stood. Goes through what `JSON.parse` made, without recursion of its own. */
export function reviveBytes(root: unknown): unknown {
  const holder = { root };
  const waiting: object[] = [holder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    for (const [key, value] of Object.entries(next)) {
      if (typeof value !== 'object' || value === null) continue;
      const text: unknown = Object.hasOwn(value, BYTES_KEY) ? Reflect.get(value, BYTES_KEY) : undefined;
      if (typeof text === 'string') Reflect.set(next, key, new Uint8Array(Buffer.from(text, 'base64')));
      else waiting.push(value);
    }
  }
  return holder.root;
}

/** Puts frames together from pieces. @throws FrameError in what it returns, for a frame above `maxBytes` */
export function createFrameReader(maxBytes: number, take: (body: Uint8Array) => void): (piece: Uint8Array) => void {
  let pieces: Uint8Array[] = [];
  let size = 0;
  let expected: number | undefined;
  return (piece) => {
    pieces.push(piece);
    size += piece.byteLength;
    for (;;) {
      if (expected === undefined && size >= HEAD_BYTES) {
        const joined = join();
        expected = joined.readUInt32LE(0);
        if (expected > maxBytes) throw new FrameError(`a message of ${expected} bytes`);
      }
      if (expected === undefined || size < HEAD_BYTES + expected) return;
      const joined = join();
      const end = HEAD_BYTES + expected;
      const rest = joined.subarray(end);
      [pieces, size, expected] = [rest.byteLength === 0 ? [] : [rest], rest.byteLength, undefined];
      take(joined.subarray(HEAD_BYTES, end));
    }
  };

  function join(): Buffer {
    const [only] = pieces;
    const joined =
      pieces.length === 1 && only !== undefined
        ? Buffer.from(only.buffer, only.byteOffset, only.byteLength)
        : Buffer.concat(pieces);
    pieces = [joined];
    return joined;
  }
}
