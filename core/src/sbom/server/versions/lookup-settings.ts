import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import { defineJobState } from '../../../platform/server/jobs/job-state.ts';
import { applicationsWithComponents } from '../applications-with-components.ts';
import '../tables.ts';

/** Lookups, by application. */
export const versionLookups = defineJobState('versions.look-up', Type.Object({}));

/** While the service refuses nobody asks it, in no organisation. */
export const lookupPause = defineJobState(
  'versions.pause',
  // in a row; `due_at` says until when
  Type.Object({ failures: Type.Integer({ default: 0 }) }),
);

/** The service is the same for every client. */
export const PAUSE_SUBJECT = { clientId: null };

export interface LookupSettings {
  isEnabled: boolean;
  /** Patterns of packages that are never sent. */
  excluded: string[];
  /** Null while the default holds. */
  updatedAt: Date | null;
}

export const readLookupSettings = async (db: Db, clientId: string): Promise<LookupSettings> => {
  const row = await db
    .selectFrom('version_lookup_settings')
    .select(['is_enabled', 'excluded', 'updated_at'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  return row === undefined
    ? { isEnabled: false, excluded: [], updatedAt: null }
    : { isEnabled: row.is_enabled, excluded: row.excluded, updatedAt: row.updated_at };
};

/** Replaces the settings; where they are on, asks for a lookup of every application with an inventory. */
export const writeLookupSettings = async (
  db: Db,
  change: { clientId: string; userId: string; isEnabled: boolean; excluded: readonly string[] },
): Promise<void> => {
  const { clientId, userId, isEnabled, excluded } = change;
  await sql`
    insert into version_lookup_settings as t (client_id, is_enabled, excluded, updated_by)
    values (${clientId}, ${isEnabled}, ${excluded}::text[], ${userId})
    on conflict (client_id) do update
    set is_enabled = excluded.is_enabled, excluded = excluded.excluded, updated_by = excluded.updated_by, updated_at = now()`.execute(
    db,
  );
  if (!isEnabled) return;
  await versionLookups.requestEach(db, clientId, applicationsWithComponents(clientId));
};

/**
 * In an import's transaction: the inventory of an application changed, so its versions are looked up where the organisation wants that. By
 * application, so that two imports do not wait for each other. $1 client, $2 application.
 */
export const ASK_FOR_VERSION_LOOKUP = `
  insert into job_state as t (client_id, job, key, due_at)
  select r.client_id, 'versions.look-up', r.id::text, now()
  from repositories r join version_lookup_settings s on s.client_id = r.client_id and s.is_enabled
  where r.client_id = $1 and r.id = $2
  on conflict (client_id, job, key) do update set due_at = least(t.due_at, excluded.due_at), requests = t.requests + 1`;
