import { type FixFacts, readFixFacts, readRelatedFixFacts, type Viewer } from '../../findings/server/index.ts';
import { notify } from '../../notifications/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import type { Db } from '../../platform/server/database.ts';
import type { ChangeFix, FixPlan } from '../model/fix.ts';
import { issueTextOf } from '../model/issue-text.ts';
import { DiffError, readDiff, snippetsOf, writeDiff } from '../model/unified-diff.ts';
import { fixFindingOf } from './fix-engine.ts';
import {
  type Columns,
  holdsRun,
  moveRemediation,
  NO_RUN,
  type Remediation,
  readRemediationOf,
  type Transition,
  takeRun,
} from './remediation-store.ts';
import { atProvider, type RemediationDeps, readFiles, type SourceFile } from './source-files.ts';

export interface GenerateRequest {
  viewer: Viewer;
  findingId: string;
  /** `issue`: a text to be opened as an issue, without a change of files. */
  type: 'pull_request' | 'issue';
  /** Values of its template that somebody gave. */
  templateValues?: Readonly<Record<string, string>>;
  /** One of many: whoever asked is notified of all of them at the end. */
  isBulk?: true;
}

/** The row of a finding, made where there is none. Two at once make one. */
const ensureRow = async (db: Db, deps: RemediationDeps, facts: FixFacts, viewer: Viewer): Promise<Remediation> => {
  const { clientId, userId } = viewer;
  const known = await readRemediationOf(db, clientId, facts.id);
  if (known !== undefined) return known;
  await deps.limits.check(db, { clientId, kind: 'remediations', adding: 1 });
  await db
    .insertInto('remediations')
    .values({
      client_id: clientId,
      finding_id: facts.id,
      repository_id: facts.repositoryId,
      branch: facts.branch,
      title: facts.title,
      file_path: facts.file,
      line: facts.startLine,
      created_by: userId,
    })
    .onConflict((conflict) => conflict.columns(['client_id', 'finding_id']).doNothing())
    .execute();
  const made = await readRemediationOf(db, clientId, facts.id);
  if (made === undefined) throw new AppError('finding_not_found');
  return made;
};

interface Started {
  facts: FixFacts;
  related: readonly FixFacts[];
  remediation: Remediation;
  runId: string;
}

const start = (deps: RemediationDeps, { viewer, findingId }: GenerateRequest): Promise<Started> =>
  deps.database.forClient(viewer.clientId, async (db) => {
    const facts = await readFixFacts(db, { viewer, id: findingId });
    if (facts === undefined) throw new AppError('finding_not_found');
    if (facts.status === 'mitigated') throw new AppError('conflict', 'The finding is fixed already.');
    const row = await ensureRow(db, deps, facts, viewer);
    const remediation = await moveRemediation(db, row, { event: 'generate', actor: viewer.userId });
    const runId = await takeRun(db, row);
    return { facts, related: await readRelatedFixFacts(db, viewer.clientId, facts), remediation, runId };
  });

const diffColumns = (fix: ChangeFix, files: readonly SourceFile[]): Columns => {
  const known = new Map(files.map((file) => [file.path, file]));
  const changes = fix.changes.map(({ path, after }) => {
    const file = known.get(path);
    if (file === undefined) throw new DiffError(`The fix would change “${path}”, which is no file of this finding.`);
    return { path, before: file.content, after };
  });
  const diff = writeDiff(changes);
  const snippets = snippetsOf(readDiff(diff));
  return {
    code_diff: diff,
    code_diff_original: diff,
    code_snippet: snippets.after,
    code_snippet_original: snippets.before,
    files: JSON.stringify(changes.map(({ path }) => ({ path, sha256: known.get(path)?.sha256 ?? null }))),
    remediation_type: 'pull_request',
    file_path: changes[0]?.path ?? null,
    notes: JSON.stringify([
      ...fix.remaining,
      ...fix.staleLocks.map(({ path, command }) => `Bring ${path} up to date: ${command}`),
    ]),
  };
};

const templateColumns = (fix: ChangeFix): Columns => ({
  is_template: fix.template !== undefined,
  template: fix.template?.name ?? null,
  template_fields: JSON.stringify(fix.template?.fields ?? []),
  template_values: JSON.stringify(fix.template?.values ?? {}),
});

const NO_DIFF = {
  code_diff: null,
  code_diff_original: null,
  code_snippet: null,
  code_snippet_original: null,
  files: '[]',
  notes: '[]',
  is_template: false,
  template: null,
  template_fields: '[]',
  template_values: '{}',
} as const satisfies Columns;

/** What a plan makes of the remediation. */
export const outcomeOf = (
  plan: FixPlan,
  files: readonly SourceFile[],
): Pick<Transition, 'event' | 'columns' | 'detail'> => {
  if (plan.kind === 'none')
    return { event: 'fail', columns: { ...NO_DIFF, failure: plan.detail }, detail: plan.detail };
  const text = { title: plan.title, description: plan.description, failure: null, is_edited: false };
  if (plan.kind === 'issue') return { event: 'planned', columns: { ...NO_DIFF, ...text, remediation_type: 'issue' } };
  const template = templateColumns(plan);
  const problems = Object.values(plan.template?.problems ?? {});
  if (problems.length > 0) {
    return { event: 'input_needed', columns: { ...NO_DIFF, ...text, ...template }, detail: problems.join(' ') };
  }
  const changed = diffColumns(plan, files);
  if (changed.code_diff === '') {
    const failure = 'Nothing of its files would change: they hold the fix already.';
    return { event: 'fail', columns: { ...NO_DIFF, failure }, detail: failure };
  }
  return { event: 'planned', columns: { ...text, ...template, ...changed } };
};

const RESOLVED = /^[0-9a-f]{40}$/;

/** Asks the provider for the files and the engine for the fix. @throws AppError, DiffError with the reason why there is none */
export const planFor = async (
  deps: RemediationDeps,
  clientId: string,
  { facts, related, templateValues }: Pick<Started, 'facts' | 'related'> & Pick<GenerateRequest, 'templateValues'>,
): Promise<{ plan: FixPlan; files: SourceFile[] }> => {
  const finding = fixFindingOf(facts);
  const paths = deps.engine.filesForFix(finding);
  const request = {
    finding,
    related: related.map(fixFindingOf),
    ...(templateValues === undefined ? {} : { templateValues }),
  };
  if (paths.length === 0) return { plan: await deps.engine.planFix({ ...request, files: [] }), files: [] };
  return atProvider(deps, clientId, facts, async (step) => {
    const files = await readFiles(step, facts.branch, paths);
    const present = files.flatMap(({ path, content }) => (content === null ? [] : [{ path, content }]));
    const resolveRef = async (action: string, ref: string) => {
      for await (const branch of step.scm.listBranches(step.ctx, action)) {
        if (branch.name === ref && RESOLVED.test(branch.commit)) return { commit: branch.commit };
      }
      return undefined;
    };
    const plan = await deps.engine.planFix({
      ...request,
      files: present,
      resolveRef: (action, ref) => resolveRef(action, ref).catch(() => undefined),
    });
    return { plan, files };
  });
};

const planIssue = async (deps: RemediationDeps, { facts, related }: Started): Promise<FixPlan> => {
  const finding = fixFindingOf(facts);
  const isTextOnly = deps.engine.filesForFix(finding).length === 0;
  const plan = isTextOnly
    ? await deps.engine.planFix({ finding, related: related.map(fixFindingOf), files: [] })
    : undefined;
  if (plan?.kind === 'issue') return plan;
  const group = { key: `issue:${facts.ruleId}`, label: facts.title };
  return { kind: 'issue', ...issueTextOf(facts), group, closes: [facts.id] };
};

const failed = (error: unknown): Pick<Transition, 'event' | 'columns' | 'detail'> => {
  if (!(error instanceof AppError) && !(error instanceof DiffError)) throw error;
  return { event: 'fail', columns: { ...NO_DIFF, failure: error.message }, detail: error.message };
};

const notifyEnd = async (db: Db, { viewer, isBulk }: GenerateRequest, remediation: Remediation): Promise<void> => {
  const { processing_status: status, title, finding_id, failure } = remediation;
  if (isBulk === true || status === 'pending_input') return;
  const isReady = status === 'ready';
  await notify(db, {
    clientId: viewer.clientId,
    type: isReady ? 'remediation_ready' : 'remediation_failed',
    title: isReady ? `A fix is ready: ${title}` : `There is no fix for “${title}”`,
    ...(failure === null ? {} : { message: failure }),
    link: `/findings/all/finding-details/${finding_id}`,
    to: { userIds: [viewer.userId] },
  });
};

/**
 * Generates the fix of a finding. What the provider or the engine refuses is the remediation's own end (`failed`, with the reason).
 * A process that dies leaves it `processing`; the next request takes it up. @throws finding_not_found, conflict
 */
export const generate = async (deps: RemediationDeps, request: GenerateRequest): Promise<Remediation> => {
  const { viewer } = request;
  const started = await start(deps, request);
  const { facts, remediation, runId } = started;
  let end: Pick<Transition, 'event' | 'columns' | 'detail'>;
  try {
    if (request.type === 'issue') end = outcomeOf(await planIssue(deps, started), []);
    else {
      const kept = request.templateValues ?? remediation.template_values;
      const { plan, files } = await planFor(deps, viewer.clientId, { ...started, templateValues: kept });
      end = outcomeOf(plan, files);
    }
  } catch (error) {
    end = failed(error);
  }
  return deps.database.forClient(viewer.clientId, async (db) => {
    const written = await moveRemediation(db, remediation, {
      ...end,
      actor: viewer.userId,
      columns: { ...end.columns, branch: facts.branch, ...NO_RUN },
      guard: (inside) => holdsRun(inside, remediation, runId),
    });
    await notifyEnd(db, request, written);
    return written;
  });
};
