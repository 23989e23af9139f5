/** Addresses of a plugin's entry points, for `import`. */
export interface EntryUrls {
  readonly manifest: string;
  readonly parsers: string | null;
  readonly server: string | null;
}

/** An error as it crosses between processes. `code` is one of `ConnectorError` or of `ReportError`. */
export interface SentError {
  readonly name: string;
  readonly message: string;
  readonly code?: string;
  readonly retryAfterMs?: number;
  readonly help?: string;
  readonly stack?: string;
}

/** Names what stands in place of an argument that cannot be sent: `ctx`, `signal` or `bytes`. */
export const STAND = '\0stand';

/** What the host asks of the process. */
export type ToChild =
  | { readonly t: 'load'; readonly entries: EntryUrls }
  | {
      readonly t: 'call';
      readonly id: number;
      /** `['connectors', 'harbour', 'scm', 'user']`, `['parsers', 'harbour', 'parse']`. */
      readonly path: readonly string[];
      readonly args: readonly unknown[];
      /** Its records are pulled. */
      readonly isStream: boolean;
      readonly config: unknown;
      readonly now: number;
      readonly isClockStill: boolean;
    }
  | { readonly t: 'pull'; readonly id: number; readonly most: number }
  | { readonly t: 'return'; readonly id: number }
  | { readonly t: 'abort'; readonly id: number; readonly reason: SentError }
  | { readonly t: 'answer'; readonly ask: number; readonly value: unknown; readonly now: number }
  | { readonly t: 'refuse'; readonly ask: number; readonly error: SentError; readonly now: number }
  | { readonly t: 'ping' };

/** What a call may ask of its `Ctx`. */
export const ASKS = [
  'http.json',
  'http.request',
  'stream.open',
  'pages.open',
  'next',
  'return',
  'store.get',
  'store.set',
  'store.delete',
  'reveal',
  'bytes',
] as const;
export type Ask = (typeof ASKS)[number];

/** What the process says. Whatever comes is judged: its code may write here itself. */
export type FromChild =
  | { readonly t: 'ready'; readonly isNetworkCut: boolean }
  | { readonly t: 'described'; readonly plugin: unknown }
  | { readonly t: 'failed'; readonly error: SentError }
  | { readonly t: 'value'; readonly id: number; readonly value: unknown }
  | { readonly t: 'records'; readonly id: number; readonly records: readonly unknown[]; readonly isEnd: boolean }
  | { readonly t: 'error'; readonly id: number; readonly error: SentError }
  | {
      readonly t: 'ask';
      readonly id: number;
      readonly ask: number;
      readonly what: Ask;
      readonly args: readonly unknown[];
    }
  | {
      readonly t: 'log';
      readonly id: number;
      readonly level: string;
      readonly message: string;
      readonly facts?: unknown;
    }
  | { readonly t: 'pong' };
