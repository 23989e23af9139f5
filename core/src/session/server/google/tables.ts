import type { Generated } from 'kysely';

interface GoogleIdentitiesTable {
  client_id: string;
  user_id: string;
  /** The claim `sub`. */
  subject: string;
  email: string;
  name: Generated<string>;
  last_used_at: Generated<Date>;
}

interface GoogleSignInsTable {
  /** SHA-256 of the nonce. */
  nonce_hash: Buffer;
  /** SHA-256 of the cookie. */
  browser_hash: Buffer;
  expires_at: Date;
}

declare module '../../../platform/server/database.ts' {
  interface Database {
    google_identities: GoogleIdentitiesTable;
    google_sign_ins: GoogleSignInsTable;
  }
}
