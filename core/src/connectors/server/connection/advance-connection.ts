import {
  type ConnectionEvent,
  type ConnectionFailure,
  canTransition,
  type StoredConnection,
  transition,
} from '@breakwater/sdk';
import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';
import { publish } from '../../../platform/server/events.ts';
import type { ConnectionKey } from './connection-store.ts';
import { type ConnectionRecord, readConnection } from './read-connections.ts';
import './tables.ts';

/** Whoever did it; null where the server acted by itself. */
export interface Actor {
  userId: string;
  username: string;
}

/** Facts beside the statechart's own, written in the same statement. */
export interface ConnectionFacts {
  config?: string;
  plugin_version?: string | null;
  identity?: string | null;
  scopes?: string[];
  last_check_at?: Date;
  last_sync_at?: Date;
  first_connected_at?: Date;
  sync_cursor?: string | null;
  run_id?: string | null;
  run_started_at?: Date | null;
  run_until?: Date | null;
  refreshed_at?: Date | null;
  authorizing_since?: Date | null;
  token_expires_at?: Date | null;
  hook_token?: string | null;
  crashes?: Date[];
  /** Said to the person beside the state, where no event says it. */
  failure?: ConnectionFailure | null;
}

export interface EntryOptions {
  actor?: Actor | null;
  /** For the history; the failure's own message where it is left out. */
  message?: string | null;
  facts?: ConnectionFacts;
}

const KEPT_ENTRIES = 500;

/**
 * One connection, locked for the length of a transaction. The only writer of its state: each change is one event of the
 * statechart, one history entry and one event to the browsers.
 */
export class ConnectionActor {
  readonly #db: Db;
  #record: ConnectionRecord;

  constructor(db: Db, record: ConnectionRecord) {
    this.#db = db;
    this.#record = record;
  }

  /** As the last change of this transaction left it. */
  get record(): ConnectionRecord {
    return this.#record;
  }

  get state(): StoredConnection['connection'] {
    return this.#record.stored.connection;
  }

  canTransition(event: ConnectionEvent): boolean {
    return canTransition(this.#record.stored, event);
  }

  /** Applies an event of the statechart. @returns whether it applied; where it does not, nothing is written. */
  async transition(event: ConnectionEvent, options: EntryOptions = {}): Promise<boolean> {
    if (!this.canTransition(event)) return false;
    const before = this.#record.stored;
    const after = transition(before, event);
    await this.#write(after, options.facts ?? {});
    await this.#addEntry(event.type, before.connection, options);
    return true;
  }

  /** Writes facts without an event of the statechart; with an `entry` they are in the history too. */
  async update(facts: ConnectionFacts, entry?: EntryOptions & { event: string }): Promise<void> {
    await this.#write(this.#record.stored, facts);
    if (entry !== undefined) await this.#addEntry(entry.event, this.state, entry);
  }

  async #write(next: StoredConnection, facts: ConnectionFacts): Promise<void> {
    const { clientId, connectorId, stored: before } = this.#record;
    const { failure = next.failure, ...others } = facts;
    const isNew = next.health === 'quarantined' && before.health === 'sound';
    await this.#db
      .updateTable('connections')
      .set({
        state: next.connection,
        health: next.health,
        failure: failure === null ? null : JSON.stringify(failure),
        retry_at: next.retryAt === null ? null : new Date(next.retryAt),
        attempts: next.attempts,
        updated_at: sql`now()`,
        ...(isNew ? { quarantined_at: sql<Date>`now()` } : {}),
        ...(next.health === 'sound' ? { quarantined_at: null } : {}),
        ...others,
      })
      .where('client_id', '=', clientId)
      .where('connector_id', '=', connectorId)
      .execute();
    this.#record = await readConnection(this.#db, { clientId, connectorId });
  }

  async #addEntry(event: string, from: StoredConnection['connection'], options: EntryOptions): Promise<void> {
    const { clientId, connectorId, stored } = this.#record;
    const failure = event === 'FAIL' ? stored.failure : null;
    const { actor = null, message = failure?.message ?? null } = options;
    const code = failure?.code ?? null;
    await addHistory(this.#db, this.#record, { event, from, to: stored.connection, code, message, actor });
    const data = { connector_id: connectorId, state: stored.connection };
    await publish(this.#db, {
      clientId,
      type: 'connection.changed',
      data,
      audience: { permission: 'connectors.read' },
    });
  }
}

interface HistoryEntry {
  event: string;
  from: StoredConnection['connection'];
  to: StoredConnection['connection'];
  code: string | null;
  message: string | null;
  actor: Actor | null;
}

/** Adds to the history of a connection and drops what is older than the newest 500 entries. */
export const addHistory = async (db: Db, connectionKey: ConnectionKey, entry: HistoryEntry): Promise<void> => {
  const { clientId, connectorId } = connectionKey;
  await db
    .insertInto('connection_history')
    .values({
      client_id: clientId,
      connector_id: connectorId,
      event: entry.event,
      from_state: entry.from,
      to_state: entry.to,
      code: entry.code,
      message: entry.message,
      actor: entry.actor?.userId ?? null,
      actor_name: entry.actor?.username ?? null,
    })
    .execute();
  await sql`delete from connection_history
    where client_id = ${clientId} and connector_id = ${connectorId} and id <= (
      select id from connection_history where client_id = ${clientId} and connector_id = ${connectorId}
      order by id desc offset ${KEPT_ENTRIES} limit 1)`.execute(db);
};

/** Locks a connection until the transaction ends. One that was never configured is made as `absent`. */
export const lockConnection = async (db: Db, { clientId, connectorId }: ConnectionKey): Promise<ConnectionActor> => {
  await db
    .insertInto('connections')
    .values({ client_id: clientId, connector_id: connectorId })
    .onConflict((conflict) => conflict.columns(['client_id', 'connector_id']).doNothing())
    .execute();
  await db
    .selectFrom('connections')
    .select('client_id')
    .where('client_id', '=', clientId)
    .where('connector_id', '=', connectorId)
    .forUpdate()
    .execute();
  return new ConnectionActor(db, await readConnection(db, { clientId, connectorId }));
};
