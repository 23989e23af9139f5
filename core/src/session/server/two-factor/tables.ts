import type { SignInMethod } from '../tables.ts';

interface RecoveryCodesTable {
  client_id: string;
  user_id: string;
  /** SHA-256 of the code. */
  code_hash: Buffer;
}

interface SignInTicketsTable {
  client_id: string;
  /** SHA-256 of the token. */
  token_hash: Buffer;
  user_id: string;
  remember: boolean;
  /** How the first factor was proved. */
  method: SignInMethod;
  expires_at: Date;
}

declare module '../../../platform/server/database.ts' {
  interface Database {
    recovery_codes: RecoveryCodesTable;
    sign_in_tickets: SignInTicketsTable;
  }
}
