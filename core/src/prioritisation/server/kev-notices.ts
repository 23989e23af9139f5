import { sql } from 'kysely';
import { notify } from '../../notifications/server/index.ts';
import type { Db } from '../../platform/server/database.ts';

/**
 * Counts the open findings of definitions that the catalogue lists and that nobody was told of, and keeps that they are counted.
 * Findings of other branches than the default one are no news of their own.
 */
export const countNewlyListed = async (db: Db, clientId: string, definitions: readonly number[]): Promise<void> => {
  if (definitions.length === 0) return;
  // index: primary key, findings_by_definition
  await sql`
    with listed as (
      update finding_definitions set kev_told = kev_added
      where client_id = ${clientId} and id = any(${[...definitions]}::bigint[])
        and kev_added is not null and kev_told is null
      returning id
    )
    update rescores set kev_found = kev_found + (
      select count(*)::integer from listed
      join findings f on f.client_id = ${clientId} and f.definition_id = listed.id and f.is_open
      join repositories r on r.client_id = f.client_id and r.id = f.repository_id)
    where client_id = ${clientId}`.execute(db);
};

/** At the end of a scoring, in its transaction: one notice for all that was found since the last one. */
export const tellNewlyListed = async (db: Db, clientId: string, kevDate: string): Promise<void> => {
  const { rows } = await sql<{ found: number }>`
    update rescores r set kev_found = 0
    from (select client_id, kev_found from rescores where client_id = ${clientId} for update) before
    where r.client_id = before.client_id and before.kev_found > 0
    returning before.kev_found as found`.execute(db);
  const found = rows[0]?.found ?? 0;
  if (found === 0) return;
  await notify(db, {
    clientId,
    type: 'kev_match',
    title: found === 1 ? '1 finding is now known to be exploited' : `${found} findings are now known to be exploited`,
    message: `The CISA KEV catalogue of ${kevDate} lists them. Their priority is at least 90.`,
    link: '/findings/all?kev=only',
    to: { permission: 'findings.triage' },
  });
};
