import { type FixFacts, readFixFacts, type Viewer } from '../../../findings/server/index.ts';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { Db } from '../../../platform/server/database.ts';
import type { AssessmentAvailability } from '../../model/assessment.ts';
import { type AiModel, readModel } from '../ai/ai-model.ts';
import { beginUse, quotaExceeded } from '../ai/ai-uses.ts';
import { windowOf } from '../ai/code-window.ts';
import { converse } from '../ai/conversation.ts';
import { assessmentPrompt } from '../ai/prompt.ts';
import { readAssessment } from '../ai/read-answer.ts';
import { type Progress, whileHeld } from '../ai/while-held.ts';
import { readSubject } from '../ai/write-fix.ts';
import type { RemediationDeps } from '../source-files.ts';
import {
  type AssessedFinding,
  assessmentEvent,
  beginRun,
  endRun,
  extendAssessment,
  keepAssessment,
  type NewAssessment,
  readAssessmentOf,
} from './assessment-store.ts';

const OFF = msg('False-positive analysis by AI is switched off: an admin switches it on in the settings of AI.');
const NO_MODEL = msg('No model is configured for it: an admin connects AI validation or the AI remediator.');
const CANCELLED = msg('The analysis was cancelled.');

/** The finding of an address, for a viewer. @throws finding_not_found */
export const requireFacts = async (db: Db, viewer: Viewer, id: string): Promise<FixFacts> => {
  const facts = await readFixFacts(db, { viewer, id });
  if (facts === undefined) throw new AppError('finding_not_found');
  return facts;
};

export const assessedFinding = (clientId: string, facts: FixFacts): AssessedFinding => ({
  clientId,
  findingId: facts.id,
  repositoryId: facts.scopeRepositoryId,
});

export type Availability =
  | { availability: 'available'; model: AiModel }
  | { availability: Exclude<AssessmentAvailability, 'available'>; why: string };

/** Whether a model can be asked about findings of an organisation, or why not. */
export const readAvailability = async (db: Db, deps: RemediationDeps, clientId: string): Promise<Availability> => {
  const client = await db
    .selectFrom('clients')
    .select('enable_false_positive_analysis as isOn')
    .where('id', '=', clientId)
    .executeTakeFirst();
  if (client?.isOn !== true) return { availability: 'off', why: OFF };
  const model = await readModel(db, deps, { clientId, purpose: 'validation' });
  if (model === undefined) return { availability: 'not_configured', why: NO_MODEL };
  const why = await quotaExceeded(db, deps, clientId);
  return why === undefined ? { availability: 'available', model } : { availability: 'used_up', why };
};

const CODES = { off: 'conflict', not_configured: 'integration_not_configured', used_up: 'forbidden' } as const;

/** The model that looks at findings. @throws conflict where it is switched off, integration_not_configured, forbidden without uses left */
export const requireAssessor = async (db: Db, deps: RemediationDeps, clientId: string): Promise<AiModel> => {
  const found = await readAvailability(db, deps, clientId);
  if (found.availability === 'available') return found.model;
  throw new AppError(CODES[found.availability], found.why);
};

interface Question {
  viewer: Viewer;
  facts: FixFacts;
  model: AiModel;
  runId: string;
  /** The proposal of before stays where its file has not changed. */
  keepsCurrent: boolean;
}

/** What the model proposes; undefined where it has seen the very same file. @throws AppError with the reason why there is nothing */
const ask = async (deps: RemediationDeps, question: Question): Promise<NewAssessment | undefined> => {
  const { viewer, facts, model, runId } = question;
  const { clientId, userId: actor } = viewer;
  const finding = assessedFinding(clientId, facts);
  const { path, shown, file } = await readSubject(deps, clientId, facts);
  const sha256 = file.sha256 ?? '';
  const use = await deps.database.forClient(clientId, async (db) => {
    const known = question.keepsCurrent ? await readAssessmentOf(db, finding) : undefined;
    if (known?.file_sha256 === sha256 && known.file_path === path) return undefined;
    return beginUse(db, deps, { clientId, purpose: 'validation', findingId: facts.id, model, actor });
  });
  if (use === undefined) return undefined;
  if ('exceeded' in use) throw new AppError('forbidden', use.exceeded);
  const code = windowOf(shown, facts);
  const lease = {
    clientId,
    extend: (db: Db) => extendAssessment(db, finding, runId),
    eventOf: ({ characters }: Progress) => assessmentEvent('assessment.progress', finding, { characters }),
  };
  const outcome = await whileHeld(deps, lease, (held) =>
    converse(
      deps,
      { clientId, model, useId: use.id, ...held },
      {
        prompt: assessmentPrompt({ facts, path, code, secrets: shown.secrets }),
        read: async (text) => readAssessment(text, { path, code }),
      },
    ),
  );
  if ('problem' in outcome)
    throw new AppError(
      'upstream_failed',
      say('{name} gave no answer that could be used: {problem}', { name: model.name, problem: outcome.problem }),
    );
  return { answer: outcome.value, file: { path, sha256 }, model, cost: outcome.cost, actor };
};

/**
 * Asks the organisation's model whether a finding is a false positive, and keeps what it proposes. Nothing of the finding is changed.
 * @throws finding_not_found, conflict, integration_not_configured, forbidden, upstream_failed
 */
export const assess = async (
  deps: RemediationDeps,
  { viewer, findingId, keepsCurrent = false }: { viewer: Viewer; findingId: string; keepsCurrent?: boolean },
): Promise<void> => {
  const { clientId } = viewer;
  const { facts, finding, ...started } = await deps.database.forClient(clientId, async (db) => {
    const facts = await requireFacts(db, viewer, findingId);
    const model = await requireAssessor(db, deps, clientId);
    if (facts.status === 'mitigated') throw new AppError('conflict', msg('The finding is fixed already.'));
    const finding = assessedFinding(clientId, facts);
    return { facts, finding, model, runId: await beginRun(db, finding, viewer.userId) };
  });
  const end = (work: (db: Db) => Promise<void>): Promise<void> =>
    deps.database.forClient(clientId, async (db) => {
      if (!(await endRun(db, finding, started.runId))) throw new AppError('conflict', CANCELLED);
      await work(db);
    });
  let made: NewAssessment | undefined;
  try {
    made = await ask(deps, { viewer, facts, ...started, keepsCurrent });
  } catch (error) {
    await end(async () => undefined);
    throw error;
  }
  await end(async (db) => {
    if (made !== undefined) await keepAssessment(db, finding, made);
  });
};
