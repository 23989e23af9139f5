import { ConnectorError, type Json, type Store } from '@breakwater/sdk';
import { sql } from 'kysely';
import { type Static, Type } from 'typebox';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { isJson, isStorable } from '../../model/credential-values.ts';
import './tables.ts';

/** Which connection: a client has at most one per connector. */
export const ConnectionKey = Type.Object({ clientId: Type.String(), connectorId: Type.String() });
export type ConnectionKey = Static<typeof ConnectionKey>;

/** All keys and values of one connection together. */
const MAX_STORE_BYTES = 1_048_576;
const MAX_KEY_LENGTH = 500;

const refusedKey = (key: string): ConnectorError =>
  new ConnectorError(
    'upstream',
    sayEnglish('ctx.store cannot keep what "{key}" is to hold.', { key: key.slice(0, 50) }),
  );

/** Memory of one connection (`ctx.store`): a few values by key, 1 MiB in all, gone with the connection. */
export const createConnectionStore = (database: DatabaseHandle, { clientId, connectorId }: ConnectionKey): Store => {
  const set = async (key: string, value: Json): Promise<void> => {
    if (!isJson(value) || !isStorable(value) || !isStorable(key) || key.length > MAX_KEY_LENGTH) {
      throw refusedKey(key);
    }
    const text = JSON.stringify(value);
    const size = Buffer.byteLength(text) + Buffer.byteLength(key);
    await database.forClient(clientId, async (db) => {
      // the row lock lets two writers take turns at counting
      const connection = await db
        .selectFrom('connections')
        .select('state')
        .where('client_id', '=', clientId)
        .where('connector_id', '=', connectorId)
        .forUpdate()
        .executeTakeFirst();
      if (connection === undefined || connection.state === 'absent' || connection.state === 'removing') return;
      const others = await db
        .selectFrom('connection_store')
        .select(sql<number>`coalesce(sum(size_bytes), 0)::integer`.as('bytes'))
        .where('client_id', '=', clientId)
        .where('connector_id', '=', connectorId)
        .where('key', '<>', key)
        .executeTakeFirstOrThrow();
      if (others.bytes + size > MAX_STORE_BYTES) {
        throw new ConnectorError('upstream', msg('ctx.store holds at most 1 MiB per connection.'));
      }
      const row = { value: text, size_bytes: size };
      await db
        .insertInto('connection_store')
        .values({ client_id: clientId, connector_id: connectorId, key, ...row })
        .onConflict((conflict) => conflict.columns(['client_id', 'connector_id', 'key']).doUpdateSet(row))
        .execute();
    });
  };
  return {
    get: (key) =>
      database.forClient(clientId, async (db) => {
        const row = await db
          .selectFrom('connection_store')
          .select('value')
          .where('client_id', '=', clientId)
          .where('connector_id', '=', connectorId)
          .where('key', '=', key)
          .executeTakeFirst();
        return row?.value;
      }),
    set,
    delete: (key) =>
      database.forClient(clientId, async (db) => {
        await db
          .deleteFrom('connection_store')
          .where('client_id', '=', clientId)
          .where('connector_id', '=', connectorId)
          .where('key', '=', key)
          .execute();
      }),
  };
};
