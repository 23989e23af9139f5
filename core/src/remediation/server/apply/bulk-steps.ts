import type { Viewer } from '../../../findings/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { assess } from '../assessment/assess.ts';
import { generate } from '../generate.ts';
import type { KnownFiles } from '../known-files.ts';
import { type Remediation, readRemediationOf, requireRemediation } from '../remediation-store.ts';
import type { RemediationDeps } from '../source-files.ts';
import type { JobGroup } from './job-groups.ts';
import { openIssue, openPullRequest } from './open.ts';
import { openTogether } from './open-together.ts';
import { whenFree } from './when-free.ts';

/** How many pull requests there are: one for each fix, or one for all fixes of a repository. */
export type Grouping = 'finding' | 'repository';

/** What is done with each finding or remediation. */
export interface Orders {
  applyPullRequests: boolean;
  applyIssues: boolean;
  group: Grouping;
  /** A model may be asked where there is no fix without one. */
  isAiAllowed: boolean;
}

interface ItemRequest extends Orders {
  viewer: Viewer;
  kind: string;
  /** Of a finding that is to be generated, or of a remediation. */
  id: string;
  /** A run before this one broke off at this step. */
  isRepeated: boolean;
  signal: AbortSignal;
  /** What the run has read for the findings before. */
  known: KnownFiles;
}

/** `waits`: for the pull request of its repository. */
export type ItemEnd = 'done' | 'waits' | { refused: string };

const openOne = async (
  deps: RemediationDeps,
  { viewer, group, signal }: ItemRequest,
  remediation: Remediation,
): Promise<ItemEnd> => {
  const isIssue = remediation.remediation_type === 'issue';
  const isReady = remediation.processing_status === 'ready' && remediation.code_diff !== null;
  if (!isIssue && isReady && group === 'repository') return 'waits';
  const open = isIssue ? openIssue : openPullRequest;
  await whenFree(() => open(deps, { viewer, id: remediation.id, isBulk: true }), signal);
  return 'done';
};

/** Whether the run that broke off had opened it, and only not counted it. */
const wasOpened = async (deps: RemediationDeps, { viewer, id, isRepeated }: ItemRequest): Promise<boolean> => {
  if (!isRepeated) return false;
  const known = await deps.database.forClient(viewer.clientId, (db) => readRemediationOf(db, viewer.clientId, id));
  return known?.processing_status === 'pr_submitted' || known?.processing_status === 'issued';
};

const generateOne = async (deps: RemediationDeps, request: ItemRequest): Promise<ItemEnd> => {
  const { viewer, id, applyPullRequests, applyIssues, isAiAllowed, signal, known } = request;
  if (await wasOpened(deps, request)) return 'done';
  const order = { viewer, findingId: id, type: 'pull_request', isAiAllowed, isBulk: true, known } as const;
  const made = await whenFree(() => generate(deps, order), signal);
  const { processing_status: status, remediation_type: type } = made;
  if (status === 'pending_input') throw new AppError('conflict', msg('It needs values that only a person can give.'));
  if (status !== 'ready') throw new AppError('conflict', made.failure ?? msg('There is no fix.'));
  const isOpened = type === 'issue' ? applyIssues : applyPullRequests;
  return isOpened ? openOne(deps, request, made) : 'done';
};

const applyOne = async (deps: RemediationDeps, request: ItemRequest): Promise<ItemEnd> => {
  const { viewer, id } = request;
  const { remediation } = await deps.database.forClient(viewer.clientId, (db) => requireRemediation(db, viewer, id));
  return openOne(deps, request, remediation);
};

const assessOne = async (deps: RemediationDeps, { viewer, id, signal }: ItemRequest): Promise<ItemEnd> => {
  await whenFree(() => assess(deps, { viewer, findingId: id, keepsCurrent: true }), signal);
  return 'done';
};

const WAYS: Readonly<Record<string, (deps: RemediationDeps, request: ItemRequest) => Promise<ItemEnd>>> = {
  'remediation.generate': generateOne,
  'remediation.apply': applyOne,
  'remediation.assess': assessOne,
};

/** Does one. An error of ours ends the run instead, and the queue tries again. */
export const runItem = async (deps: RemediationDeps, request: ItemRequest): Promise<ItemEnd> => {
  try {
    return await (WAYS[request.kind] ?? applyOne)(deps, request);
  } catch (error) {
    if (error instanceof AppError) return { refused: error.userMessage };
    throw error;
  }
};

/** Opens the pull request of one repository. @returns by remediation why it is not part of it, and how many are */
export const runGroup = async (
  deps: RemediationDeps,
  request: { viewer: Viewer; group: JobGroup; signal: AbortSignal },
): Promise<{ opened: number; refused: { id: string; why: string }[] }> => {
  const { viewer, group, signal } = request;
  const { key, branch, ids, opened } = group;
  if (ids.length === 0) return { opened, refused: [] };
  const { done, refused } = await openTogether(deps, { viewer, ids, key, branch, signal });
  return { opened: opened + done.length, refused };
};
