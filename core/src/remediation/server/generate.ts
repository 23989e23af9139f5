import { type FixFacts, readFixFacts, readRelatedFixFacts, type Viewer } from '../../findings/server/index.ts';
import { notify } from '../../notifications/server/index.ts';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import { say } from '../../platform/model/sentence.ts';
import { sayEnglish } from '../../platform/model/translator.ts';
import type { Db } from '../../platform/server/database.ts';
import type { ChangeFix, FixPlan } from '../model/fix.ts';
import { issueTextOf } from '../model/issue-text.ts';
import { DiffError, readDiff, snippetsOf, writeDiff } from '../model/unified-diff.ts';
import { type AiFix, isForAi, requireModel, writeFix } from './ai/write-fix.ts';
import { fixFindingOf } from './fix-engine.ts';
import { keepRun } from './keep-run.ts';
import { type KnownFiles, readSource } from './known-files.ts';
import {
  type Columns,
  holdsRun,
  moveRemediation,
  NO_RUN,
  type Remediation,
  readRemediationOf,
  requireRemediation,
  type Transition,
  takeRun,
} from './remediation-store.ts';
import { planSetting } from './setting-fixes.ts';
import { atProvider, type RemediationDeps, type SourceFile } from './source-files.ts';

export interface GenerateRequest {
  viewer: Viewer;
  findingId: string;
  /** `issue`: a text to be opened as an issue, without a change of files. */
  type: 'pull_request' | 'issue';
  /** A model writes it, also where the engine without AI has a fix. */
  isByAi?: boolean;
  /** False: no model is asked, also where the engine without AI has no fix. */
  isAiAllowed?: boolean;
  /** Values of its template that somebody gave. */
  templateValues?: Readonly<Record<string, string>>;
  /** One of many: whoever asked is notified of all of them at the end. */
  isBulk?: true;
  /** How often a process has died at it. */
  attempts?: number;
  /** Files that were read for others of many. */
  known?: KnownFiles;
}

/** For the poller; a job of many does it again by itself. */
const runRequestOf = ({ viewer, type, isByAi, templateValues, isBulk, attempts = 0 }: GenerateRequest) => {
  if (isBulk === true) return {};
  const given = {
    ...(isByAi === undefined ? {} : { isByAi }),
    ...(templateValues === undefined ? {} : { templateValues }),
  };
  return { request: { actor: viewer.userId, attempts, work: { kind: 'generate', type, ...given } } } as const;
};

/** The row of a finding, made where there is none. Two at once make one. */
const ensureRow = async (db: Db, facts: FixFacts, viewer: Viewer): Promise<Remediation> => {
  const { clientId, userId } = viewer;
  const known = await readRemediationOf(db, clientId, facts.id);
  if (known !== undefined) return known;
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

const start = (deps: RemediationDeps, request: GenerateRequest): Promise<Started> => {
  const { viewer, findingId } = request;
  return deps.database.forClient(viewer.clientId, async (db) => {
    const facts = await readFixFacts(db, { viewer, id: findingId });
    if (facts === undefined) throw new AppError('finding_not_found');
    if (facts.status === 'mitigated') throw new AppError('conflict', msg('The finding is fixed already.'));
    const row = await ensureRow(db, facts, viewer);
    const remediation = await moveRemediation(db, row, { event: 'generate', actor: viewer.userId });
    const runId = await takeRun(db, row, runRequestOf(request));
    return { facts, related: await readRelatedFixFacts(db, viewer.clientId, facts), remediation, runId };
  });
};

const diffColumns = (fix: ChangeFix, files: readonly SourceFile[]): Columns => {
  const known = new Map(files.map((file) => [file.path, file]));
  const changes = fix.changes.map(({ path, after }) => {
    const file = known.get(path);
    if (file === undefined)
      throw new DiffError(say('The fix would change “{path}”, which is no file of this finding.', { path }));
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
      ...fix.staleLocks.map(({ path, command }) => sayEnglish('Bring {path} up to date: {command}', { path, command })),
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
  settings: null,
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

const NO_MODEL = {
  model: null,
  input_tokens: null,
  output_tokens: null,
  cost_micros: null,
  ai_repaired: null,
} as const satisfies Columns;

type End = Pick<Transition, 'event' | 'columns' | 'detail'>;

/** What a plan makes of the remediation. */
const outcomeOf = (plan: FixPlan, files: readonly SourceFile[]): End => {
  if (plan.kind === 'none')
    return { event: 'fail', columns: { ...NO_DIFF, failure: plan.detail }, detail: plan.detail };
  const text = { title: plan.title, description: plan.description, failure: null, is_edited: false };
  if (plan.kind === 'issue') return { event: 'planned', columns: { ...NO_DIFF, ...text, remediation_type: 'issue' } };
  if (plan.kind === 'setting') {
    const settings = JSON.stringify(plan.settings);
    // an issue says the same to whoever may change them
    return { event: 'planned', columns: { ...NO_DIFF, ...text, remediation_type: 'issue', settings } };
  }
  const template = templateColumns(plan);
  const problems = Object.values(plan.template?.problems ?? {});
  if (problems.length > 0) {
    return { event: 'input_needed', columns: { ...NO_DIFF, ...text, ...template }, detail: problems.join(' ') };
  }
  const changed = diffColumns(plan, files);
  if (changed.code_diff === '') {
    const failure = msg('Nothing of its files would change: they hold the fix already.');
    return { event: 'fail', columns: { ...NO_DIFF, failure }, detail: failure };
  }
  return { event: 'planned', columns: { ...text, ...template, ...changed, settings: null } };
};

const RESOLVED = /^[0-9a-f]{40}$/;

const presentOf = (files: readonly SourceFile[]) =>
  files.flatMap(({ path, content }) => (content === null ? [] : [{ path, content }]));

const resolveRef = (
  deps: RemediationDeps,
  clientId: string,
  facts: FixFacts,
  { action, ref }: { action: string; ref: string },
) =>
  atProvider(deps, clientId, facts, async ({ scm, ctx }) => {
    const commit = (await scm.resolveRef?.(ctx, { name: action, ref })) ?? '';
    return RESOLVED.test(commit) ? { commit } : undefined;
  });

/**
 * Asks the provider for the files and the engine for the fix. @param overlay files that other fixes have changed already
 * @throws AppError, DiffError with the reason why there is none
 */
export const planFor = async (
  deps: RemediationDeps,
  clientId: string,
  {
    facts,
    related,
    templateValues,
    known,
  }: Pick<Started, 'facts' | 'related'> & Pick<GenerateRequest, 'templateValues' | 'known'>,
  overlay: ReadonlyMap<string, string | null> = new Map(),
): Promise<{ plan: FixPlan; files: SourceFile[] }> => {
  const finding = fixFindingOf(facts);
  const paths = deps.engine.filesForFix(finding);
  const request = {
    finding,
    related: related.map(fixFindingOf),
    ...(templateValues === undefined ? {} : { templateValues }),
  };
  if (paths.length === 0) return { plan: await deps.engine.planFix({ ...request, files: [] }), files: [] };
  const read = async (wanted: readonly string[]): Promise<SourceFile[]> => {
    const from = { clientId, source: facts, paths: wanted };
    const found = await readSource(deps, known === undefined ? from : { ...from, known });
    return found.map((file) => ({ ...file, content: overlay.get(file.path) ?? file.content }));
  };
  const files = await read(paths);
  const readMore = async (more: readonly string[]) => {
    const found = await read(more);
    files.push(...found);
    return presentOf(found);
  };
  const plan = await deps.engine.planFix({
    ...request,
    files: presentOf(files),
    readFiles: readMore,
    // between two visits at the provider, since it takes a while
    ...deps.lockTools,
    resolveRef: (action, ref) => resolveRef(deps, clientId, facts, { action, ref }).catch(() => undefined),
  });
  return { plan, files };
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

/** What a fix by a model makes of the remediation. */
const aiOutcomeOf = (fix: AiFix): End => {
  if ('exceeded' in fix)
    return { event: 'exceed_quota', columns: { ...NO_DIFF, failure: fix.exceeded }, detail: fix.exceeded };
  const { plan, files, model, cost, repaired } = fix;
  const end = outcomeOf(plan, files);
  const { inputTokens: input_tokens, outputTokens: output_tokens, costMicros: cost_micros } = cost;
  const share = { model: model.name, input_tokens, output_tokens, cost_micros, ai_repaired: repaired };
  return { ...end, columns: { ...end.columns, ...share } };
};

/** Without AI first; a model where that has no fix, or where a person asked for it. */
const endOf = async (deps: RemediationDeps, request: GenerateRequest, started: Started): Promise<End> => {
  if (request.type === 'issue') return outcomeOf(await planIssue(deps, started), []);
  const { viewer, isByAi, templateValues = started.remediation.template_values } = request;
  const setting = isByAi === true ? undefined : await planSetting(deps, viewer.clientId, started.facts);
  if (setting !== undefined) return outcomeOf(setting, []);
  const files = request.known === undefined ? {} : { known: request.known };
  const own =
    isByAi === true ? undefined : await planFor(deps, viewer.clientId, { ...started, templateValues, ...files });
  if (own !== undefined && (request.isAiAllowed === false || !isForAi(own.plan))) return outcomeOf(own.plan, own.files);
  const fix = await writeFix(deps, { viewer, ...started });
  if (fix !== undefined) return aiOutcomeOf(fix);
  if (own === undefined) throw new AppError('integration_not_configured');
  return outcomeOf(own.plan, own.files);
};

const failed = (error: unknown): End => {
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
    title: isReady ? say('A fix is ready: {title}', { title }) : say('There is no fix for “{title}”', { title }),
    ...(failure === null ? {} : { message: failure }),
    link: `/findings/all/finding-details/${finding_id}`,
    to: { userIds: [viewer.userId] },
  });
};

/**
 * Generates the fix of a finding. What the provider or the engine refuses is the remediation's own end (`failed`, with the reason).
 * A process that dies leaves it `processing`; the poller takes it up (apply/take-up.ts). @throws finding_not_found, conflict, integration_not_configured
 */
export const generate = async (deps: RemediationDeps, request: GenerateRequest): Promise<Remediation> => {
  const { viewer } = request;
  if (request.isByAi === true) await requireModel(deps, viewer.clientId);
  const started = await start(deps, request);
  const { facts, remediation, runId } = started;
  const run = { clientId: viewer.clientId, runId };
  const end = await keepRun(deps.database, run, () => endOf(deps, request, started).catch(failed));
  return deps.database.forClient(viewer.clientId, async (db) => {
    const written = await moveRemediation(db, remediation, {
      ...end,
      actor: viewer.userId,
      columns: { ...NO_MODEL, ...end.columns, branch: facts.branch, ...NO_RUN },
      guard: (inside) => holdsRun(inside, remediation, runId),
    });
    await notifyEnd(db, request, written);
    return written;
  });
};

/** Ends a generation that is under way: what it brings later is dropped. @throws remediation_not_found, conflict */
export const cancelGeneration = (
  deps: RemediationDeps,
  { viewer, id }: { viewer: Viewer; id: string },
): Promise<Remediation> =>
  deps.database.forClient(viewer.clientId, async (db) => {
    const { remediation } = await requireRemediation(db, viewer, id);
    if (remediation.processing_status !== 'processing')
      throw new AppError('conflict', msg('Nothing is being generated.'));
    const failure = msg('The generation was cancelled.');
    const columns = { ...NO_DIFF, ...NO_MODEL, failure, ...NO_RUN };
    return moveRemediation(db, remediation, { event: 'fail', actor: viewer.userId, columns, detail: failure });
  });
