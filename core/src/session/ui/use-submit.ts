import { useMachine } from '@xstate/react';
import { useEffect, useState } from 'react';
import { assign, fromPromise, setup } from 'xstate';
import { ApiError, isAbort, issuesByField, messagesOf } from '../../platform/ui/data/api-error.ts';
import { typesOf } from '../../platform/ui/data/machine-types.ts';
import { nextStepOf } from '../../platform/ui/feedback/next-step.ts';
import type { FormIssue } from '../../platform/ui/forms/form-field.tsx';

const SECOND_MS = 1_000;

interface SubmitContext<V> {
  values: V | undefined;
  issues: FormIssue[];
  waitSeconds: number;
}

type SubmitEvent<V> =
  | { type: 'SUBMIT'; values: V; issues: FormIssue[] }
  // The person mends a field: its error goes, and so do those of the whole form.
  | { type: 'EDIT'; fieldId: string };

/** Issues of a failed attempt, each tied to its control: ids of controls are the names of the body's fields. */
const formIssuesOf = (error: unknown, fallback: string | undefined): FormIssue[] => {
  const byField = Object.entries(issuesByField(error));
  if (byField.length > 0) return byField.map(([fieldId, message]) => ({ fieldId, message }));
  const hasWords = error instanceof ApiError && error.status !== 0;
  if (fallback !== undefined && !hasWords) return [{ message: fallback }];
  return messagesOf(error).map((message) => ({ message, link: nextStepOf(error) }));
};

const waitOf = (error: unknown): number => (error instanceof ApiError ? (error.retryAfterSeconds ?? 0) : 0);

/**
 * The way of a form that is sent once: editing → submitting → done; back to editing with issues, or waiting where the
 * server asked for a pause (429 with Retry-After).
 */
const createSubmitMachine = <V>(submit: (values: V, signal: AbortSignal) => Promise<void>, fallback?: string) =>
  setup({
    types: { context: typesOf<SubmitContext<V>>(), events: typesOf<SubmitEvent<V>>() },
    actors: {
      send: fromPromise<void, { values: V | undefined }>(async ({ input, signal }) => {
        if (input.values !== undefined) await submit(input.values, signal);
      }),
    },
    guards: {
      hasNoIssues: ({ event }) => event.type === 'SUBMIT' && event.issues.length === 0,
      hasToWait: ({ context }) => context.waitSeconds > 0,
    },
    actions: {
      tick: assign({ waitSeconds: ({ context }) => context.waitSeconds - 1 }),
    },
  }).createMachine({
    id: 'submit',
    initial: 'editing',
    context: { values: undefined, issues: [], waitSeconds: 0 },
    states: {
      editing: {
        on: {
          EDIT: {
            actions: assign({
              issues: ({ context, event }) =>
                context.issues.filter((issue) => issue.fieldId !== undefined && issue.fieldId !== event.fieldId),
            }),
          },
          SUBMIT: [
            {
              guard: 'hasNoIssues',
              target: 'submitting',
              actions: assign({ values: ({ event }) => event.values, issues: [] }),
            },
            { actions: assign({ issues: ({ event }) => event.issues }) },
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
              issues: isAbort(event.error) ? [] : formIssuesOf(event.error, fallback),
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

export interface SubmitForm<V> {
  /** Checks are the caller's: with issues nothing is sent. */
  submit: (values: V, issues: FormIssue[]) => void;
  /** A field changed: what was said of it no longer holds. */
  edit: (fieldId: string) => void;
  issues: FormIssue[];
  errorOf: (fieldId: string) => string | undefined;
  isSubmitting: boolean;
  /** It arrived; `onDone` has been or is about to be called. */
  isDone: boolean;
  /** Seconds until the server takes the next attempt; 0 when it does now. */
  waitSeconds: number;
}

/** Runs the submit machine for a form; `onDone` follows a success, `fallback` is said where a failure brings no words of the server. */
export function useSubmit<V>(
  send: (values: V, signal: AbortSignal) => Promise<void>,
  onDone: () => void,
  fallback?: string,
): SubmitForm<V> {
  const [machine] = useState(() => createSubmitMachine<V>(send, fallback));
  const [state, post] = useMachine(machine);
  const { issues, waitSeconds } = state.context;
  const isDone = state.matches('done');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the machine is the only occasion
  useEffect(() => {
    if (isDone) onDone();
  }, [isDone]);
  return {
    submit: (values, found) => post({ type: 'SUBMIT', values, issues: found }),
    edit: (fieldId) => post({ type: 'EDIT', fieldId }),
    issues,
    errorOf: (fieldId) => issues.find((issue) => issue.fieldId === fieldId)?.message,
    isSubmitting: state.matches('submitting'),
    isDone,
    waitSeconds: state.matches('waiting') ? waitSeconds : 0,
  };
}
