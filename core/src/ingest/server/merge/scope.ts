import type pg from 'pg';
import { MAX_INDEXED } from '../stage/finding-lines.ts';
import type { StagedReport } from '../stage/stage-report.ts';

const FIND_REPOSITORY = 'select repository_branch as branch from repositories where client_id = $1 and id = $2';

/** The repository was removed while its report was being read. */
export class RepositoryGone extends Error {}

const ADD_BRANCH = `
  insert into repository_branches (client_id, repository_id, name) values ($1, $2, $3)
  on conflict (client_id, repository_id, name) do update set name = excluded.name
  returning id`;

const ADD_SCOPE = `
  insert into scan_scopes (client_id, repository_id, tool, target, branch_id) values ($1, $2, $3, $4, $5)
  on conflict (client_id, repository_id, tool, target, branch_id) do nothing`;
const SCOPE = 'select id, last_seen_at as "lastSeenAt", branch_id as "branchId" from scan_scopes';
const FIND_SCOPE = `${SCOPE}
  where client_id = $1 and repository_id = $2 and tool = $3 and target = $4 and branch_id is not distinct from $5`;
const FIND_SCOPE_BY_ID = `${SCOPE} where client_id = $1 and id = $2`;

/** What a report speaks for. */
export interface Scope {
  id: number;
  /** When a report of the scope was imported before; null at the first. */
  lastSeenAt: Date | null;
  /** Null for the default branch. */
  branchId: string | null;
}

/** Formats that many tools write: the tool's own name is part of what such a report speaks for. */
const SHARED_FORMATS: readonly string[] = ['sarif', 'cyclonedx', 'spdx'];

const targetOf = (tool: string, report: StagedReport): string => {
  const own = SHARED_FORMATS.includes(tool) ? (report.info?.toolName ?? '') : '';
  return [own.toLowerCase(), report.info?.target ?? '']
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, MAX_INDEXED);
};

export interface ScopeRequest {
  client: pg.ClientBase;
  clientId: string;
  repositoryId: string;
  toolId: string;
  /** Name of the importer. */
  tool: string;
  /** As the sender named it; null for the default branch. */
  branch: string | null;
  report: StagedReport;
  /** Set where a scan is taken back: its scope. */
  scopeId: number | undefined;
}

/** The default branch, by name or by none, needs no row of its own. @throws RepositoryGone */
const findBranch = async (request: ScopeRequest): Promise<string | null> => {
  const { client, clientId, repositoryId, branch, scopeId } = request;
  const found = await client.query<{ branch: string }>(FIND_REPOSITORY, [clientId, repositoryId]);
  const repository = found.rows[0];
  if (repository === undefined) throw new RepositoryGone();
  if (scopeId !== undefined || branch === null || branch === repository.branch) return null;
  const added = await client.query<{ id: string }>(ADD_BRANCH, [clientId, repositoryId, branch]);
  return added.rows[0]?.id ?? null;
};

/** Finds what a report speaks for, or begins it. The repository's lock must be held. @throws RepositoryGone */
export const openScope = async (request: ScopeRequest): Promise<Scope> => {
  const { client, clientId, repositoryId, toolId, tool, report, scopeId } = request;
  const branchId = await findBranch(request);
  const scope = [clientId, repositoryId, toolId, targetOf(tool, report), branchId];
  if (scopeId === undefined) await client.query(ADD_SCOPE, scope);
  const found =
    scopeId === undefined
      ? await client.query<Scope>(FIND_SCOPE, scope)
      : await client.query<Scope>(FIND_SCOPE_BY_ID, [clientId, scopeId]);
  const row = found.rows[0];
  if (row === undefined) throw new Error('The scope of a scan is not visible');
  return row;
};
