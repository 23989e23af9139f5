import { isConnectorError } from '@breakwater/sdk';
import { AppError } from '../../platform/model/app-error.ts';
import { msg } from '../../platform/model/message.ts';
import type { Sentence } from '../../platform/model/sentence.ts';

/** Says why a sign-in at an identity provider does not count. */
export const refusal = (message: string | Sentence, cause?: unknown): AppError =>
  new AppError('single_sign_on_refused', message, cause === undefined ? {} : { cause });

export const NOT_BEGUN = msg(
  'This sign-in was not begun in this browser, was used already or is older than ten minutes. Begin it again.',
);

const PRIVATE = msg(
  'For a provider in your own network, the operator of Breakwater sets BREAKWATER_ALLOW_PRIVATE_HOSTS=true.',
);

/** The sentence of a request that could not leave; nothing where the failure is another. */
export const egressMessage = (error: unknown): string | undefined => {
  const cause = error instanceof Error ? error.cause : undefined;
  const found = [error, cause].find(isConnectorError);
  if (found === undefined) return undefined;
  return found.code === 'config' && /private network|by https/.test(found.message)
    ? `${found.message} ${PRIVATE}`
    : found.message;
};
