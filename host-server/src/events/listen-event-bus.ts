import { PERMISSIONS, type Permission } from '@breakwater/core/platform/model/permissions.ts';
import { type ClientEvent, EVENT_CHANNEL, type EventBus } from '@breakwater/core/platform/server/events.ts';
import pg from 'pg';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** Events a slow reader may fall behind before the oldest are dropped: the browser reloads what it shows anyway. */
const MAX_BUFFERED = 1000;
const RECONNECT_MS = { first: 200, longest: 5000 };
/** A server that vanished with its machine ends no connection, and one that only listens would never notice. */
const HEARTBEAT_MS = 15_000;
/** For a new connection; a process that starts on a busy machine reads answers late. */
const PATIENCE_MS = 30_000;

const Ids = Type.Array(Type.String());
/** As every process of this version writes it. One that is left out, or not known here, reaches nobody. */
const WireAudience = Type.Union([
  Type.Literal('everyone'),
  Type.Object(
    { permission: Type.Unsafe<Permission>({ type: 'string', enum: Object.keys(PERMISSIONS) }) },
    { additionalProperties: false },
  ),
  Type.Object({ userIds: Ids }, { additionalProperties: false }),
  Type.Object({ repositoryIds: Ids, userIds: Type.Optional(Ids) }, { additionalProperties: false }),
]);

const Wire = Type.Object({
  clientId: Type.String(),
  type: Type.String(),
  data: Type.Record(Type.String(), Type.Unknown()),
  audience: WireAudience,
  partial: Type.Optional(Type.Record(Type.String(), Type.Unknown())),
});

const readEvent = (payload: string | undefined): ClientEvent | undefined => {
  try {
    const value: unknown = JSON.parse(payload ?? '');
    return Value.Check(Wire, value) ? value : undefined;
  } catch {
    return undefined;
  }
};

/** What one subscriber has not read yet. */
class Inbox {
  readonly #waiting: ClientEvent[] = [];
  #wake: (() => void) | undefined;
  #isClosed = false;

  put(event: ClientEvent): void {
    if (this.#waiting.length === MAX_BUFFERED) this.#waiting.shift();
    this.#waiting.push(event);
    this.#wake?.();
  }

  /** What is in it is still read. */
  close(): void {
    this.#isClosed = true;
    this.#wake?.();
  }

  async *read(signal: AbortSignal): AsyncGenerator<ClientEvent> {
    signal.addEventListener('abort', () => this.#wake?.(), { once: true });
    while (!signal.aborted) {
      const next = this.#waiting.shift();
      if (next !== undefined) {
        yield next;
        continue;
      }
      if (this.#isClosed) return;
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
      this.#wake = undefined;
    }
  }
}

export interface RunningEventBus extends EventBus {
  stop(): Promise<void>;
}

export interface EventBusOptions {
  url: string;
  log: Logger;
  /** How often it is asked whether the connection still stands, and how long the answer may take. */
  heartbeatMs?: number;
}

/**
 * One connection per process that listens, and hands each event to the subscribers of its client. Reconnects by itself, and then ends what
 * is subscribed: events were missed, and a browser reads anew what it shows when it has connected again.
 */
export class ListenEventBus implements RunningEventBus {
  readonly #options: EventBusOptions;
  readonly #inboxes = new Map<string, Set<Inbox>>();
  #client: pg.Client | undefined;
  #retry: NodeJS.Timeout | undefined;
  #heartbeat: NodeJS.Timeout | undefined;
  #isStopped = false;

  constructor(options: EventBusOptions) {
    this.#options = options;
  }

  /** @throws when the database cannot be reached at the first try. */
  async start(): Promise<void> {
    await this.#listen();
  }

  subscribe(clientId: string, signal: AbortSignal): AsyncIterable<ClientEvent> {
    const inbox = new Inbox();
    const inboxes = this.#inboxes.get(clientId) ?? new Set();
    this.#inboxes.set(clientId, inboxes.add(inbox));
    const leave = (): void => {
      inboxes.delete(inbox);
      if (inboxes.size === 0 && this.#inboxes.get(clientId) === inboxes) this.#inboxes.delete(clientId);
    };
    if (signal.aborted) leave();
    else signal.addEventListener('abort', leave, { once: true });
    return inbox.read(signal);
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    clearTimeout(this.#retry);
    clearTimeout(this.#heartbeat);
    await this.#client?.end();
  }

  async #listen(): Promise<void> {
    const client = new pg.Client({
      connectionString: this.#options.url,
      application_name: 'breakwater-events',
      keepAlive: true,
      connectionTimeoutMillis: PATIENCE_MS,
      query_timeout: PATIENCE_MS,
    });
    client.on('error', (error) => this.#options.log.warn({ err: error }, 'event connection lost'));
    client.on('end', () => this.#reconnect(RECONNECT_MS.first));
    client.on('notification', (message) => this.#deliver(message.payload));
    try {
      await client.connect();
      await client.query(`listen ${EVENT_CHANNEL}`);
    } catch (error) {
      // a server that is not the primary yet lets in, but refuses to listen
      await client.end().catch(() => undefined);
      throw error;
    }
    this.#client = client;
    if (this.#isStopped) await client.end();
    else this.#watch(client);
  }

  #watch(client: pg.Client): void {
    clearTimeout(this.#heartbeat);
    const { heartbeatMs = HEARTBEAT_MS } = this.#options;
    this.#heartbeat = setTimeout(() => {
      // without an answer; with a query under way the connection is ended at once
      this.#heartbeat = setTimeout(() => void client.end().catch(() => undefined), heartbeatMs);
      client.query('select 1').then(
        () => this.#isStopped || this.#watch(client),
        () => undefined,
      );
    }, heartbeatMs);
  }

  #endSubscriptions(): void {
    const inboxes = [...this.#inboxes.values()].flatMap((some) => [...some]);
    this.#inboxes.clear();
    for (const inbox of inboxes) inbox.close();
  }

  #deliver(payload: string | undefined): void {
    const event = readEvent(payload);
    if (event === undefined) {
      this.#options.log.warn('an event could not be read');
      return;
    }
    for (const inbox of this.#inboxes.get(event.clientId) ?? []) inbox.put(event);
  }

  #reconnect(delayMs: number): void {
    if (this.#isStopped) return;
    clearTimeout(this.#retry);
    this.#retry = setTimeout(() => {
      this.#listen().then(
        () => this.#endSubscriptions(),
        () => this.#reconnect(Math.min(delayMs * 2, RECONNECT_MS.longest)),
      );
    }, delayMs);
  }
}
