import type pg from 'pg';
import { MAX_INDEXED } from '../stage/finding-lines.ts';
import type { StagedReport } from '../stage/stage-report.ts';
import type { ToolIds } from '../stage/tool-ids.ts';
import { chooseBeforePart, chooseOfPart, chooseWithoutPart } from './choose-scope.ts';
import { takeOverFindings } from './take-over-findings.ts';

const FIND_REPOSITORY = 'select repository_branch as branch from repositories where client_id = $1 and id = $2';

/** The repository was removed while its report was being read. */
export class RepositoryGone extends Error {}

const ADD_BRANCH = `
  insert into repository_branches (client_id, repository_id, name) values ($1, $2, $3)
  on conflict (client_id, repository_id, name) do update set name = excluded.name
  returning id`;

const ADD_SCOPE = `
  insert into scan_scopes (client_id, repository_id, tool, target, branch_id, part, is_split) values ($1, $2, $3, $4, $5, $6, $7)
  on conflict (client_id, repository_id, tool, target, branch_id) do nothing`;
const SCOPE =
  'select id, last_seen_at as "lastSeenAt", last_scan_id as "lastScanId", branch_id as "branchId", report_date as "reportDate" from scan_scopes';
const FIND_SCOPE = `${SCOPE}
  where client_id = $1 and repository_id = $2 and tool = $3 and target = $4 and branch_id is not distinct from $5`;
const FIND_SCOPE_BY_ID = `${SCOPE} where client_id = $1 and id = $2`;

/** What a report covers: what it may close. */
export interface Scope {
  id: number;
  /** When a report of the scope was imported before; null at the first. */
  lastSeenAt: Date | null;
  /** That import. */
  lastScanId: string | null;
  /** Null for the default branch. */
  branchId: string | null;
  /** The own time of the newest report that was merged; null where none had one. */
  reportDate: Date | null;
}

/** Formats that many tools write: the tool's own name is part of what such a report covers. */
const SHARED_FORMATS: readonly string[] = ['sarif', 'cyclonedx', 'spdx', 'breakwater'];

const targetOf = (tool: string, report: StagedReport): string => {
  const own = SHARED_FORMATS.includes(tool) ? (report.info?.toolName ?? '') : '';
  return [own.toLowerCase(), report.info?.target ?? '']
    .filter((part) => part !== '')
    .join(' ')
    .slice(0, MAX_INDEXED);
};

const MAX_TARGET_WITH_PART = MAX_INDEXED - 250;

/** A part stands behind the target, so that the scopes of a target are told apart by the column that the previous release knows. */
export const targetWithPart = (target: string, part: string): string =>
  part === '' ? target : `${target.slice(0, MAX_TARGET_WITH_PART)} part:${part}`.trimStart();

export interface ScopeRequest {
  client: pg.ClientBase;
  clientId: string;
  repositoryId: string;
  toolIds: ToolIds;
  /** Name of the importer. */
  tool: string;
  /** As the sender named it; null for the default branch. */
  branch: string | null;
  /** As the sender named it; null where the report says. */
  part: string | null;
  /** A person splits what the report is about off from the rest of its scope. */
  isSplit: boolean;
  /** Results and components of the report. */
  reported: number;
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

/** The part that a report covers: the sender's word counts before the report's own. '' where nobody says. */
export const partOf = ({ part, report }: Pick<ScopeRequest, 'part' | 'report'>): string =>
  part ?? report.coverage.part ?? '';

/** Whether somebody says which part of the application the report is about. */
export const isPartKnown = ({ part, report: { coverage, info } }: Pick<ScopeRequest, 'part' | 'report'>): boolean =>
  info?.target !== undefined || (coverage.isPartOnlyTool ? (part ?? '') : (part ?? coverage.part ?? '')) !== '';

const findScope = async (client: pg.ClientBase, text: string, values: unknown[]): Promise<Scope | undefined> =>
  (await client.query<Scope>(text, values)).rows[0];

/**
 * Finds what a report speaks for, or begins it. A part that is new takes over its findings from the scope that they were in before the part
 * was known. The repository's lock must be held. @throws RepositoryGone
 */
export const openScope = async (request: ScopeRequest): Promise<Scope> => {
  const { client, clientId, repositoryId, toolIds, tool, report, scopeId } = request;
  const branchId = await findBranch(request);
  const part = partOf(request);
  const target = targetOf(tool, report);
  const found = async (id: number | undefined): Promise<Scope> => {
    const row = id === undefined ? undefined : await findScope(client, FIND_SCOPE_BY_ID, [clientId, id]);
    if (row === undefined) throw new Error('The scope of a scan is not visible');
    return row;
  };
  if (scopeId !== undefined) return found(scopeId);
  const choice = { client, clientId, repositoryId, toolIds, branchId, reported: request.reported };
  const key = targetWithPart(target, part);
  const known = await (part === '' ? chooseWithoutPart(choice, target) : chooseOfPart(choice, key));
  if (known !== undefined) return found(known);
  const before = part === '' ? undefined : await chooseBeforePart(choice, target, key);
  const added = [clientId, repositoryId, toolIds.own, key, branchId];
  await client.query(ADD_SCOPE, [...added, part, request.isSplit]);
  const scope = await findScope(client, FIND_SCOPE, added);
  if (scope === undefined || part === '') return found(scope?.id);
  const of = [clientId, repositoryId, toolIds.all, target, branchId];
  return found(
    await takeOverFindings(client, { clientId, scope: of, id: scope.id, before, key, part, isSplit: request.isSplit }),
  );
};
