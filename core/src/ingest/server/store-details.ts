import type pg from 'pg';

/** Long text of staged findings goes where it stays. `where` is on `d`. */
const addDetails = (where: string): string => `
  insert into finding_details (client_id, finding_id, description, mitigation, code, code_start_line, native_severity, cvss_vector,
    reference_urls, locations, code_flows, resource, policy, secret_hash, priority_parts, verdict_reason)
  select $1, d.id, d.description, d.mitigation, d.code, d.code_start_line, d.native_severity, d.cvss_vector,
    d.reference_urls, d.locations, d.code_flows, d.resource, d.policy, d.secret_hash, d.priority_parts, d.verdict_reason
  from stage_details d${where}`;

export const ADD_DETAILS = addDetails(' where not exists (select 1 from pairs where pairs.n = d.n)');

/** Each batch at once, while the next is read: of a scope without findings every result is new. */
const ADD_ALL_DETAILS = addDetails('');

export const moveDetails = async (client: pg.ClientBase, clientId: string): Promise<void> => {
  await client.query(ADD_ALL_DETAILS, [clientId]);
  await client.query('truncate stage_details');
};

/** Whether nothing was ever imported of the tool in the repository, in any branch. */
const IS_FIRST = `
  select not exists (
    select 1 from scan_scopes where client_id = $1 and repository_id = $2 and tool = $3 and last_seen_at is not null
  ) as "isFirst"`;

export const isFirstOfTool = async (
  client: pg.ClientBase,
  of: { clientId: string; repositoryId: string; toolId: string },
): Promise<boolean> =>
  (await client.query<{ isFirst: boolean }>(IS_FIRST, [of.clientId, of.repositoryId, of.toolId])).rows[0]?.isFirst ===
  true;
