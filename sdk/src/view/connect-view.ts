import type { ViewAppearance, ViewConnection, ViewErrorCode } from './view-messages.ts';

/** What a view may ask of its host. */
export interface View<R> {
  getConnection(): Promise<ViewConnection>;
  /**
   * Calls a route of the same connector, `GET /projects`, as the person who looks at the view: with their role, through the host.
   * @throws ViewError
   */
  call<K extends keyof R & string>(route: K, ...input: InputOf<R[K]>): Promise<OutputOf<R[K]>>;
  /** Asks for a height of the frame in pixels; by default that of the document. The host keeps it between 80 and 600. */
  resize(height?: number): Promise<void>;
  /** Hears of another language or theme. @returns what ends that */
  onChange(listener: (appearance: ViewAppearance) => void): () => void;
}

/** Input and output of each route, for the types of `call`: `{ 'GET /projects': { output: Project[] } }`. */
export type ViewRoutes<R> = { readonly [K in keyof R]: { readonly input?: unknown; readonly output: unknown } };
type InputOf<T> = T extends { readonly input: infer I } ? [input: I] : [input?: undefined];
type OutputOf<T> = T extends { readonly output: infer O } ? O : unknown;

/** An `Error` whose `name` is `ViewError`. */
export interface ViewError extends Error {
  readonly code: ViewErrorCode;
}

interface ViewPort {
  onmessage: ((event: { readonly data: string }) => void) | null;
  postMessage(text: string): void;
}

/** What is needed of a browser's window. */
interface ViewWindow {
  readonly parent: unknown;
  /** What the host has put there. */
  readonly breakwater?: View<never>;
  readonly document: {
    readonly documentElement: {
      lang: string;
      readonly dataset: Record<string, string | undefined>;
      readonly style: { colorScheme: string };
      getBoundingClientRect(): { readonly height: number };
    };
  };
  addEventListener(
    type: 'message',
    listener: (event: {
      readonly source: unknown;
      readonly data: unknown;
      readonly ports: readonly ViewPort[];
    }) => void,
  ): void;
}

declare const window: ViewWindow;

/**
 * The view's end of the bridge. The host puts the same as `breakwater` into every view before its own scripts run, so that a plain script
 * needs no module; here it has types. Everything that it needs stands inside of it, because the host writes it into the document.
 * @param frame the window of the view
 */
export function connectView<R extends ViewRoutes<R>>(frame: ViewWindow = window): View<R> {
  // one that the host has put there already has the port
  const known: View<R> | undefined = frame.breakwater;
  if (known !== undefined) return known;
  const waiting = new Map<number, PromiseWithResolvers<never>>();
  const listeners = new Set<(appearance: ViewAppearance) => void>();
  const unsent: string[] = [];
  let port: ViewPort | undefined;
  let last = 0;

  const send = (message: object): void => {
    const text = JSON.stringify(message);
    if (port === undefined) unsent.push(text);
    else port.postMessage(text);
  };
  const ask = (request: object): Promise<never> => {
    last += 1;
    const answer = Promise.withResolvers<never>();
    waiting.set(last, answer);
    send({ id: last, ...request });
    return answer.promise;
  };
  const change = (appearance: ViewAppearance): void => {
    const { documentElement } = frame.document;
    documentElement.lang = appearance.locale;
    documentElement.dataset['theme'] = appearance.theme;
    documentElement.style.colorScheme = appearance.theme;
    for (const listener of listeners) listener(appearance);
  };
  const settle = (message: { id: number; result: never; error?: { code: ViewErrorCode; message: string } }): void => {
    const answer = waiting.get(message.id);
    waiting.delete(message.id);
    if (message.error === undefined) answer?.resolve(message.result);
    else
      answer?.reject(Object.assign(new Error(message.error.message), { name: 'ViewError', code: message.error.code }));
  };
  const hear = ({ data }: { readonly data: string }): void => {
    const message = JSON.parse(data);
    if (message.event === 'ping') send({ method: 'pong' });
    else if (message.event === 'change') change(message.appearance);
    else settle(message);
  };

  // `VIEW_GREETING`, which the document that this is written into does not have
  frame.addEventListener('message', ({ source, data, ports: [given] }) => {
    if (port !== undefined || given === undefined || source !== frame.parent || data !== 'breakwater.view') return;
    port = given;
    port.onmessage = hear;
    for (const text of unsent.splice(0)) port.postMessage(text);
  });

  return {
    getConnection: () => ask({ method: 'getConnection' }),
    call: (route, ...[input]) => ask({ method: 'call', route, input }),
    resize: (height = Math.ceil(frame.document.documentElement.getBoundingClientRect().height)) =>
      ask({ method: 'resize', height }),
    onChange: (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}
