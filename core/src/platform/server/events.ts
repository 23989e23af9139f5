import { sql } from 'kysely';
import type { Permission } from '../model/permissions.ts';
import type { Db } from './database.ts';

/** Channel of PostgreSQL's LISTEN/NOTIFY that carries events to every web process. */
export const EVENT_CHANNEL = 'breakwater_events';

/**
 * Who in the client hears of an event: everyone, who has a permission, named people, or who may see repositories (or branches): those who
 * own one or are named, and all who see the whole client.
 */
export type Audience =
  | 'everyone'
  | { permission: Permission }
  | { userIds: readonly string[] }
  | { repositoryIds: readonly string[]; userIds?: readonly string[] };

/** Something that happened inside one client. `type` is noun.verb: `scan.progress`, `findings.imported`. At most 7,000 bytes as JSON. */
export interface ClientEvent {
  clientId: string;
  type: string;
  data: Record<string, unknown>;
  audience: Audience;
  /** What those hear instead of `data` who do not see the whole client, where it names what may not be theirs. */
  partial?: Record<string, unknown>;
}

/** Tells every process about an event once the surrounding transaction commits. */
export const publish = async (db: Db, event: ClientEvent): Promise<void> => {
  await sql`select pg_notify(${EVENT_CHANNEL}, ${JSON.stringify(event)})`.execute(db);
};

/** Live events of one client, for server-sent events. Implemented once per process over LISTEN. */
export interface EventBus {
  subscribe(clientId: string, signal: AbortSignal): AsyncIterable<ClientEvent>;
}
