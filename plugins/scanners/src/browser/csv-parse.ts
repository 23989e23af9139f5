import type { Options } from 'csv-parse';
import { CsvError, parse as parseText } from 'csv-parse/browser/esm/sync';

export { CsvError };

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** All rows at a time, where the server's parser takes them from a stream of Node. */
export const parse = (options: Options) => {
  let text = '';
  return {
    feed: (pieces: Iterable<Uint8Array>): void => {
      for (const piece of pieces) text += utf8.decode(piece, { stream: true });
      text += utf8.decode();
    },
    *[Symbol.iterator](): Generator<unknown> {
      const rows: unknown = parseText(text, options);
      if (Array.isArray(rows)) yield* rows;
    },
  };
};
