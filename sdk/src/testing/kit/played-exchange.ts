import type { Exchange } from '../fixtures.ts';

/** An exchange whose path is whole and whose answer is bytes. */
export interface PlayedExchange {
  readonly recorded: Exchange;
  /** Path with the root of its service before it. */
  readonly path: string;
  readonly answer: {
    readonly status: number;
    readonly headers: Readonly<Record<string, string>>;
    readonly body: Uint8Array;
  };
}
