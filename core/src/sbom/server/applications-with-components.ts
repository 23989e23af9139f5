import { sql } from 'kysely';

/** Ids of the applications of a client that have an inventory, as keys of jobs: each application by its index, not every component. */
export const applicationsWithComponents = (clientId: string) => sql<{ key: string }>`
  select r.id::text as key from repositories r
  where r.client_id = ${clientId} and exists (
    select from components c where c.client_id = r.client_id and c.repository_id = r.id and c.removed_at is null)`;
