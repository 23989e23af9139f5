/** In place of Node's: a source of pieces that is piped into a parser of tables (csv-parse.ts). */
export const Readable = {
  from: (pieces: Iterable<Uint8Array>) => ({
    pipe: (parser: { feed(pieces: Iterable<Uint8Array>): void }): void => parser.feed(pieces),
    destroy: (): void => undefined,
  }),
};
