import type { Static } from 'typebox';
import type { AiUsage as AiUsageShape } from '../../remediation/api/ai-routes.ts';

type AiUsage = Static<typeof AiUsageShape>;

/** A model that can be asked, a few uses into the month; `change` says what is different. */
export const aiUsage = (change: Partial<AiUsage> = {}): AiUsage => ({
  remediation: { state: 'ready', name: 'gpt-4.1' },
  validation: { state: 'ready', name: 'gpt-4.1' },
  since: '2026-11-01T00:00:00.000Z',
  ...{ uses: 12, limit: 200, input_tokens: 34_000, output_tokens: 5000, cost_usd: 1.2 },
  ...change,
});
