import { randomBytes } from 'node:crypto';
import { type FixFacts, readFixFactsOfFile, type Viewer } from '../../../findings/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { ChangeFix, FixPlan, NoFixReason } from '../../model/fix.ts';
import { quotedText, titleLine } from '../../model/issue-text.ts';
import { type RedactedCode, redactCode } from '../../model/redact-code.ts';
import { fixFindingOf } from '../fix-engine.ts';
import { isSecret } from '../fixes/pipelines/secret-checklists.ts';
import { extendRun, type Remediation } from '../remediation-store.ts';
import { atProvider, type RemediationDeps, readFiles, type SourceFile } from '../source-files.ts';
import { type AiCost, type AiModel, readModel } from './ai-model.ts';
import { beginUse, readUse } from './ai-uses.ts';
import { windowOf } from './code-window.ts';
import { converse } from './conversation.ts';
import { fixPrompt } from './prompt.ts';
import { AnswerProblem, applyEdits, type FixAnswer, readFixAnswer, restoreEdits } from './read-answer.ts';
import { checkSyntax } from './syntax.ts';
import { type Lease, whileHeld } from './while-held.ts';

/** Findings without a fix for which a model is asked by itself; of the others a change of the one file would be no fix. */
const FOR_AI: readonly NoFixReason[] = ['no_template', 'needs_code_change', 'place_not_found'];

/** Whether a model is asked where the engine without AI has no fix. */
export const isForAi = (plan: FixPlan): boolean => plan.kind === 'none' && FOR_AI.includes(plan.reason);

/** Larger ones were not written by people, and are parsed in this process. In characters. */
const MAX_FILE_LENGTH = 400_000;

export interface AiOrder {
  viewer: Viewer;
  facts: FixFacts;
  remediation: Remediation;
  runId: string;
}

/** A plan by a model with what it took, or why the plan of the organisation allows none. */
export type AiFix =
  | {
      plan: FixPlan;
      files: SourceFile[];
      model: AiModel;
      cost: AiCost;
      /** What was wrong with the first answer; null where there was one alone. */
      repaired: string | null;
    }
  | { exceeded: string };

const NO_PROVIDER = msg('No AI remediator is configured: an admin connects one under Connectors.');

/** Asked for by a person: there must be a model. @throws integration_not_configured */
export const requireModel = async (deps: RemediationDeps, clientId: string): Promise<void> => {
  const model = await deps.database.forClient(clientId, (db) =>
    readModel(db, deps, { clientId, purpose: 'remediation' }),
  );
  if (model === undefined) throw new AppError('integration_not_configured', NO_PROVIDER);
};

/** A file that a model may read. */
export interface AiSubject {
  file: SourceFile;
  path: string;
  /** As it is: never sent. */
  content: string;
  /** What is sent of it. */
  shown: RedactedCode;
}

/** The file without what scanners and patterns take for secrets. */
const redacted = async (
  deps: RemediationDeps,
  clientId: string,
  { facts, path, content }: { facts: FixFacts; path: string; content: string },
): Promise<RedactedCode> => {
  const others = await deps.database.forClient(clientId, (db) => readFixFactsOfFile(db, clientId, facts));
  const secretLines = new Set<number>();
  for (const { startLine, endLine, ...other } of others) {
    if (startLine === null || !isSecret(fixFindingOf({ startLine, endLine, ...other }))) continue;
    for (let line = startLine; line <= (endLine ?? startLine); line += 1) secretLines.add(line);
  }
  return redactCode(content, { path, secretLines, mark: randomBytes(6).toString('hex') });
};

/** The file of a finding that a model may read. @throws conflict with the reason why there is none */
export const readSubject = async (deps: RemediationDeps, clientId: string, facts: FixFacts): Promise<AiSubject> => {
  const path = facts.file ?? '';
  if (path === '') throw new AppError('conflict', msg('The report names no file that a model could look at.'));
  if (isSecret(fixFindingOf(facts)))
    throw new AppError('conflict', msg('Its code holds a secret, which is not sent to a model. Rotate it instead.'));
  const [file] = await atProvider(deps, clientId, facts, (step) => readFiles(step, facts.branch, [path]));
  if (file === undefined || file.content === null)
    throw new AppError(
      'conflict',
      say('“{path}” is not in the repository at {branch}.', { path, branch: facts.branch }),
    );
  const { content } = file;
  if (content.length > MAX_FILE_LENGTH)
    throw new AppError(
      'conflict',
      say('“{path}” is larger than the {most} characters that a model may read.', { path, most: MAX_FILE_LENGTH }),
    );
  return { file, path, content, shown: await redacted(deps, clientId, { facts, path, content }) };
};

const NOT_PARSED = msg('The syntax of this kind of file was not checked: look at the change closely.');
const BY_A_MODEL = msg('Written by a model: look at every line before you open the pull request.');

/** A change of the file, or the reason why the model gives none. @throws AnswerProblem */
const readFix = async (
  text: string,
  file: AiSubject,
): Promise<{ answer: FixAnswer; after: string; isParsed: boolean } | { cannotFix: string }> => {
  const answer = readFixAnswer(text);
  if ('cannotFix' in answer) return answer;
  const after = applyEdits(file, restoreEdits(answer.edits, file.shown));
  const syntax = await checkSyntax(file.path, { before: file.content, after });
  if (typeof syntax === 'object') throw new AnswerProblem(syntax.problem);
  return { answer, after, isParsed: syntax === 'sound' };
};

const planOf = (
  { facts, path, content }: { facts: FixFacts; path: string; content: string },
  { answer, after, isParsed }: { answer: FixAnswer; after: string; isParsed: boolean },
): ChangeFix => ({
  kind: 'change',
  title: `Fix: ${titleLine(facts.title)}`,
  // what a model wrote is text in a pull request, never Markdown: it may have been told to mention people or to close issues
  description: [BY_A_MODEL, quotedText(`${answer.summary}\n\n${answer.explanation}`)].join('\n\n'),
  group: { key: `ai:${facts.ruleId}`, label: facts.title },
  closes: [facts.id],
  changes: [{ path, before: content, after }],
  isBreaking: false,
  staleLocks: [],
  remaining: [BY_A_MODEL, ...(isParsed ? [] : [NOT_PARSED])],
});

const none = (detail: string): FixPlan => ({ kind: 'none', reason: 'no_usable_answer', detail });

const leaseOf = ({ remediation, runId }: AiOrder, model: AiModel): Lease => ({
  clientId: remediation.client_id,
  extend: (db) => extendRun(db, remediation, runId),
  eventOf: (progress) => ({
    type: 'remediation.progress',
    data: { remediation_id: remediation.id, finding_id: remediation.finding_id, model: model.name, ...progress },
    audience: { repositoryIds: [remediation.repository_id] },
  }),
});

/**
 * Asks the organisation's model for the fix of a finding. @returns nothing where no model is configured
 * @throws AppError with the reason why nobody was asked
 */
export const writeFix = async (deps: RemediationDeps, order: AiOrder): Promise<AiFix | undefined> => {
  const { viewer, facts } = order;
  const { clientId, userId: actor } = viewer;
  const model = await deps.database.forClient(clientId, (db) =>
    readModel(db, deps, { clientId, purpose: 'remediation' }),
  );
  if (model === undefined) return undefined;
  const subject = await readSubject(deps, clientId, facts);
  const use = await deps.database.forClient(clientId, (db) =>
    beginUse(db, deps, { clientId, purpose: 'remediation', findingId: facts.id, model, actor }),
  );
  if ('exceeded' in use) return use;
  const { path, shown } = subject;
  const prompt = fixPrompt({ facts, path, code: windowOf(shown, facts), secrets: shown.secrets });
  const asking = { clientId, model, useId: use.id };
  const failed = async (error: unknown) => {
    // who is refused by the model's service has asked that model all the same
    if (!(error instanceof AppError)) throw error;
    const cost = await deps.database.forClient(clientId, (db) => readUse(db, { clientId, id: use.id }));
    return { refusal: error.message, cost, repaired: null };
  };
  const outcome = await whileHeld(deps, leaseOf(order, model), (held) =>
    converse(deps, { ...asking, ...held }, { prompt, read: (text) => readFix(text, subject) }),
  ).catch(failed);
  const made = { files: [subject.file], model, cost: outcome.cost, repaired: outcome.repaired };
  if ('refusal' in outcome) return { ...made, plan: none(outcome.refusal) };
  if ('problem' in outcome)
    return {
      ...made,
      plan: none(
        sayEnglish('{name} gave no answer that could be used: {problem}', {
          name: model.name,
          problem: outcome.problem,
        }),
      ),
    };
  const { value } = outcome;
  if ('cannotFix' in value)
    return {
      ...made,
      plan: none(
        sayEnglish('{name} says that it cannot fix this: {why}', {
          name: model.name,
          why: value.cannotFix.slice(0, 500),
        }),
      ),
    };
  return { ...made, plan: planOf({ facts, ...subject }, value) };
};
