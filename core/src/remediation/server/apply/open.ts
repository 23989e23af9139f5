import { createHash } from 'node:crypto';
import type { ScmLink, ScmWrite } from '@breakwater/sdk';
import type { FixFacts, Viewer } from '../../../findings/server/index.ts';
import { notify } from '../../../notifications/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { Db } from '../../../platform/server/database.ts';
import { isLockFile } from '../../model/fix.ts';
import { nextStatus, PROCESSING_LABELS, type RemediationEvent } from '../../model/states.ts';
import { applyPatch, DiffError, readDiff, writeDiff } from '../../model/unified-diff.ts';
import { generate } from '../generate.ts';
import { fixBranchOf, ownBranchOf } from '../remediation-item.ts';
import {
  addEvent,
  type Columns,
  holdsRun,
  moveRemediation,
  NO_RUN,
  type Remediation,
  releaseRun,
  requireRemediation,
  takeRun,
  updateRemediation,
} from '../remediation-store.ts';
import { atProvider, type RemediationDeps, readFiles, type SourceStep } from '../source-files.ts';

export interface ApplyRequest {
  viewer: Viewer;
  /** Of the remediation. */
  id: string;
  /** One of many: whoever asked is notified of all of them at the end. */
  isBulk?: true;
  /** How often a process has died at it. */
  attempts?: number;
}

/** What is open at the provider now. */
export interface Opened {
  remediation_id: string;
  url: string;
  number: number | null;
  repository: string;
  branch: string | null;
  target: string | null;
}

const EVENT_OF = { pull_request: 'open_pull_request', issue: 'open_issue' } as const;
type Kind = keyof typeof EVENT_OF;

const openedOf = (remediation: Remediation, { repository }: Pick<FixFacts, 'repository'>): Opened => {
  const isIssue = remediation.processing_status === 'issued' || remediation.remediation_type === 'issue';
  return {
    remediation_id: remediation.id,
    url: remediation.reference_url ?? '',
    number: remediation.number,
    repository,
    branch: isIssue ? null : fixBranchOf(remediation),
    target: isIssue ? null : remediation.branch,
  };
};

/** Another finding of the repository that the same change fixes, with its pull request open: that one serves both. */
const findTwin = (db: Db, { client_id, repository_id, branch, code_diff, id }: Remediation) =>
  db
    .selectFrom('remediations')
    .select(['reference_url', 'number', 'fix_branch'])
    .where('client_id', '=', client_id)
    .where('repository_id', '=', repository_id)
    .where('branch', '=', branch)
    .where('code_diff', '=', code_diff)
    .where('processing_status', '=', 'pr_submitted')
    .where('id', '<>', id)
    .orderBy('id')
    .limit(1)
    .executeTakeFirst();

const notifyOpened = async (
  db: Db,
  request: ApplyRequest,
  { kind, opened, now }: { kind: Kind; opened: Opened; now: Remediation },
) => {
  if (request.isBulk === true) return;
  const { repository } = opened;
  const number = opened.number === null ? '' : ` ${opened.number}`;
  const values = { number, repository, title: now.title };
  await notify(db, {
    clientId: now.client_id,
    type: kind === 'issue' ? 'issue_opened' : 'pr_opened',
    title:
      kind === 'issue'
        ? say('Issue{number} in {repository}: {title}', values)
        : say('Pull request{number} in {repository}: {title}', values),
    link: `/findings/all/finding-details/${now.finding_id}`,
    to: { userIds: [...new Set([request.viewer.userId, now.created_by ?? request.viewer.userId])] },
  });
};

type Begun = { opened: Opened } | { remediation: Remediation; facts: FixFacts; runId: string };

/**
 * Everything that is refused is refused before the provider is asked. @param together the branch and the run of several fixes
 * @throws remediation_not_found, conflict, RunTaken
 */
export const begin = (
  deps: RemediationDeps,
  request: ApplyRequest,
  kind: Kind,
  together?: { branch: string; runId: string },
): Promise<Begun> =>
  deps.database.forClient(request.viewer.clientId, async (db): Promise<Begun> => {
    const { remediation: now, facts } = await requireRemediation(db, request.viewer, request.id);
    const event: RemediationEvent = EVENT_OF[kind];
    const isThere = now.processing_status === (kind === 'issue' ? 'issued' : 'pr_submitted');
    if (isThere) return { opened: openedOf(now, facts) };
    if (nextStatus(now.processing_status, event) === undefined) {
      const why =
        now.failure ?? sayEnglish('Its state is “{status}”.', { status: PROCESSING_LABELS[now.processing_status] });
      throw new AppError('conflict', say('Nothing can be opened for this remediation. {why}', { why }));
    }
    if (kind === 'pull_request' && now.code_diff === null)
      throw new AppError('conflict', msg('It changes no files: open an issue for it instead.'));
    const { viewer, isBulk, attempts = 0 } = request;
    const runRequest = { actor: viewer.userId, attempts, work: { kind: 'open', as: kind } } as const;
    const options = together ?? (isBulk === true ? {} : { request: runRequest });
    const runId = await takeRun(db, now, options);
    const twin = kind === 'pull_request' ? await findTwin(db, now) : undefined;
    if (twin?.reference_url == null) {
      const fix_branch = together?.branch ?? ownBranchOf(now);
      await updateRemediation(db, now, { fix_branch });
      return { remediation: { ...now, fix_branch }, facts, runId };
    }
    const columns = { ...NO_RUN, ...twin };
    const detail = sayEnglish('The same change as pull request {pull_request}', {
      pull_request: String(twin.number ?? twin.reference_url),
    });
    const moved = await moveRemediation(db, now, { event, actor: request.viewer.userId, columns, detail });
    return { opened: openedOf(moved, facts) };
  });

/** The diff no longer fits the files as they are now. */
class MovedError extends Error {}

/** The files as they become, from what they are now; the diff anew where they were changed elsewhere since. */
const filesNow = async (step: SourceStep, remediation: Remediation) => {
  const patches = readDiff(remediation.code_diff ?? '');
  const current = await readFiles(
    step,
    remediation.branch,
    patches.map(({ path }) => path),
  );
  const base = new Map(remediation.files.map(({ path, sha256 }) => [path, sha256]));
  const isMoved = current.some(({ path, sha256 }) => base.get(path) !== sha256);
  // what two of them became beside each other is no lock file of either
  if (isMoved && patches.some(({ path }) => isLockFile(path)))
    throw new MovedError(msg('A lock file goes with its manifest.'));
  try {
    const changes = patches.map((patch, index) => {
      const before = current[index]?.content ?? null;
      return { path: patch.path, before, after: applyPatch(before, patch, { mayMove: isMoved }) };
    });
    const columns: Columns = isMoved
      ? { code_diff: writeDiff(changes), files: JSON.stringify(current.map(({ path, sha256 }) => ({ path, sha256 }))) }
      : {};
    return { files: changes.map(({ path, after }) => ({ path, content: after })), columns };
  } catch (error) {
    throw error instanceof DiffError ? new MovedError(error.message) : error;
  }
};

export const writeOf = ({ scm }: SourceStep): ScmWrite => {
  if (scm.write === undefined) throw new AppError('conflict', msg('Breakwater cannot write to this source control.'));
  return scm.write;
};

/** One key for each thing that is to exist; of a later submission, and of other content, another one. */
const keyOf = ({ id, submission }: Remediation): string => `remediation:${id}:${submission}`;

const writePullRequest = async (
  step: SourceStep,
  remediation: Remediation,
): Promise<{ link: ScmLink; columns: Columns }> => {
  const write = writeOf(step);
  const { files, columns } = await filesNow(step, remediation);
  const { ctx, repository } = step;
  const { branch: into, title, description } = remediation;
  const branch = fixBranchOf(remediation);
  const key = keyOf(remediation);
  const digest = createHash('sha256').update(JSON.stringify(files)).digest('hex').slice(0, 16);
  await write.createBranch(ctx, { repository, branch, from: into, idempotencyKey: `${key}:branch` });
  const commit = { repository, branch, message: title, files, idempotencyKey: `${key}:commit:${digest}` };
  await write.commitFiles(ctx, commit);
  const request = { repository, from: branch, into, title, description, idempotencyKey: `${key}:pull-request` };
  return { link: await write.openPullRequest(ctx, request), columns };
};

const writeIssue = async (step: SourceStep, remediation: Remediation): Promise<{ link: ScmLink; columns: Columns }> => {
  const { title, description } = remediation;
  const idempotencyKey = `${keyOf(remediation)}:issue`;
  const link = await writeOf(step).openIssue(step.ctx, {
    repository: step.repository,
    title,
    description,
    idempotencyKey,
  });
  return { link, columns: { remediation_type: 'issue' } };
};

/** What was generated fits no more: it is made anew, for a person to look at before it is opened. @throws conflict, always, with what came of it */
export const generateAnew = async (
  deps: RemediationDeps,
  request: ApplyRequest,
  remediation: Remediation,
): Promise<never> => {
  if (remediation.is_edited)
    throw new AppError(
      'conflict',
      msg('Its files were changed since, and the edited fix no longer fits: edit it again, or generate it anew.'),
    );
  const anew = await generate(deps, {
    viewer: request.viewer,
    findingId: remediation.finding_id,
    type: 'pull_request',
    isBulk: true,
    ...(remediation.model === null ? {} : { isByAi: true }),
  });
  throw new AppError(
    'conflict',
    anew.processing_status === 'ready'
      ? msg('Its files were changed since: the fix was generated anew. Look at it, then open the pull request.')
      : `Its files were changed since, and there is no fix for them as they are now. ${anew.failure ?? ''}`.trim(),
  );
};

const open = async (deps: RemediationDeps, request: ApplyRequest, kind: Kind): Promise<Opened> => {
  const begun = await begin(deps, request, kind);
  if ('opened' in begun) return begun.opened;
  const { remediation, facts, runId } = begun;
  const { viewer } = request;
  try {
    const { link, columns } = await atProvider(
      deps,
      viewer.clientId,
      { ...facts, branch: remediation.branch },
      (step) => (kind === 'issue' ? writeIssue(step, remediation) : writePullRequest(step, remediation)),
    );
    return await deps.database.forClient(viewer.clientId, async (db) => {
      const now = await moveRemediation(db, remediation, {
        event: EVENT_OF[kind],
        actor: viewer.userId,
        columns: { ...columns, ...NO_RUN, reference_url: link.url, number: link.number ?? null },
        detail: link.url,
        guard: (inside) => holdsRun(inside, remediation, runId),
      });
      const opened = openedOf(now, facts);
      await notifyOpened(db, request, { kind, opened, now });
      return opened;
    });
  } catch (error) {
    await deps.database.forClient(viewer.clientId, async (db) => {
      await releaseRun(db, remediation, runId);
      const detail = error instanceof Error ? error.message : null;
      await addEvent(db, remediation, { actor: viewer.userId, kind: 'open_failed', detail });
    });
    if (error instanceof MovedError) return generateAnew(deps, request, remediation);
    throw error;
  }
};

/** Opens the pull request of a remediation; one that is open is answered as it is. @throws remediation_not_found, conflict, upstream_failed */
export const openPullRequest = (deps: RemediationDeps, request: ApplyRequest): Promise<Opened> =>
  open(deps, request, 'pull_request');

/** Opens an issue with the text of a remediation. @throws as openPullRequest */
export const openIssue = (deps: RemediationDeps, request: ApplyRequest): Promise<Opened> =>
  open(deps, request, 'issue');
