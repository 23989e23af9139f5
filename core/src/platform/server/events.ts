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

/** Something that happened inside one client. `type` is noun.verb: `scan.progress`, `findings.imported`. `data` has at most 3,000 bytes as JSON. */
export interface ClientEvent {
  clientId: string;
  type: string;
  data: Record<string, unknown>;
  audience: Audience;
  /** What those hear instead of `data` who do not see the whole client, where it names what may not be theirs. */
  partial?: Record<string, unknown>;
}

/** Ids in one message: PostgreSQL carries less than 8,000 bytes, of which an id takes 39. */
const MAX_IDS = 100;

const chunksOf = (ids: readonly string[]): string[][] =>
  Array.from({ length: Math.ceil(ids.length / MAX_IDS) }, (_, index) =>
    ids.slice(index * MAX_IDS, (index + 1) * MAX_IDS),
  );

/** An audience that is too large for one message, in parts. Who belongs to several hears of the event as often. */
const partsOf = (audience: Audience): Audience[] => {
  if (audience === 'everyone' || 'permission' in audience) return [audience];
  const userIds = audience.userIds ?? [];
  if (!('repositoryIds' in audience)) return chunksOf(userIds).map((part) => ({ userIds: part }));
  const { repositoryIds } = audience;
  if (repositoryIds.length + userIds.length <= MAX_IDS) return [audience];
  return [
    ...chunksOf(repositoryIds).map((part) => ({ repositoryIds: part })),
    ...chunksOf(userIds).map((part) => ({ userIds: part })),
  ];
};

/** Tells every process about an event once the surrounding transaction commits. */
export const publish = async (db: Db, event: ClientEvent): Promise<void> => {
  for (const audience of partsOf(event.audience)) {
    await sql`select pg_notify(${EVENT_CHANNEL}, ${JSON.stringify({ ...event, audience })})`.execute(db);
  }
};

/** Live events of one client, for server-sent events. Implemented once per process over LISTEN. */
export interface EventBus {
  subscribe(clientId: string, signal: AbortSignal): AsyncIterable<ClientEvent>;
}
