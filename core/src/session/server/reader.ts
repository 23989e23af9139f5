import { sql } from 'kysely';
import type { Db } from '../../platform/server/database.ts';
import { type Reader, readerColumns } from '../../platform/server/languages.ts';

/** How the owner of an address reads, for what is sent there; nobody's address says nothing. Index: users_email. */
export const readReader = async (db: Db, email: string): Promise<Reader> => {
  const reader = await db
    .selectFrom('users')
    .select(readerColumns)
    .where(sql`lower(email)`, '=', email.toLowerCase())
    .executeTakeFirst();
  return reader ?? { language: null, time_zone: null, number_format: null };
};
