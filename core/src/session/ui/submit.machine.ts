import { assign, fromPromise, setup } from 'xstate';
import { ApiError, faultsByField, isAbort, messagesOf } from '../../platform/ui/api-error.ts';
import type { FormIssue } from '../../platform/ui/form-summary.tsx';
import { typesOf } from '../../platform/ui/machine-types.ts';

const SECOND_MS = 1_000;

interface SubmitContext<V> {
  values: V | undefined;
  faults: FormIssue[];
  waitSeconds: number;
}

type SubmitEvent<V> =
  | { type: 'SUBMIT'; values: V; faults: FormIssue[] }
  // The person mends a field: its fault goes, and so do those of the whole form.
  | { type: 'EDIT'; fieldId: string };

/** Faults of a failed attempt, each tied to its control: ids of controls are the names of the body's fields. */
export const formFaultsOf = (error: unknown): FormIssue[] => {
  const byField = Object.entries(faultsByField(error));
  if (byField.length > 0) return byField.map(([fieldId, message]) => ({ fieldId, message }));
  return messagesOf(error).map((message) => ({ message }));
};

const waitOf = (error: unknown): number => (error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0);

/**
 * The way of a form that is sent once: editing → submitting → done; back to editing with faults, or waiting where the
 * server asked for a pause (429 with Retry-After).
 */
export const createSubmitMachine = <V>(submit: (values: V, signal: AbortSignal) => Promise<void>) =>
  setup({
    types: { context: typesOf<SubmitContext<V>>(), events: typesOf<SubmitEvent<V>>() },
    actors: {
      send: fromPromise<void, { values: V | undefined }>(async ({ input, signal }) => {
        if (input.values !== undefined) await submit(input.values, signal);
      }),
    },
    guards: {
      isFaultless: ({ event }) => event.type === 'SUBMIT' && event.faults.length === 0,
      hasToWait: ({ context }) => context.waitSeconds > 0,
    },
    actions: {
      tick: assign({ waitSeconds: ({ context }) => context.waitSeconds - 1 }),
    },
  }).createMachine({
    id: 'submit',
    initial: 'editing',
    context: { values: undefined, faults: [], waitSeconds: 0 },
    states: {
      editing: {
        on: {
          EDIT: {
            actions: assign({
              faults: ({ context, event }) =>
                context.faults.filter((fault) => fault.fieldId !== undefined && fault.fieldId !== event.fieldId),
            }),
          },
          SUBMIT: [
            {
              guard: 'isFaultless',
              target: 'submitting',
              actions: assign({ values: ({ event }) => event.values, faults: [] }),
            },
            { actions: assign({ faults: ({ event }) => event.faults }) },
          ],
        },
      },
      submitting: {
        invoke: {
          src: 'send',
          input: ({ context }) => ({ values: context.values }),
          onDone: 'done',
          onError: {
            target: 'refused',
            actions: assign(({ event }) => ({
              faults: isAbort(event.error) ? [] : formFaultsOf(event.error),
              waitSeconds: waitOf(event.error),
            })),
          },
        },
      },
      refused: { always: [{ guard: 'hasToWait', target: 'waiting' }, { target: 'editing' }] },
      waiting: {
        after: { [SECOND_MS]: { target: 'refused', actions: 'tick' } },
      },
      done: { type: 'final' },
    },
  });
