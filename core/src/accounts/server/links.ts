import { createHash, randomBytes } from 'node:crypto';
import { type Generated, sql } from 'kysely';
import { Type } from 'typebox';
import { AppError } from '../../platform/model/app-error.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { defineJob } from '../../platform/server/jobs/define-job.ts';

type LinkPurpose = 'register' | 'reset' | 'unknown';

interface AccountLinksTable {
  client_id: string | null;
  /** SHA-256 of the token, which stands in the link alone. */
  token_hash: Buffer;
  purpose: LinkPurpose;
  user_id: string | null;
  email: string;
  organization_name: Generated<string>;
  created_at: Generated<Date>;
  expires_at: Date;
}

declare module '../../platform/server/database.ts' {
  interface Database {
    account_links: AccountLinksTable;
  }
}

/** How long links open. Source: decisions.md "Session". */
export const REGISTER_SECONDS = 72 * 3600;
export const RESET_SECONDS = 3600;
/** The link of a registration that has ended can be asked for again, with the ended one. */
const KEPT_DAYS = 30;
const TOKEN = /^[A-Za-z0-9_-]{43}$/;

const hashToken = (token: string): Buffer => createHash('sha256').update(token).digest();

export interface NewLink {
  purpose: LinkPurpose;
  email: string;
  /** Whose password it sets. */
  user: { clientId: string; userId: string } | null;
  organizationName?: string;
  lifeSeconds: number;
}

/** Ends what was mailed to an address and not opened yet. */
export const endLinks = async (db: Db, { email, purpose }: Pick<NewLink, 'email' | 'purpose'>): Promise<void> => {
  await db
    .deleteFrom('account_links')
    .where(sql<string>`lower(email)`, '=', email.toLowerCase())
    .where('purpose', '=', purpose)
    .execute();
};

/** Makes a link and returns its token, which is stored nowhere. Earlier ones of the same purpose and address end. */
export const issueLink = async (db: Db, link: NewLink): Promise<string> => {
  const token = randomBytes(32).toString('base64url');
  await endLinks(db, link);
  await db
    .insertInto('account_links')
    .values({
      client_id: link.user?.clientId ?? null,
      user_id: link.user?.userId ?? null,
      token_hash: hashToken(token),
      purpose: link.purpose,
      email: link.email,
      organization_name: link.organizationName ?? '',
      expires_at: sql`now() + make_interval(secs => ${link.lifeSeconds})`,
    })
    .execute();
  return token;
};

const COLUMNS = ['client_id', 'user_id', 'email', 'organization_name'] as const;
type AccountLink = Pick<AccountLinksTable, 'client_id' | 'user_id' | 'email'> & { organization_name: string };

/** What an open link is for, without using it. @throws link_invalid */
export const readLink = async (db: Db, token: string, purpose: LinkPurpose): Promise<AccountLink> => {
  if (!TOKEN.test(token)) throw new AppError('link_invalid');
  const link = await db
    .selectFrom('account_links')
    .select(COLUMNS)
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where('expires_at', '>', sql<Date>`now()`)
    .executeTakeFirst();
  if (link === undefined) throw new AppError('link_invalid');
  return link;
};

/**
 * Uses a link up, in the transaction of what it allows: of several at once one gets it, and where that fails the link stays.
 * @param options.alsoEnded to ask for a new link in place of one that has ended.
 * @throws link_invalid
 */
export const redeemLink = async (
  db: Db,
  token: string,
  purpose: LinkPurpose,
  { alsoEnded = false }: { alsoEnded?: boolean } = {},
): Promise<AccountLink> => {
  const link = await db
    .deleteFrom('account_links')
    .where('token_hash', '=', hashToken(token))
    .where('purpose', '=', purpose)
    .where(sql<boolean>`(expires_at > now() or ${alsoEnded})`)
    .returning(COLUMNS)
    .executeTakeFirst();
  if (link === undefined) throw new AppError('link_invalid');
  return link;
};

/** Removes what can no longer be asked for again. Index: account_links_ended. */
export const removeEndedLinks = defineJob({
  name: 'accounts.remove-ended-links',
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { cron: '37 * * * *' },
  run: ({ database }: { database: DatabaseHandle }) =>
    database.forIdentity((db) =>
      db
        .deleteFrom('account_links')
        .where(
          sql<boolean>`expires_at < now() - make_interval(days => case when purpose = 'register' then ${KEPT_DAYS}::int else 0 end)`,
        )
        .execute(),
    ),
});
