import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import type { Db } from './database.ts';
import type { KeyRing } from './key-ring.ts';

const ALGORITHM = 'aes-256-gcm';
const NONCE_BYTES = 12;
const TAG_BYTES = 16;
const KEY_BYTES = 32;
const HINT_LENGTH = 4;
/** Of a secret shorter than this nothing is shown. */
const HINT_FROM = 12;

/** Where a secret belongs. Part of what is authenticated: moved elsewhere it does not open. */
export interface SecretKey {
  clientId: string;
  connectorId: string;
  field: string;
}

/**
 * Secrets of connectors. Each is sealed by a key of its own, and that key by one of the ring (AES-256-GCM, both bound to
 * client + connector + field). Only code that calls a service reads one; none goes into an answer, log or job.
 */
export interface Vault {
  put(db: Db, place: SecretKey, secret: string): Promise<void>;
  /** @throws when the row was moved or changed, or its key is not in the ring. */
  read(db: Db, place: SecretKey): Promise<string | undefined>;
  /** Which fields are set, with the hint for their owner. */
  list(db: Db, connector: Omit<SecretKey, 'field'>): Promise<{ field: string; hint: string }[]>;
  /** Removes one field, or all of the connector. */
  remove(db: Db, place: Omit<SecretKey, 'field'> & { field?: string }): Promise<void>;
  /** Seals what older keys sealed with the current one. @returns how many rows. */
  rotate(db: Db, clientId: string): Promise<number>;
}

interface Sealed {
  keyId: string;
  nonce: Buffer;
  ciphertext: Buffer;
}

/** Unambiguous whatever the parts hold. */
const bindingOf = (place: SecretKey): Buffer =>
  Buffer.from(JSON.stringify([place.clientId, place.connectorId, place.field]), 'utf8');

const encrypt = (key: Buffer, plain: Buffer, binding: Buffer): { nonce: Buffer; box: Buffer } => {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(ALGORITHM, key, nonce).setAAD(binding);
  const body = Buffer.concat([cipher.update(plain), cipher.final()]);
  return { nonce, box: Buffer.concat([cipher.getAuthTag(), body]) };
};

const decrypt = (key: Buffer, nonce: Buffer, box: Buffer, binding: Buffer): Buffer => {
  const decipher = createDecipheriv(ALGORITHM, key, nonce, { authTagLength: TAG_BYTES })
    .setAAD(binding)
    .setAuthTag(box.subarray(0, TAG_BYTES));
  return Buffer.concat([decipher.update(box.subarray(TAG_BYTES)), decipher.final()]);
};

const WRAPPED_BYTES = NONCE_BYTES + TAG_BYTES + KEY_BYTES;

/** Layout of the ciphertext: nonce, tag and body of the sealed key, then tag and body of the secret. */
const seal = (ring: KeyRing, place: SecretKey, secret: string): Sealed => {
  const binding = bindingOf(place);
  const ownKey = randomBytes(KEY_BYTES);
  const wrapped = encrypt(ring.current.key, ownKey, binding);
  const { nonce, box } = encrypt(ownKey, Buffer.from(secret, 'utf8'), binding);
  return { keyId: ring.current.id, nonce, ciphertext: Buffer.concat([wrapped.nonce, wrapped.box, box]) };
};

const open = (ring: KeyRing, place: SecretKey, sealed: Sealed): string => {
  const ringKey = ring.find(sealed.keyId);
  if (ringKey === undefined) throw new Error(`The key ${sealed.keyId} that sealed this secret is not in the key ring.`);
  const binding = bindingOf(place);
  const wrappedNonce = sealed.ciphertext.subarray(0, NONCE_BYTES);
  const ownKey = decrypt(ringKey, wrappedNonce, sealed.ciphertext.subarray(NONCE_BYTES, WRAPPED_BYTES), binding);
  return decrypt(ownKey, sealed.nonce, sealed.ciphertext.subarray(WRAPPED_BYTES), binding).toString('utf8');
};

const hintOf = (secret: string): string => (secret.length < HINT_FROM ? '' : secret.slice(-HINT_LENGTH));

const write = async (db: Db, place: SecretKey, sealed: Sealed, hint: string): Promise<void> => {
  const columns = { key_id: sealed.keyId, nonce: sealed.nonce, ciphertext: sealed.ciphertext, hint };
  await db
    .insertInto('vault')
    .values({ client_id: place.clientId, connector_id: place.connectorId, field: place.field, ...columns })
    .onConflict((conflict) =>
      conflict.columns(['client_id', 'connector_id', 'field']).doUpdateSet({ ...columns, updated_at: sql`now()` }),
    )
    .execute();
};

const rotate = async (db: Db, ring: KeyRing, clientId: string): Promise<number> => {
  const rows = await db
    .selectFrom('vault')
    .select(['connector_id', 'field', 'key_id', 'nonce', 'ciphertext', 'hint'])
    .where('client_id', '=', clientId)
    .where('key_id', '<>', ring.current.id)
    .forUpdate()
    .execute();
  for (const row of rows) {
    const place = { clientId, connectorId: row.connector_id, field: row.field };
    const secret = open(ring, place, { keyId: row.key_id, nonce: row.nonce, ciphertext: row.ciphertext });
    await write(db, place, seal(ring, place, secret), row.hint);
  }
  return rows.length;
};

export const createVault = (ring: KeyRing): Vault => ({
  put: (db, place, secret) => write(db, place, seal(ring, place, secret), hintOf(secret)),
  read: async (db, place) => {
    const row = await db
      .selectFrom('vault')
      .select(['key_id', 'nonce', 'ciphertext'])
      .where('client_id', '=', place.clientId)
      .where('connector_id', '=', place.connectorId)
      .where('field', '=', place.field)
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return open(ring, place, { keyId: row.key_id, nonce: row.nonce, ciphertext: row.ciphertext });
  },
  list: (db, connector) =>
    db
      .selectFrom('vault')
      .select(['field', 'hint'])
      .where('client_id', '=', connector.clientId)
      .where('connector_id', '=', connector.connectorId)
      .orderBy('field')
      .execute(),
  remove: async (db, place) => {
    const rows = db
      .deleteFrom('vault')
      .where('client_id', '=', place.clientId)
      .where('connector_id', '=', place.connectorId);
    await (place.field === undefined ? rows : rows.where('field', '=', place.field)).execute();
  },
  rotate: (db, clientId) => rotate(db, ring, clientId),
});

/** Secrets of connectors, sealed. */
export interface VaultTable {
  client_id: string;
  connector_id: string;
  field: string;
  /** Key of the ring that seals the row's own key. */
  key_id: string;
  nonce: Buffer;
  ciphertext: Buffer;
  /** Last characters, shown so that a person knows which secret it is. */
  hint: Generated<string>;
  updated_at: Generated<Date>;
}

declare module './database.ts' {
  interface Database {
    /** @readable by connectors */
    vault: VaultTable;
  }
}
