import { serviceId } from './service-id.ts';

/** Names a kind of server-sent event and carries the type of its data. Declared by the slice that publishes it. */
export interface EventKind<T> {
  readonly type: string;
  readonly '~'?: T;
}

export const eventKind = <T>(type: string): EventKind<T> => ({ type });

type Unsubscribe = () => void;

/** Live events of the organisation. Listeners outlive lost connections. */
export interface LiveEvents {
  on<T>(kind: EventKind<T>, listener: (data: T) => void): Unsubscribe;
  /** Runs after every new connection but the first: what was missed has to be read again. */
  onReconnect(listener: () => void): Unsubscribe;
  start(): void;
  stop(): void;
}

const FIRST_RETRY_MS = 1_000;
const LAST_RETRY_MS = 30_000;

type OpenEventSource = (url: string) => EventSource;

/**
 * One event stream for the whole page. `EventSource` reconnects by itself after a broken connection, but gives up for
 * good when the server answers with an error (503 while it restarts): then a new one is opened, ever more slowly.
 */
export class EventStream implements LiveEvents {
  readonly #url: string;
  readonly #open: OpenEventSource;
  readonly #onRefused: () => void;
  readonly #listeners = new Map<string, Set<(text: string) => void>>();
  readonly #reconnectListeners = new Set<() => void>();
  #source: EventSource | undefined;
  #retry: ReturnType<typeof setTimeout> | undefined;
  #retryMs = FIRST_RETRY_MS;
  #wasConnected = false;

  /** @param onRefused the server answered with an error: the session may have ended */
  constructor(
    url = '/api/v1/events',
    open: OpenEventSource = (address) => new EventSource(address),
    onRefused: () => void = () => undefined,
  ) {
    this.#url = url;
    this.#open = open;
    this.#onRefused = onRefused;
  }

  on<T>(kind: EventKind<T>, listener: (data: T) => void): Unsubscribe {
    const known = this.#listeners.get(kind.type);
    const listeners = known ?? new Set();
    const deliver = (text: string) => listener(JSON.parse(text));
    listeners.add(deliver);
    if (known === undefined) {
      this.#listeners.set(kind.type, listeners);
      if (this.#source !== undefined) this.#attach(this.#source, kind.type);
    }
    return () => listeners.delete(deliver);
  }

  onReconnect(listener: () => void): Unsubscribe {
    this.#reconnectListeners.add(listener);
    return () => this.#reconnectListeners.delete(listener);
  }

  start(): void {
    if (this.#source !== undefined || this.#retry !== undefined) return;
    this.#connect();
  }

  stop(): void {
    clearTimeout(this.#retry);
    this.#retry = undefined;
    this.#source?.close();
    this.#source = undefined;
    this.#wasConnected = false;
    this.#retryMs = FIRST_RETRY_MS;
  }

  #connect(): void {
    const source = this.#open(this.#url);
    this.#source = source;
    source.onopen = () => this.#handleOpen();
    source.onerror = () => this.#handleError(source);
    for (const type of this.#listeners.keys()) this.#attach(source, type);
  }

  #attach(source: EventSource, type: string): void {
    source.addEventListener(type, (message: MessageEvent<string>) => this.#dispatch(type, message.data));
  }

  #dispatch(type: string, text: string): void {
    for (const deliver of this.#listeners.get(type) ?? []) deliver(text);
  }

  #handleOpen(): void {
    this.#retryMs = FIRST_RETRY_MS;
    if (this.#wasConnected) for (const listener of this.#reconnectListeners) listener();
    this.#wasConnected = true;
  }

  #handleError(source: EventSource): void {
    if (this.#source !== source || source.readyState !== source.CLOSED) return;
    this.#source = undefined;
    this.#onRefused();
    this.#retry = setTimeout(() => {
      this.#retry = undefined;
      this.#connect();
    }, this.#retryMs);
    this.#retryMs = Math.min(this.#retryMs * 2, LAST_RETRY_MS);
  }
}

export const LIVE_EVENTS = serviceId<LiveEvents>('platform.live-events');

/** An import changed findings or components of the organisation: lists, counts and charts read again. */
const FINDINGS_IMPORTED = eventKind<Record<string, unknown>>('findings.imported');
/** A verdict, status or owner changed, of one finding or of many at once. */
export const FINDING_CHANGED = eventKind<{ finding_id: string; change_id?: string | null }>('finding.changed');
/** A saved view that this person sees was changed, shared or taken away, by them in another window or by somebody else. */
export const SAVED_VIEW_CHANGED = eventKind<Record<string, never>>('saved_view.changed');
const REPOSITORY_ADDED = eventKind<{ repository_id: string }>('repository.added');
/** What people set of a repository was changed. */
const REPOSITORY_CHANGED = eventKind<{ repository_id: string }>('repository.changed');
/** A repository went with all that was in it. */
const REPOSITORY_REMOVED = eventKind<{ repository_id: string }>('repository.removed');

/** Everything after which a count of findings may differ. */
export const FINDINGS_EVENTS = [FINDINGS_IMPORTED, FINDING_CHANGED, REPOSITORY_REMOVED] as const;
/** Everything after which the repositories or their counts may differ. */
export const REPOSITORY_EVENTS = [...FINDINGS_EVENTS, REPOSITORY_ADDED, REPOSITORY_CHANGED] as const;
/** Everything after which the inventory may differ. */
export const INVENTORY_EVENTS = [FINDINGS_IMPORTED, REPOSITORY_REMOVED] as const;
