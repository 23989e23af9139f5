import type { Generated } from 'kysely';
import type { Density } from '../../platform/model/locale.ts';
import type { Role, TokenScope } from '../../platform/model/permissions.ts';

/** How somebody proved who they are. Identity providers ask for a second factor themselves. */
export type SignInMethod = 'password' | 'google' | 'oidc' | 'saml' | 'setup';

export interface UsersTable {
  client_id: string;
  id: Generated<string>;
  email: string;
  username: string;
  /** Argon2id in PHC form; empty where the person has set none yet. */
  password_hash: string;
  role: Role;
  status: Generated<'active' | 'invited' | 'disabled'>;
  created_at: Generated<Date>;
  /** Since when a second factor is asked for. */
  two_factor_at: Date | null;
  /** How they read the interface: BCP 47, IANA, BCP 47; null follows the browser, or the language. */
  language: string | null;
  /** What their browser asked for at the last sign-in: counts for mails as long as they have not chosen. */
  browser_language: string | null;
  time_zone: string | null;
  number_format: string | null;
  density: Density | null;
  /** Period of 30 s of the last code that was taken. */
  two_factor_step: Generated<number>;
  /** When the account was deleted: then nothing personal is left in the row. Set by `erase_from_audit_log`. */
  erased_at: Date | null;
}

export interface SessionsTable {
  client_id: string;
  /** SHA-256 of the token; the token itself is stored nowhere. */
  token_hash: Buffer;
  /** What people name it by. */
  id: Generated<string>;
  user_id: string;
  /** Where it was opened from; null for one of an earlier release. */
  address: string | null;
  agent: string | null;
  remember: boolean;
  method: Generated<SignInMethod>;
  created_at: Generated<Date>;
  last_seen_at: Generated<Date>;
  expires_at: Date;
}

/** Tokens of machines. */
export interface ApiTokensTable {
  client_id: string;
  id: Generated<string>;
  name: string;
  /** SHA-256 of the token; the token itself is stored nowhere. */
  token_hash: Buffer;
  /** Last four characters. */
  hint: string;
  /** What it may do, at least one. */
  scopes: Generated<TokenScope[]>;
  created_by: string | null;
  /** Whose it is, and who calls with it; null: the organisation's. */
  owner_id: string | null;
  created_at: Generated<Date>;
  expires_at: Date;
  last_used_at: Date | null;
  warned_at: Date | null;
  /** A revoked token keeps its row: history names it. */
  revoked_at: Date | null;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    /**
     * Members join and leave by the team.
     * @writable by team
     * @readable by billing, clients, findings, ingest, notifications, prioritisation, remediation, repositories, scanning, single-sign-on
     */
    users: UsersTable;
    sessions: SessionsTable;
    /** @readable by ingest */
    api_tokens: ApiTokensTable;
  }
}
