import { createHash } from 'node:crypto';
import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { readFindingsPage } from '../../../findings/server/index.ts';
import { importsOfCommits } from '../../../ingest/server/index.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import {
  type CommentFacts,
  type CommitState,
  commentText,
  isFailing,
  MAX_ROWS,
  type NewCounts,
  statusText,
} from '../../model/commit-status.ts';
import { UNFINISHED_STATUSES } from '../../model/scan-requests.ts';
import type { ScanRepository } from '../requests/list-scan-requests.ts';
import '../tables.ts';

/** What the provider is to show of a commit. */
export interface WantedStatus {
  readonly commit: string;
  readonly state: CommitState;
  readonly description: string;
  readonly url: string | undefined;
  /** Comments on pull requests; none while scans go on. */
  readonly comments: readonly {
    readonly pullRequest: number;
    readonly text: string;
    readonly isWorthSaying: boolean;
  }[];
}

/** What is asked: of one repository, for the links this server's own address. */
export interface StatusRequest {
  readonly clientId: string;
  readonly repository: ScanRepository;
  readonly publicOrigin: string | undefined;
}

const DAY_MS = 24 * 3_600_000;
const MAX_SCANS = 500;
/** Of one run; the others are looked at by the next one. */
const MAX_COMMITS = 50;

const requestsOfCommits = (db: Db, { clientId, repository }: StatusRequest, since: Date) =>
  db
    .selectFrom('scan_requests')
    .select(['id', 'branch', 'commit_hash', 'status', 'detail', 'finished_at', 'pull_request'])
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repository.id)
    .where('commit_hash', 'is not', null)
    .where('created_at', '>', since)
    .orderBy('id', 'desc')
    .limit(MAX_SCANS)
    .execute();

interface ScanOfCommit {
  id: string;
  branch: string | null;
  commit_hash: string | null;
  status: string;
  detail: string | null;
  finished_at: Date | null;
  pull_request: number | null;
  isImport: boolean;
}

const isUnfinished = ({ status }: ScanOfCommit): boolean => UNFINISHED_STATUSES.some((one) => one === status);
const hasFailed = ({ status }: ScanOfCommit): boolean => status === 'failed' || status === 'cancelled';
const isMerged = ({ status }: ScanOfCommit): boolean => status === 'done' || status === 'incomplete';

/** The scans of the last day by their commit, the newest commit first, and which commit each pull request was scanned at last. */
const readScans = async (db: Db, request: StatusRequest) => {
  const since = new Date(Date.now() - DAY_MS);
  const of = { clientId: request.clientId, repositoryId: request.repository.id, since, limit: MAX_SCANS };
  const imports = (await importsOfCommits(db, of)).map((one) => ({ ...one, pull_request: null, isImport: true }));
  const requests = (await requestsOfCommits(db, request, since)).map((one) => ({ ...one, isImport: false }));
  const newest: ScanOfCommit[] = [...imports, ...requests].sort((a, b) => (a.id < b.id ? 1 : -1));
  const byCommit = new Map<string, ScanOfCommit[]>();
  const heads = new Map<number, string>();
  for (const scan of newest) {
    const commit = scan.commit_hash ?? '';
    byCommit.set(commit, [...(byCommit.get(commit) ?? []), scan]);
    if (scan.pull_request !== null && !heads.has(scan.pull_request)) heads.set(scan.pull_request, commit);
  }
  return { byCommit, heads };
};

/**
 * Which findings are new: in another branch those that the default branch does not have, in the default branch those that the scans of the
 * commit brought. What is hidden from the list of open findings is not counted.
 */
const filtersOf = ({ repository }: StatusRequest, scans: readonly ScanOfCommit[]) => {
  const branch = scans.find((scan) => scan.branch !== null && scan.branch !== repository.repository_branch)?.branch;
  const from = { repository: [repository.id] };
  if (branch !== undefined && branch !== null) {
    return { ...from, branch: [branch], on_default_branch: 'hide' as const };
  }
  const first_scan = scans.filter((scan) => scan.isImport && isMerged(scan)).map(({ id }) => id);
  return { ...from, first_scan: first_scan.slice(0, 50) };
};

type NewFilters = ReturnType<typeof filtersOf>;

/** The list of open findings with these filters. */
const listAddress = (origin: string | undefined, filters: NewFilters): string | undefined => {
  if (origin === undefined) return undefined;
  const url = new URL('/findings', origin);
  for (const [name, value] of Object.entries(filters)) {
    url.searchParams.set(name, typeof value === 'string' ? value : value.join(','));
  }
  url.searchParams.set('is_subfinding', 'hide');
  return url.href;
};

/** A job reads what everybody of the organisation together sees. */
const NOBODY = '00000000-0000-0000-0000-000000000000';
const OPEN = ['enriched', 'pending_input', 'ready', 'pr_submitted', 'issued', 'pr_accepted', 'reopened'] as const;
const HIDDEN = { false_positive: 'hide', accepted_risk: 'hide', is_duplicate: 'hide', is_subfinding: 'hide' } as const;

const readNew = async (db: Db, { clientId, publicOrigin }: StatusRequest, filters: NewFilters) => {
  const viewer = { clientId, userId: NOBODY, seesAll: true };
  const shown = { ...filters, ...HIDDEN, status: [...OPEN] };
  const countOf = async (severity: Severity): Promise<number> => {
    const query = { filters: { ...shown, severity: [severity] }, pagination: { page: 1, pageSize: 1 } };
    return (await readFindingsPage(db, viewer, query)).meta.pagination.total ?? 0;
  };
  const counts = { critical: 0, high: 0, medium: 0, low: 0, informational: 0 };
  if (!('first_scan' in filters) || filters.first_scan.length > 0) {
    for (const severity of SEVERITIES) counts[severity] = await countOf(severity);
  }
  const isNone = Object.values(counts).every((count) => count === 0);
  const page = { filters: shown, pagination: { page: 1, pageSize: MAX_ROWS } };
  const { data } = isNone ? { data: [] } : await readFindingsPage(db, viewer, page);
  const rows = data.map(({ _id, attributes: { severity, title, file_path, start_line } }) => ({
    ...{ severity, title: title ?? '', path: file_path ?? null, line: start_line ?? null },
    url: publicOrigin === undefined ? undefined : new URL(`/findings/${_id}`, publicOrigin).href,
  }));
  return { counts, rows };
};

const commentsOf = (
  scans: readonly ScanOfCommit[],
  heads: ReadonlyMap<number, string>,
  facts: CommentFacts & { counts: NewCounts },
): WantedStatus['comments'] => {
  const numbers = new Set(scans.flatMap(({ pull_request }) => pull_request ?? []));
  const isWorthSaying = Object.values(facts.counts).some((count) => count > 0);
  return (
    [...numbers]
      // an older commit says nothing any more
      .filter((pullRequest) => heads.get(pullRequest) === facts.commit)
      .map((pullRequest) => ({ pullRequest, text: commentText(facts), isWorthSaying }))
  );
};

const wantedOf = async (
  db: Db,
  request: StatusRequest,
  { commit, scans, heads }: { commit: string; scans: readonly ScanOfCommit[]; heads: ReadonlyMap<number, string> },
): Promise<WantedStatus> => {
  const filters = filtersOf(request, scans);
  const url = listAddress(request.publicOrigin, filters);
  const nothing = { commit, url, comments: [] };
  if (scans.some(isUnfinished)) return { ...nothing, state: 'pending', description: msg('The scan goes on.') };
  const failed = scans.filter(hasFailed);
  if (!scans.some(isMerged)) {
    const why = failed.find(({ detail }) => detail !== null)?.detail ?? msg('It was cancelled.');
    return { ...nothing, state: 'failure', description: `The scan did not end well. ${why}` };
  }
  const { counts, rows } = await readNew(db, request, filters);
  return {
    ...{ commit, url },
    state: isFailing(counts) ? 'failure' : 'success',
    description: statusText(counts, failed.length),
    comments: commentsOf(scans, heads, { counts, rows, commit, url }),
  };
};

/** Commits whose end the provider shows, and as of when. Reads the primary key of commit_statuses. */
const readShown = async (db: Db, { clientId, repository }: StatusRequest, commits: readonly string[]) => {
  const rows = await db
    .selectFrom('commit_statuses')
    .select(['commit_hash', 'changed_at'])
    .where('client_id', '=', clientId)
    .where('repository_id', '=', repository.id)
    .where('commit_hash', 'in', ['', ...commits])
    .where('state', '<>', 'pending')
    .whereRef('said', '=', 'tried')
    .execute();
  return new Map(rows.map((row) => [row.commit_hash, row.changed_at]));
};

/**
 * What the provider is to show of the commits that were scanned within a day, by the scans and findings as they are now. Left out is what it
 * shows already: nothing ended since then.
 */
export const readWantedStatuses = async (db: Db, request: StatusRequest): Promise<WantedStatus[]> => {
  const { byCommit, heads } = await readScans(db, request);
  const shown = await readShown(db, request, [...byCommit.keys()].slice(0, MAX_COMMITS));
  const wanted: WantedStatus[] = [];
  for (const [commit, scans] of [...byCommit].slice(0, MAX_COMMITS)) {
    const since = shown.get(commit);
    const isShown = (scan: ScanOfCommit) =>
      since !== undefined && scan.finished_at !== null && scan.finished_at < since;
    if (!scans.every(isShown)) wanted.push(await wantedOf(db, request, { commit, scans, heads }));
  }
  return wanted;
};

/** Names what is to be said, so that it is said once. */
export const digestOf = ({ state, description, url, comments }: WantedStatus): string =>
  createHash('sha256')
    .update(JSON.stringify([state, description, url, comments]))
    .digest('hex');
