import { sql } from 'kysely';
import { ownedRepositories, type Viewer } from '../../../findings/server/index.ts';
import type { Db } from '../../../platform/server/database.ts';

export interface Headline {
  repositories: number;
  components: number;
  has_data: boolean;
  has_sample: boolean;
  has_verdict: boolean;
}

/**
 * Figures at the head of the dashboard: what the viewer may see, and whether the organisation has anything yet. Reads
 * repositories and components by client, finding_events_by_people.
 */
export const readHeadline = async (
  db: Db,
  request: { viewer: Viewer; repositories: readonly string[] | undefined },
): Promise<Headline> => {
  const { viewer } = request;
  const { clientId } = viewer;
  const chosen = request.repositories === undefined ? null : [...request.repositories];
  const found = await sql<Headline>`
    with mine as (
      select id from repositories where client_id = ${clientId} and (${viewer.seesAll} or id = any(${ownedRepositories(viewer)}))
        and (${chosen}::uuid[] is null or id = any(${chosen}::uuid[]))
    )
    select (select count(*) from mine) as repositories,
      (select count(*) from components where client_id = ${clientId} and removed_at is null
        and repository_id in (select id from mine)) as components,
      exists (select from repositories where client_id = ${clientId}) as has_data,
      exists (select from repositories where client_id = ${clientId} and is_sample) as has_sample,
      exists (select from finding_events where client_id = ${clientId} and actor is not null) as has_verdict`.execute(
    db,
  );
  return found.rows[0] ?? { repositories: 0, components: 0, has_data: false, has_sample: false, has_verdict: false };
};
