import type { ViewAppearance, ViewConnection, ViewErrorCode, ViewMessage, ViewRequest } from '@breakwater/sdk/view';
import { readViewRequest } from '../../model/view-request.ts';

/** Why a frame was ended. */
export type ViewEnd = 'flood' | 'stuck' | 'left';

const CALLS_AT_ONCE = 4;
const CALLS_PER_MINUTE = 60;
const MESSAGES_PER_SECOND = 50;
const MAX_ANSWER = 1024 * 1024;
const LEAST_HEIGHT = 80;
const MOST_HEIGHT = 600;
const PING_MS = 5000;
/** Pings that a frame may leave unanswered; counted, as a page that is busy itself hears the answers late. */
const MOST_UNANSWERED = 2;

export interface ViewHostOptions {
  /** The channel to the frame; what comes back over it goes to `heard`. */
  readonly port: Pick<MessagePort, 'postMessage' | 'close'>;
  /** Nobody sees the page at the moment. */
  isHidden(): boolean;
  connection(): ViewConnection;
  /** Calls a route of the connector as the person. @throws Error with words for the author */
  call(route: string, input: Record<string, unknown>): Promise<unknown>;
  resize(height: number): void;
  /** The frame has to go: it sends too much, or does not answer. */
  end(reason: ViewEnd): void;
}

export interface ViewHost {
  /** The frame sent something over the channel. */
  heard(data: unknown): void;
  /** Language or theme have changed. */
  changed(appearance: ViewAppearance): void;
  /** The frame sent something past the channel: it is not read, and counts. */
  noise(): void;
  /** The frame shows another page than the one that was asked for. */
  left(): void;
  close(): void;
}

/** Whether one more event fits into a span of time. */
const createLimit = (most: number, spanMs: number): (() => boolean) => {
  let times: number[] = [];
  return () => {
    const now = performance.now();
    times = times.filter((time) => now - time < spanMs);
    if (times.length >= most) return false;
    times.push(now);
    return true;
  };
};

/** A call that failed, in words for the view. */
class Refusal extends Error {
  readonly code: ViewErrorCode;
  constructor(code: ViewErrorCode, message: string) {
    super(message);
    this.code = code;
  }
}

// no text: for the author of the view
const TOO_OFTEN = `At most ${CALLS_AT_ONCE} calls at once and ${CALLS_PER_MINUTE} a minute.`;
// no text: for the author of the view
const TOO_LARGE = `An answer has at most ${MAX_ANSWER} characters.`;

/** Answers what is asked of it, one message after the other; each is judged before anything is done. */
const createAnswers = ({ connection, call, resize }: ViewHostOptions) => {
  const mayCall = createLimit(CALLS_PER_MINUTE, 60_000);
  let calls = 0;
  const callRoute = async ({ route, input }: Extract<ViewRequest, { method: 'call' }>): Promise<unknown> => {
    if (calls >= CALLS_AT_ONCE || !mayCall()) throw new Refusal('rate_limited', TOO_OFTEN);
    calls += 1;
    try {
      const result = await call(route, { ...Object(input) });
      if ((JSON.stringify(result) ?? '').length > MAX_ANSWER) throw new Refusal('too_large', TOO_LARGE);
      return result ?? null;
    } finally {
      calls -= 1;
    }
  };
  return async (request: Exclude<ViewRequest, { method: 'pong' }>): Promise<unknown> => {
    if (request.method === 'getConnection') return connection();
    if (request.method === 'call') return callRoute(request);
    resize(Math.round(Math.min(MOST_HEIGHT, Math.max(LEAST_HEIGHT, request.height))));
    return null;
  };
};

const errorOf = (error: unknown): { code: ViewErrorCode; message: string } => ({
  code: error instanceof Refusal ? error.code : 'call_failed',
  message: error instanceof Error ? error.message : String(error),
});

/**
 * The host's end of the bridge. Nothing that a frame sends is taken for more than what it is: text that has to be one of four messages.
 * A frame that floods the channel, or does not answer a ping, is ended.
 */
export const createViewHost = (options: ViewHostOptions): ViewHost => {
  const { port, end, isHidden } = options;
  const answer = createAnswers(options);
  const maySend = createLimit(MESSAGES_PER_SECOND, 1000);
  let isClosed = false;
  let unanswered = 0;

  const send = (message: ViewMessage): void => {
    if (!isClosed) port.postMessage(JSON.stringify(message));
  };
  const close = (): void => {
    isClosed = true;
    clearInterval(timer);
    port.close();
  };
  const stop = (reason: ViewEnd): void => {
    if (isClosed) return;
    close();
    end(reason);
  };
  const ping = (): void => {
    // what nobody sees has slow timers, the page and its frame
    if (isHidden()) unanswered = 0;
    if (unanswered >= MOST_UNANSWERED) stop('stuck');
    else send({ event: 'ping' });
    unanswered += 1;
  };
  const timer = setInterval(ping, PING_MS);

  const isTooMuch = (): boolean => {
    if (!isClosed && !maySend()) stop('flood');
    return isClosed;
  };
  const heard = (data: unknown): void => {
    if (isTooMuch()) return;
    unanswered = 0;
    const read = readViewRequest(data);
    if (!('request' in read)) {
      const { id, code, message } = read;
      if (id !== undefined) send({ id, error: { code, message } });
      return;
    }
    const { request } = read;
    if (request.method === 'pong') return;
    const { id } = request;
    answer(request).then(
      (result) => send({ id, result }),
      (error: unknown) => send({ id, error: errorOf(error) }),
    );
  };
  return {
    heard,
    changed: (appearance) => send({ event: 'change', appearance }),
    noise: () => void isTooMuch(),
    left: () => stop('left'),
    close,
  };
};
