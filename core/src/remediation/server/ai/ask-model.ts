import { setTimeout as sleep } from 'node:timers/promises';
import { type ChatMessage, isConnectorError } from '@breakwater/sdk';
import { AppError } from '../../../platform/model/app-error.ts';
import { msg } from '../../../platform/model/message.ts';
import { say } from '../../../platform/model/sentence.ts';
import type { RemediationDeps } from '../source-files.ts';
import { type AiAnswer, type AiModel, collectAnswer } from './ai-model.ts';

const MAX_OUTPUT_TOKENS = 4000;
/** Far more than so many tokens have. */
const MAX_ANSWER_LENGTH = 100_000;
/** A longer Retry-After is not waited for: the person is told when to come back. */
const MAX_WAIT_MS = 15_000;

interface Question {
  clientId: string;
  model: AiModel;
  messages: readonly ChatMessage[];
  signal: AbortSignal;
  /** How many characters have arrived. */
  onText: (length: number) => void;
}

const inWords = (waitMs: number): string => {
  const seconds = Math.max(1, Math.ceil(waitMs / 1000));
  if (seconds < 120) return `${seconds} ${seconds === 1 ? 'second' : 'seconds'}`;
  return `${Math.ceil(seconds / 60)} minutes`;
};

/** Asked once more where the service says to come back soon. */
const withOneWait = async <T>(signal: AbortSignal, work: () => Promise<T>): Promise<T> => {
  try {
    return await work();
  } catch (error) {
    const waitMs = isConnectorError(error) && error.code === 'rate_limited' ? error.retryAfterMs : undefined;
    if (waitMs === undefined || waitMs > MAX_WAIT_MS) throw error;
    await sleep(waitMs, undefined, { signal });
    return work();
  }
};

/**
 * Asks a model, outside any transaction. A service that is asked too often pauses its connection for as long as it says.
 * @throws integration_not_configured, conflict, connection_expired, upstream_failed with the reason
 */
export const askModel = async (deps: RemediationDeps, question: Question): Promise<AiAnswer> => {
  const { clientId, model, messages, signal, onText } = question;
  const { connectorId, name } = model;
  const remediator = await deps.connections.capability({ clientId, connectorId }, 'remediator');
  if (remediator === null) throw new AppError('integration_not_configured', msg('No AI remediator is configured.'));
  const asked = messages.map(({ content }) => content).join('\n');
  let limited: { waitMs: number | undefined } | undefined;
  const ask = async (ctx: Parameters<typeof remediator.complete>[0]): Promise<AiAnswer> => {
    try {
      return await withOneWait(ctx.signal, () => {
        const request = { model: name, messages, maxOutputTokens: MAX_OUTPUT_TOKENS };
        return collectAnswer(remediator.complete(ctx, request), asked, { maxLength: MAX_ANSWER_LENGTH, onText });
      });
    } catch (error) {
      if (isConnectorError(error) && error.code === 'rate_limited') limited = { waitMs: error.retryAfterMs };
      throw error;
    }
  };
  try {
    return await deps.connections.use({ clientId, connectorId }, ask, { timeoutMs: deps.aiTimeoutMs, signal });
  } catch (error) {
    if (limited === undefined) throw error;
    const when = limited.waitMs === undefined ? 'later' : `in ${inWords(limited.waitMs)}`;
    throw new AppError('upstream_failed', say('{name} was asked too often. Try again {when}.', { name, when }), {
      cause: error,
    });
  }
};
