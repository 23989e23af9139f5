import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface ClientFigures {
  organization_name: string;
  legal_name: string;
  tier: string;
  account_setup_at: Date;
  users: number;
  repositories: number;
  last_scan: Date | null;
}

/** What a client is and how much it has; undefined where there is no such client. Reads its users and repositories, of which there are few. */
export const readClientFigures = async (
  db: Db,
  { clientId }: { clientId: string },
): Promise<ClientFigures | undefined> => {
  const { rows } = await sql<ClientFigures>`
    select c.organization_name, c.legal_name, c.subscription_tier as tier, c.account_setup_at,
      (select count(*) from users u where u.client_id = c.id) as users,
      r.repositories, r.last_scan
    from clients c, lateral (
      select count(*) as repositories, max(last_scan_at) as last_scan from repositories where client_id = c.id
    ) r
    where c.id = ${clientId}`.execute(db);
  return rows[0];
};
