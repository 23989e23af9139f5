import { useMachine } from '@xstate/react';
import { useEffect, useState } from 'react';
import type { FormIssue } from '../../platform/ui/form-summary.tsx';
import { createSubmitMachine } from './submit.machine.ts';

export interface SubmitForm<V> {
  /** Checks are the caller's: with faults nothing is sent. */
  submit: (values: V, faults: FormIssue[]) => void;
  /** A field changed: what was said of it no longer holds. */
  edit: (fieldId: string) => void;
  faults: FormIssue[];
  errorOf: (fieldId: string) => string | undefined;
  isSubmitting: boolean;
  /** It arrived; `onDone` has been or is about to be called. */
  isDone: boolean;
  /** Seconds until the server takes the next attempt; 0 when it does now. */
  waitSeconds: number;
}

/** Runs the submit machine for a form; `onDone` follows a success. */
export function useSubmit<V>(
  send: (values: V, signal: AbortSignal) => Promise<void>,
  onDone: () => void,
): SubmitForm<V> {
  const [machine] = useState(() => createSubmitMachine<V>(send));
  const [state, post] = useMachine(machine);
  const { faults, waitSeconds } = state.context;
  const isDone = state.matches('done');
  // biome-ignore lint/correctness/useExhaustiveDependencies: the end of the machine is the only occasion
  useEffect(() => {
    if (isDone) onDone();
  }, [isDone]);
  return {
    submit: (values, found) => post({ type: 'SUBMIT', values, faults: found }),
    edit: (fieldId) => post({ type: 'EDIT', fieldId }),
    faults,
    errorOf: (fieldId) => faults.find((fault) => fault.fieldId === fieldId)?.message,
    isSubmitting: state.matches('submitting'),
    isDone,
    waitSeconds: state.matches('waiting') ? waitSeconds : 0,
  };
}
