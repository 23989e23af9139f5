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
