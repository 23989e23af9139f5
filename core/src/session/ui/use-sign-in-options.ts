import { useEffect, useState } from 'react';
import type { Static } from 'typebox';
import { API } from '../../platform/ui/data/api-client.ts';
import { isAbort } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { getSignInOptions, type SignInOptions } from '../api/routes.ts';

export interface SignInOptionsState {
  /** Nothing while they are read. */
  options: Static<typeof SignInOptions> | undefined;
  error: unknown;
  onRetry: () => void;
}

/** What this installation offers to who is not signed in. */
export function useSignInOptions(): SignInOptionsState {
  const api = useService(API);
  const [attempt, setAttempt] = useState(0);
  const [options, setOptions] = useState<Static<typeof SignInOptions>>();
  const [error, setError] = useState<unknown>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: read again when the person asks for it
  useEffect(() => {
    const leaving = new AbortController();
    api
      .call(getSignInOptions, { signal: leaving.signal })
      .then(({ data }) => setOptions(data))
      .catch((failure: unknown) => {
        if (!isAbort(failure)) setError(failure);
      });
    return () => leaving.abort();
  }, [api, attempt]);
  const onRetry = () => {
    setError(undefined);
    setAttempt(attempt + 1);
  };
  return { options, error, onRetry };
}
