import { useEffect, useState } from 'react';
import type { Static } from 'typebox';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { type AiUsage as AiUsageShape, getAiUsage } from '../../api/ai-routes.ts';

export type AiUsage = Static<typeof AiUsageShape>;

/**
 * Whether models can be asked and what was used of them; read again whenever `since` is another value.
 * @returns undefined until it is read, and where it cannot be: then nobody is offered a model
 */
export const useAiUsage = (since?: unknown): AiUsage | undefined => {
  const api = useService(API);
  const [usage, setUsage] = useState<AiUsage>();
  // biome-ignore lint/correctness/useExhaustiveDependencies: another value of `since` asks for another reading
  useEffect(() => {
    const abort = new AbortController();
    api.call(getAiUsage, { signal: abort.signal }).then(
      ({ data }) => setUsage(data),
      () => undefined,
    );
    return () => abort.abort();
  }, [api, since]);
  return usage;
};
