import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import type { Db } from '../../platform/server/database.ts';

/**
 * In this order: what hangs on findings and components first, then they themselves, then scans with their reports.
 * `id`: of the repository, or of a branch of it.
 */
const STATEMENTS = (clientId: string, id: string) => [
  sql`delete from correlation_overrides where client_id = ${clientId} and repository_id = ${id}`,
  sql`delete from finding_details d using findings f
      where f.client_id = ${clientId} and f.repository_id = ${id} and d.client_id = f.client_id and d.finding_id = f.id`,
  sql`delete from finding_events e using findings f
      where f.client_id = ${clientId} and f.repository_id = ${id} and e.client_id = f.client_id and e.finding_id = f.id`,
  sql`delete from findings where client_id = ${clientId} and repository_id = ${id}`,
  // Triggers have taken the counts away; the history would show in the charts of earlier days.
  sql`select remove_rollup_history(${id})`,
  sql`delete from component_edges e using components c
      where c.client_id = ${clientId} and c.repository_id = ${id} and e.client_id = c.client_id and e.from_id = c.id`,
  sql`delete from components where client_id = ${clientId} and repository_id = ${id}`,
  sql`delete from scans where client_id = ${clientId} and repository_id = ${id}`,
  sql`delete from reports r where r.client_id = ${clientId}
      and not exists (select from scans s where s.client_id = r.client_id and s.report_id = r.id)`,
  sql`delete from scan_requests where client_id = ${clientId} and repository_id = ${id}`,
];

/**
 * Removes a repository with its findings, history, components, scans and the reports that nothing else uses.
 * Counts follow by trigger, then go with their history. @throws repository_not_found.
 */
export const removeRepository = async (db: Db, request: { clientId: string; id: string }): Promise<void> => {
  const { clientId, id } = request;
  // The same lock as an import takes, so that none writes into what is being removed.
  await sql`select pg_advisory_xact_lock(hashtextextended(${`repository:${id}`}, 0))`.execute(db);
  const { rows } = await sql`
    select id from repositories where client_id = ${clientId} and id = ${id} for update
  `.execute(db);
  if (rows.length === 0) throw new AppError('repository_not_found');
  const branches = await sql<{ id: string }>`
    select id from repository_branches where client_id = ${clientId} and repository_id = ${id} order by id
  `.execute(db);
  for (const place of [...branches.rows.map((branch) => branch.id), id]) {
    for (const statement of STATEMENTS(clientId, place)) await statement.execute(db);
  }
  await sql`delete from repositories where client_id = ${clientId} and id = ${id}`.execute(db);
};
