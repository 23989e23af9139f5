import { randomUUID } from 'node:crypto';
import { type Selectable, sql } from 'kysely';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import type { Db } from '../../../platform/server/database.ts';
import { type ClientEvent, publish } from '../../../platform/server/events.ts';
import type { AiCost, AiModel } from '../ai/ai-model.ts';
import type { ReadAssessment } from '../ai/read-answer.ts';
import { RunTaken } from '../remediation-store.ts';
import type { FindingAssessmentsTable } from '../tables.ts';

type StoredAssessment = Selectable<FindingAssessmentsTable>;

/** With the usernames of who asked and who dismissed it; null for who left. */
export type NamedAssessment = StoredAssessment & { asker: string | null; decider: string | null };

/** A finding, as the events about it need it. */
export interface AssessedFinding {
  clientId: string;
  findingId: string;
  /** The one that the finding lies in, or a branch of it. */
  repositoryId: string;
}

/** A run holds its finding so long; it is given the time anew while it works. */
const RUN_SECONDS = 60;
const UNTIL = sql<Date>`clock_timestamp() + make_interval(secs => ${RUN_SECONDS})`;

const publishChange = (db: Db, { clientId, ...finding }: AssessedFinding): Promise<void> =>
  publish(db, { clientId, ...assessmentEvent('assessment.changed', finding) });

/** An event about the assessment of a finding. */
export const assessmentEvent = (
  type: 'assessment.changed' | 'assessment.progress',
  { findingId, repositoryId }: Omit<AssessedFinding, 'clientId'>,
  data: object = {},
): Omit<ClientEvent, 'clientId'> => ({
  type,
  data: { finding_id: findingId, ...data },
  audience: { repositoryIds: [repositoryId] },
});

export const readAssessmentOf = (
  db: Db,
  { clientId, findingId }: Pick<AssessedFinding, 'clientId' | 'findingId'>,
): Promise<StoredAssessment | undefined> =>
  db
    .selectFrom('finding_assessments')
    .selectAll()
    .where('client_id', '=', clientId)
    .where('finding_id', '=', findingId)
    .executeTakeFirst();

/** The same with names, for people. */
export const readNamedAssessment = (
  db: Db,
  { clientId, findingId }: Pick<AssessedFinding, 'clientId' | 'findingId'>,
): Promise<NamedAssessment | undefined> =>
  db
    .selectFrom('finding_assessments as m')
    .leftJoin('users as a', (on) => on.on('a.client_id', '=', clientId).onRef('a.id', '=', 'm.created_by'))
    .leftJoin('users as d', (on) => on.on('d.client_id', '=', clientId).onRef('d.id', '=', 'm.decided_by'))
    .selectAll('m')
    .select(['a.username as asker', 'd.username as decider'])
    .where('m.client_id', '=', clientId)
    .where('m.finding_id', '=', findingId)
    .executeTakeFirst();

/** Whether a model is looking at a finding. */
export const isAssessing = async (
  db: Db,
  { clientId, findingId }: Pick<AssessedFinding, 'clientId' | 'findingId'>,
): Promise<boolean> => {
  const run = await db
    .selectFrom('assessment_runs')
    .select('run_id')
    .where('client_id', '=', clientId)
    .where('finding_id', '=', findingId)
    .where('run_until', '>', sql<Date>`clock_timestamp()`)
    .executeTakeFirst();
  return run !== undefined;
};

/** Takes a finding for one run. @returns the id of the run @throws conflict where another one has it */
export const beginRun = async (db: Db, finding: AssessedFinding, actor: string): Promise<string> => {
  const { clientId, findingId } = finding;
  const runId = randomUUID();
  const taken = await db
    .insertInto('assessment_runs')
    .values({ client_id: clientId, finding_id: findingId, run_id: runId, run_until: UNTIL, actor })
    .onConflict((conflict) =>
      conflict
        .columns(['client_id', 'finding_id'])
        .doUpdateSet({ run_id: runId, run_until: UNTIL, actor })
        .where('assessment_runs.run_until', '<', sql<Date>`clock_timestamp()`),
    )
    .returning('run_id')
    .executeTakeFirst();
  if (taken === undefined) throw new RunTaken();
  await publishChange(db, finding);
  return runId;
};

const runOf = (clientId: string, findingId: string, runId: string) =>
  sql<boolean>`client_id = ${clientId} and finding_id = ${findingId} and run_id = ${runId}`;

/** Gives a run its whole time anew. @returns whether it still has its finding */
export const extendAssessment = async (db: Db, finding: AssessedFinding, runId: string): Promise<boolean> => {
  const extended = await db
    .updateTable('assessment_runs')
    .set({ run_until: UNTIL })
    .where(runOf(finding.clientId, finding.findingId, runId))
    .executeTakeFirst();
  return extended.numUpdatedRows > 0n;
};

/** Ends a run. @returns whether it still had its finding: else what it brings is dropped */
export const endRun = async (db: Db, finding: AssessedFinding, runId: string): Promise<boolean> => {
  const ended = await db
    .deleteFrom('assessment_runs')
    .where(runOf(finding.clientId, finding.findingId, runId))
    .executeTakeFirst();
  if (ended.numDeletedRows === 0n) return false;
  await publishChange(db, finding);
  return true;
};

/** Takes a finding away from the run that has it. @throws conflict where none has it */
export const cancelRun = async (db: Db, finding: AssessedFinding): Promise<void> => {
  const cancelled = await db
    .deleteFrom('assessment_runs')
    .where('client_id', '=', finding.clientId)
    .where('finding_id', '=', finding.findingId)
    .executeTakeFirst();
  if (cancelled.numDeletedRows === 0n) throw new AppError('conflict', msg('No model is looking at this finding.'));
  await publishChange(db, finding);
};

export interface NewAssessment {
  answer: ReadAssessment;
  file: { path: string; sha256: string };
  model: AiModel;
  cost: AiCost;
  actor: string;
}

/** Keeps what a model proposes, in place of what was proposed before. */
export const keepAssessment = async (
  db: Db,
  { clientId, findingId }: AssessedFinding,
  { answer, file, model, cost, actor }: NewAssessment,
): Promise<void> => {
  const columns = {
    verdict: answer.verdict,
    confidence: answer.confidence,
    reasons: JSON.stringify(answer.reasons),
    file_path: file.path,
    file_sha256: file.sha256,
    model: model.name,
    input_tokens: cost.inputTokens,
    output_tokens: cost.outputTokens,
    cost_micros: cost.costMicros,
    state: 'proposed' as const,
    created_at: sql<Date>`clock_timestamp()`,
    created_by: actor,
    decided_at: null,
    decided_by: null,
  };
  await db
    .insertInto('finding_assessments')
    .values({ client_id: clientId, finding_id: findingId, ...columns })
    .onConflict((conflict) => conflict.columns(['client_id', 'finding_id']).doUpdateSet(columns))
    .execute();
};

/** Marks a proposal as of no use; twice is once. @throws conflict where there is none */
export const markDismissed = async (db: Db, finding: AssessedFinding, actor: string): Promise<void> => {
  const known = await readAssessmentOf(db, finding);
  if (known === undefined) throw new AppError('conflict', msg('No model has proposed anything about this finding.'));
  if (known.state === 'dismissed') return;
  await db
    .updateTable('finding_assessments')
    .set({ state: 'dismissed', decided_at: sql<Date>`clock_timestamp()`, decided_by: actor })
    .where('client_id', '=', finding.clientId)
    .where('finding_id', '=', finding.findingId)
    .execute();
  await publishChange(db, finding);
};
