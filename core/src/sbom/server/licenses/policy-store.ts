import { sql } from 'kysely';
import { Type } from 'typebox';
import type { Db } from '../../../platform/server/database.ts';
import { defineJobState } from '../../../platform/server/jobs/job-state.ts';
import { DEFAULT_POLICY, type LicensePolicy } from '../../model/license-policy.ts';
import { applicationsWithComponents } from '../applications-with-components.ts';
import '../tables.ts';

/** Checks of inventories against the policy, by application. */
export const licenseChecks = defineJobState(
  'licenses.check',
  Type.Object({
    /** Digest of what was found last; null: nothing. */
    content: Type.Union([Type.String(), Type.Null()], { default: null }),
  }),
);

export interface StoredPolicy extends LicensePolicy {
  /** Null while the default holds. */
  updatedAt: Date | null;
}

/** The policy of an organisation, the default where it has none of its own. */
export const readPolicy = async (db: Db, clientId: string): Promise<StoredPolicy> => {
  const row = await db
    .selectFrom('license_policies')
    .select(['classes', 'licenses', 'updated_at'])
    .where('client_id', '=', clientId)
    .executeTakeFirst();
  if (row === undefined) return { ...DEFAULT_POLICY, updatedAt: null };
  return { classes: row.classes, licenses: row.licenses, updatedAt: row.updated_at };
};

/** Replaces the policy and asks for a check of every application with an inventory. */
export const writePolicy = async (
  db: Db,
  { clientId, userId, policy }: { clientId: string; userId: string; policy: LicensePolicy },
): Promise<void> => {
  const [classes, licenses] = [JSON.stringify(policy.classes), JSON.stringify(policy.licenses)];
  await sql`
    insert into license_policies as t (client_id, classes, licenses, updated_by)
    values (${clientId}, ${classes}::jsonb, ${licenses}::jsonb, ${userId})
    on conflict (client_id) do update
    set classes = excluded.classes, licenses = excluded.licenses, updated_by = excluded.updated_by, updated_at = now()`.execute(
    db,
  );
  await licenseChecks.requestEach(db, clientId, applicationsWithComponents(clientId));
};

/**
 * In an import's transaction: the inventory of an application changed, so its licences are checked. $1 client, $2 application.
 * Inventories of other branches have ids of their own and are not checked.
 */
export const ASK_FOR_LICENSE_CHECK = `
  insert into job_state as t (client_id, job, key, due_at)
  select client_id, 'licenses.check', id::text, now() from repositories where client_id = $1 and id = $2
  on conflict (client_id, job, key) do update set due_at = least(t.due_at, excluded.due_at), requests = t.requests + 1`;
