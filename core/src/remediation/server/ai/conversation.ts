import type { ChatMessage, TokenUsage } from '@breakwater/sdk';
import { AppError } from '../../../platform/model/app-error.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { RemediationDeps } from '../source-files.ts';
import { type AiAnswer, type AiCost, type AiModel, costOf } from './ai-model.ts';
import { endUse } from './ai-uses.ts';
import { askModel } from './ask-model.ts';
import { repairPrompt } from './prompt.ts';
import { AnswerProblem } from './read-answer.ts';

/** What a question is asked with. */
export interface Asking {
  clientId: string;
  model: AiModel;
  /** Where its tokens are counted. */
  useId: string;
  signal: AbortSignal;
  onText: (length: number) => void;
  /** It is asked once more, because of this. */
  onRepair?: (problem: string) => void;
}

/** What came of a question: what was read of an answer, or why none could be used. */
export type Outcome<T> = ({ value: T } | { problem: string }) & {
  cost: AiCost;
  /** What was wrong with the first answer; null where there was one alone. */
  repaired: string | null;
};

/** The first answer and one more with what was wrong with it. */
const ROUNDS = 2;

const requireWhole = ({ end, usage }: AiAnswer, model: AiModel): void => {
  if (end === 'filter')
    throw new AppError('upstream_failed', say('The provider of {name} withheld the answer.', { name: model.name }));
  if (end === 'length')
    throw new AnswerProblem(
      say('it was cut off after {tokens} tokens; answer with less text.', { tokens: String(usage.outputTokens) }),
    );
};

/**
 * Asks a model and reads its answer, once more where it cannot be used. What was used is counted whatever comes of it.
 * @throws AppError as `askModel` does
 */
export const converse = async <T>(
  deps: RemediationDeps,
  asking: Asking,
  { prompt, read }: { prompt: readonly ChatMessage[]; read: (text: string) => Promise<T> },
): Promise<Outcome<T>> => {
  const { clientId, model, useId, signal, onText, onRepair } = asking;
  let used: TokenUsage = { inputTokens: 0, outputTokens: 0 };
  let messages = prompt;
  let problem = '';
  let repaired: string | null = null;
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      if (round > 0) {
        repaired = problem;
        onRepair?.(problem);
      }
      const answer = await askModel(deps, { clientId, model, messages, signal, onText });
      used = {
        inputTokens: used.inputTokens + answer.usage.inputTokens,
        outputTokens: used.outputTokens + answer.usage.outputTokens,
      };
      try {
        requireWhole(answer, model);
        return { value: await read(answer.text), cost: costOf(model, used), repaired };
      } catch (error) {
        if (!(error instanceof AnswerProblem)) throw error;
        problem = error.message;
        messages = repairPrompt(prompt, answer.text, problem);
      }
    }
    return { problem, cost: costOf(model, used), repaired };
  } finally {
    await deps.database.forClient(clientId, (db) => endUse(db, { clientId, id: useId }, costOf(model, used)));
  }
};
