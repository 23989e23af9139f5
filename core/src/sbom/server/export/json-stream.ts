const PIECE_CHARACTERS = 65_536;

/** Texts of a document on their way, joined into pieces of about 64 kB. */
export async function* inPieces(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array> {
  let waiting = '';
  for await (const text of texts) {
    waiting += text;
    if (waiting.length < PIECE_CHARACTERS) continue;
    yield Buffer.from(waiting);
    waiting = '';
  }
  if (waiting !== '') yield Buffer.from(waiting);
}

/** `"name":[…]` of a stream of values, one a line. */
export async function* jsonArray(name: string, values: AsyncIterable<unknown>): AsyncGenerator<string> {
  yield `${JSON.stringify(name)}:[`;
  let before = '\n';
  for await (const value of values) {
    yield `${before}${JSON.stringify(value)}`;
    before = ',\n';
  }
  yield ']';
}

/** `"a":1,"b":2` of an object, without its braces. */
export const jsonFields = (fields: Record<string, unknown>): string => JSON.stringify(fields).slice(1, -1);

/** An object without the keys that hold nothing. */
export const stated = (fields: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(
    Object.entries(fields).filter(([, value]) => value !== null && value !== undefined && value !== ''),
  );
