import type { Generated } from 'kysely';
import type { InvitedRole } from '../model/roles.ts';

/** Who was asked to join and has not done so yet. */
export interface InvitationsTable {
  client_id: string;
  id: Generated<string>;
  email: string;
  role: InvitedRole;
  /** SHA-256 of the token; the token itself is stored nowhere. */
  token_hash: Buffer;
  invited_by: string;
  created_at: Generated<Date>;
  expires_at: Date;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    /**
     * An open one counts against the plan.
     * @readable by billing
     */
    invitations: InvitationsTable;
  }
}
