import type { Db } from '../../../platform/server/database.ts';
import type { Caller } from '../../../platform/server/endpoint.ts';
import '../google/tables.ts';
import './tables.ts';

/** Deletes what is kept of a person beside their account when they leave: their Google account and their picture. */
export const forgetProfile = async (
  db: Db,
  { caller, from }: { caller: Pick<Caller, 'clientId'>; from: { id: string } },
): Promise<void> => {
  for (const table of ['google_identities', 'avatars'] as const) {
    await db.deleteFrom(table).where('client_id', '=', caller.clientId).where('user_id', '=', from.id).execute();
  }
};
