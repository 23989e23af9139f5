import type { Generated } from 'kysely';

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

declare module './tables.ts' {
  interface Database {
    vault: VaultTable;
  }
}
