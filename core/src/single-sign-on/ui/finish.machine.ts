import type { Static } from 'typebox';
import { assign, fromPromise, setup } from 'xstate';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { typesOf } from '../../platform/ui/data/machine-types.ts';
import type { TestOutcome } from '../api/routes.ts';

export type Outcome = Static<typeof TestOutcome>;

/** What the server says of an answer of an identity provider. */
export interface Finished {
  return_path: string;
  /** Set for a test, which signs nobody in. */
  test: Outcome | null;
}

interface FinishContext {
  returnPath: string;
  test: Outcome | null;
  /** Why it was refused. */
  messages: string[];
  /** Who comes back here signed in was testing. */
  isSignedIn: boolean;
}

/** The way back from an identity provider: finishing → signed in, tested or refused. Nothing is sent twice: an answer counts once. */
export const createFinishMachine = (finish: () => Promise<Finished>, refresh: () => Promise<boolean>) =>
  setup({
    types: { context: typesOf<FinishContext>() },
    actors: { finish: fromPromise(finish), refresh: fromPromise(refresh) },
  }).createMachine({
    id: 'finish-single-sign-on',
    initial: 'finishing',
    context: { returnPath: '/', test: null, messages: [], isSignedIn: false },
    states: {
      finishing: {
        invoke: {
          src: 'finish',
          onDone: [
            {
              guard: ({ event }) => event.output.test !== null,
              target: 'tested',
              actions: assign({ test: ({ event }) => event.output.test }),
            },
            { target: 'entering', actions: assign({ returnPath: ({ event }) => event.output.return_path }) },
          ],
          onError: { target: 'lookingWho', actions: assign({ messages: ({ event }) => messagesOf(event.error) }) },
        },
      },
      entering: {
        invoke: {
          src: 'refresh',
          onDone: 'signedIn',
          onError: { target: 'refused', actions: assign({ messages: ({ event }) => messagesOf(event.error) }) },
        },
      },
      lookingWho: {
        invoke: {
          src: 'refresh',
          onDone: { target: 'refused', actions: assign({ isSignedIn: ({ event }) => event.output }) },
          onError: 'refused',
        },
      },
      signedIn: { type: 'final' },
      tested: { type: 'final' },
      refused: { type: 'final' },
    },
  });
