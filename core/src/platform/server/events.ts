import { sql } from 'kysely';
import type { Db } from './database.ts';

/** Channel of PostgreSQL's LISTEN/NOTIFY that carries events to every web process. */
export const EVENT_CHANNEL = 'breakwater_events';

/** Something that happened inside one client. `type` is noun.verb: `scan.progress`, `findings.imported`. At most 7,000 bytes as JSON. */
export interface ClientEvent {
  clientId: string;
  type: string;
  data: Record<string, unknown>;
}

/** Tells every process about an event once the surrounding transaction commits. */
export const publish = async (db: Db, event: ClientEvent): Promise<void> => {
  await sql`select pg_notify(${EVENT_CHANNEL}, ${JSON.stringify(event)})`.execute(db);
};

/** Live events of one client, for server-sent events. Implemented once per process over LISTEN. */
export interface EventBus {
  subscribe(clientId: string, signal: AbortSignal): AsyncIterable<ClientEvent>;
}
