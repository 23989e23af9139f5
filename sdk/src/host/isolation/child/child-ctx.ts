import type { Ask } from '../messages.ts';

/** How a call asks its host. */
export type AskHost = (what: Ask, args: readonly unknown[]) => Promise<unknown>;

export interface ChildCall {
  readonly ask: AskHost;
  readonly abort: AbortController;
  log(level: string, message: unknown, facts: unknown): void;
  now(): Date;
}

/** The `Ctx` of a call, whose every part asks the host. */
export function childCtx(config: unknown, { ask, abort, log, now }: ChildCall): object {
  const write = (level: string) => (message: unknown, facts: unknown) => log(level, message, facts);
  return Object.freeze({
    config: Object.freeze(config),
    http: Object.freeze({
      json: (request: unknown) => ask('http.json', [request]),
      request: (request: unknown) => ask('http.request', [request]),
      stream: (request: unknown) => remoteIterable(ask, 'stream.open', [request]),
      pages: (request: unknown, paging: unknown) => remoteIterable(ask, 'pages.open', [request, paging]),
    }),
    store: Object.freeze({
      get: async (key: unknown) => (await ask('store.get', [key])) ?? undefined,
      set: async (key: unknown, value: unknown) => void (await ask('store.set', [key, value])),
      delete: async (key: unknown) => void (await ask('store.delete', [key])),
    }),
    log: Object.freeze({ debug: write('debug'), info: write('info'), warn: write('warn') }),
    signal: abort.signal,
    now,
    reveal: (key: unknown) => ask('reveal', [key]),
  });
}

/** What the host iterates over; nothing is asked before the first item is wanted. */
async function* remoteIterable(ask: AskHost, open: Ask, args: readonly unknown[]): AsyncGenerator<unknown> {
  const handle = await ask(open, args);
  let isOver = false;
  try {
    for (;;) {
      const step = await ask('next', [handle]);
      isOver = typeof step !== 'object' || step === null || Reflect.get(step, 'done') === true;
      if (isOver) return;
      yield typeof step === 'object' && step !== null ? Reflect.get(step, 'value') : undefined;
    }
  } finally {
    if (!isOver) await ask('return', [handle]).catch(() => undefined);
  }
}

/** A report, piece by piece. */
export async function* remoteBytes(ask: AskHost): AsyncGenerator<unknown> {
  for (;;) {
    const piece = await ask('bytes', []);
    if (piece === null || piece === undefined) return;
    yield piece;
  }
}
