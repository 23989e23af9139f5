/** The report's first bytes (at least `size` where it has them) and the same report, untouched. */
export async function peek(
  report: AsyncIterable<Uint8Array>,
  size: number,
): Promise<{ head: Buffer; report: AsyncIterable<Uint8Array> }> {
  const iterator = report[Symbol.asyncIterator]();
  const seen: Uint8Array[] = [];
  let length = 0;
  while (length < size) {
    const next = await iterator.next();
    if (next.done === true) break;
    seen.push(next.value);
    length += next.value.length;
  }
  async function* whole(): AsyncGenerator<Uint8Array> {
    try {
      yield* seen;
      for (let next = await iterator.next(); next.done !== true; next = await iterator.next()) yield next.value;
    } finally {
      await iterator.return?.();
    }
  }
  return { head: Buffer.concat(seen), report: whole() };
}
