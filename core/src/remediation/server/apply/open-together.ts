import { createHash, randomUUID } from 'node:crypto';
import type { ScmLink } from '@breakwater/sdk';
import { type FixFacts, readRelatedFixFacts, type Viewer } from '../../../findings/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { DiffError } from '../../model/unified-diff.ts';
import { planFor } from '../generate.ts';
import { keepRun } from '../keep-run.ts';
import { addEvent, holdsRun, moveRemediation, NO_RUN, type Remediation, releaseRuns } from '../remediation-store.ts';
import { atProvider, type RemediationDeps, readFiles, type SourceFile, type SourceStep } from '../source-files.ts';
import { ComposedFiles } from './compose.ts';
import { begin, generateAnew, writeOf } from './open.ts';
import { togetherText } from './together-text.ts';
import { whenFree } from './when-free.ts';

export interface TogetherRequest {
  viewer: Viewer;
  /** Of remediations of one repository and one branch, all of pull requests, in the order in which they are put together. */
  ids: readonly string[];
  key: string;
  /** Branch that holds the fixes. */
  branch: string;
  signal: AbortSignal;
}

/** What came of each. Whoever is in neither list had its pull request before. */
export interface TogetherResult {
  done: string[];
  refused: { id: string; why: string }[];
}

interface Member {
  remediation: Remediation;
  facts: FixFacts;
}

interface Work extends TogetherRequest {
  deps: RemediationDeps;
  runId: string;
  result: TogetherResult;
}

/** Of one visit at the provider: few enough for its time. */
const FILES_AT_ONCE = 20;
/** Of one commit: some providers ask for each file, and all bound what they take in one request. */
const FILES_PER_COMMIT = 50;

/** Takes each for this run; what can no longer be opened, or is open with another pull request of the same change, is settled here. */
const admit = async (work: Work): Promise<Member[]> => {
  const { deps, viewer, ids, branch, runId, signal, result } = work;
  const members: Member[] = [];
  for (const id of ids) {
    try {
      const request = { viewer, id, isBulk: true } as const;
      const begun = await whenFree(() => begin(deps, request, 'pull_request', { branch, runId }), signal);
      if ('opened' in begun) result.done.push(id);
      else members.push({ remediation: begun.remediation, facts: begun.facts });
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      result.refused.push({ id, why: error.userMessage });
    }
  }
  return members;
};

const readAll = async ({ deps, viewer }: Work, { facts, remediation }: Member, paths: readonly string[]) => {
  const files: SourceFile[] = [];
  for (let at = 0; at < paths.length; at += FILES_AT_ONCE) {
    const some = paths.slice(at, at + FILES_AT_ONCE);
    const source = { ...facts, branch: remediation.branch };
    files.push(
      ...(await atProvider(deps, viewer.clientId, source, (step) => readFiles(step, remediation.branch, some))),
    );
  }
  return files;
};

const CONFLICT = msg(
  'Another fix of this pull request changes the same lines. Open it by itself once that one is merged.',
);

/** Plans a fix with a lock file on top of what the others have changed. @throws AppError, DiffError with the reason why it cannot be */
const planOnTop = async ({ deps, viewer }: Work, { remediation, facts }: Member, files: ComposedFiles) => {
  if (remediation.is_edited || remediation.model !== null) throw new AppError('conflict', CONFLICT);
  const related = await deps.database.forClient(viewer.clientId, (db) =>
    readRelatedFixFacts(db, viewer.clientId, facts),
  );
  const request = { facts, related, templateValues: remediation.template_values };
  const { plan } = await planFor(deps, viewer.clientId, request, files.overlay);
  // what another one has changed fixes this one too
  if (plan.kind === 'none' && plan.reason === 'already_fixed') return;
  if (plan.kind === 'none') throw new AppError('conflict', plan.detail);
  if (plan.kind !== 'change' || plan.changes.length === 0) throw new AppError('conflict', CONFLICT);
  files.put(plan.changes.map(({ path, after }) => ({ path, content: after })));
};

/** @throws AppError, DiffError with the reason why it cannot be part of the pull request */
const addOne = async (work: Work, member: Member, files: ComposedFiles): Promise<void> => {
  const outcome = files.add(member.remediation);
  if (outcome === 'plan-anew') await planOnTop(work, member, files);
  if (outcome === 'conflict') throw new AppError('conflict', CONFLICT);
  if (outcome !== 'moved') return;
  const { deps, viewer, runId } = work;
  const { remediation } = member;
  await deps.database.forClient(viewer.clientId, (db) =>
    releaseRuns(db, { clientId: viewer.clientId, runId, id: remediation.id }),
  );
  await generateAnew(deps, { viewer, id: remediation.id, isBulk: true }, remediation);
};

/** Puts the fixes together, one after the other; one that does not fit is refused, and the rest goes on. */
const compose = async (work: Work, members: readonly Member[]) => {
  const [first] = members;
  const paths = [...new Set(members.flatMap(({ remediation }) => remediation.files.map(({ path }) => path)))];
  const files = new ComposedFiles(first === undefined ? [] : await readAll(work, first, paths));
  const composed: Member[] = [];
  for (const member of members) {
    try {
      await addOne(work, member, files);
      composed.push(member);
    } catch (error) {
      if (!(error instanceof AppError) && !(error instanceof DiffError)) throw error;
      const why = error instanceof AppError ? error.userMessage : error.message;
      work.result.refused.push({ id: member.remediation.id, why });
    }
  }
  return { composed, changes: files.changes };
};

/** `2 of 3` behind the title of a commit, where there are several. */
const partOf = (index: number, count: number): string => (count === 1 ? '' : ` (${index + 1} of ${count})`);

/**
 * Branch, commits and pull request, each with a key of its own. What a process that died has committed is found again by its key; files
 * that are so already make no commit.
 */
const write = async (
  { deps, viewer, key, branch }: Work,
  members: readonly [Member, ...Member[]],
  files: ComposedFiles['changes'],
): Promise<ScmLink> => {
  const [{ facts, remediation }] = members;
  const { branch: into } = remediation;
  const { title, names, description } = togetherText(members);
  const visit = <T>(ask: (step: SourceStep, to: ReturnType<typeof writeOf>) => Promise<T>): Promise<T> =>
    atProvider(deps, viewer.clientId, { ...facts, branch: into }, (step) => ask(step, writeOf(step)));
  await visit(({ ctx, repository }, to) =>
    to.createBranch(ctx, { repository, branch, from: into, idempotencyKey: `${key}:branch` }),
  );
  const count = Math.ceil(files.length / FILES_PER_COMMIT);
  for (let index = 0; index < count; index += 1) {
    const some = files.slice(index * FILES_PER_COMMIT, (index + 1) * FILES_PER_COMMIT);
    const digest = createHash('sha256').update(JSON.stringify(some)).digest('hex').slice(0, 16);
    const body = index > 0 || names === '' ? '' : `\n\n${names}`;
    const message = `${title}${partOf(index, count)}${body}`;
    const commit = { branch, message, files: some, idempotencyKey: `${key}:commit:${digest}` };
    await visit(({ ctx, repository }, to) => to.commitFiles(ctx, { repository, ...commit }));
  }
  return visit(({ ctx, repository }, to) =>
    to.openPullRequest(ctx, {
      ...{ repository, from: branch, into, title, description },
      idempotencyKey: `${key}:pull-request`,
    }),
  );
};

/** All in one transaction: after a crash either all of them are open or none. Locked in the order in which others lock them. */
const settle = ({ deps, viewer, runId, branch, result }: Work, members: readonly Member[], link: ScmLink) =>
  deps.database.forClient(viewer.clientId, async (db) => {
    const columns = { ...NO_RUN, reference_url: link.url, number: link.number ?? null, fix_branch: branch };
    const ordered = members.toSorted((a, b) => (a.remediation.finding_id < b.remediation.finding_id ? -1 : 1));
    for (const { remediation } of ordered) {
      const now = await moveRemediation(db, remediation, {
        ...{ event: 'open_pull_request', actor: viewer.userId, columns, detail: link.url },
        guard: (inside) => holdsRun(inside, remediation, runId),
      });
      const isOpen = now.processing_status === 'pr_submitted';
      if (isOpen) result.done.push(remediation.id);
      else result.refused.push({ id: remediation.id, why: msg('Somebody else has taken it over meanwhile.') });
    }
  });

const noteFailure = ({ deps, viewer, result }: Work, members: readonly Member[], error: AppError) =>
  deps.database.forClient(viewer.clientId, async (db) => {
    for (const { remediation } of members) {
      await addEvent(db, remediation, { actor: viewer.userId, kind: 'open_failed', detail: error.message });
      result.refused.push({ id: remediation.id, why: error.userMessage });
    }
  });

const run = async (work: Work): Promise<TogetherResult> => {
  const admitted = await admit(work);
  let left: readonly Member[] = admitted;
  try {
    const { composed, changes } = await compose(work, admitted);
    left = composed;
    const [first, ...others] = composed;
    if (first === undefined) return work.result;
    if (changes.length === 0) throw new AppError('conflict', msg('Nothing of its files would change.'));
    await settle(work, composed, await write(work, [first, ...others], changes));
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    await noteFailure(work, left, error);
  }
  return work.result;
};

/**
 * Opens one pull request with the fixes of several findings. Asked for again with the same key, also after a crash, there is one branch, one
 * commit and one pull request.
 */
export const openTogether = (deps: RemediationDeps, request: TogetherRequest): Promise<TogetherResult> => {
  const own = { clientId: request.viewer.clientId, runId: randomUUID() };
  const work: Work = { ...request, deps, runId: own.runId, result: { done: [], refused: [] } };
  return keepRun(deps.database, own, () =>
    run(work).finally(() => deps.database.forClient(own.clientId, (db) => releaseRuns(db, own))),
  );
};
