import { sql } from 'kysely';
import type { Db } from '../../../platform/server/database.ts';

export interface StoredReport {
  report_id: string;
  tool: string;
  file_name: string | null;
}

/** The report of a scan, if it is still stored. Reads primary keys. */
export const findStoredReport = async (
  db: Db,
  request: { clientId: string; scanId: string },
): Promise<StoredReport | undefined> => {
  const { rows } = await sql<StoredReport>`
    select s.report_id, coalesce(s.tool, s.requested_tool) as tool, s.file_name
    from scans s join reports r on r.client_id = s.client_id and r.id = s.report_id
    where s.client_id = ${request.clientId} and s.id = ${request.scanId}
  `.execute(db);
  return rows[0];
};
