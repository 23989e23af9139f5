import type { Db } from '../../../platform/server/database.ts';
import type { ConnectionKey } from '../../model/connection-key.ts';
import '../tables.ts';

/** What happened to one connection, newest first. Walks the primary key of connection_history. */
export const listHistory = (db: Db, place: ConnectionKey, limit: number) =>
  db
    .selectFrom('connection_history')
    .select(['at', 'event', 'from_state', 'to_state', 'code', 'message', 'actor_name'])
    .where('client_id', '=', place.clientId)
    .where('connector_id', '=', place.connectorId)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
