import { ProgressBar } from '@blueprintjs/core';
import { formatAmount, formatCost, formatNumber } from '../../../platform/ui/display/formats.ts';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { type AiUsage, useAiUsage } from './use-ai-usage.ts';

const tookText = ({ input_tokens: read, output_tokens: written, cost_usd: cost }: AiUsage): string => {
  const tokens = `${formatAmount(read, 'token')} read, ${formatAmount(written, 'token')} written`;
  if (cost !== null) return `${tokens}, ${formatCost(cost)}.`;
  return read + written === 0 ? `${tokens}.` : `${tokens}. Enter prices to see what they cost.`;
};

/** What was used of models this month, against what the plan allows. */
export function AiMonth() {
  const usage = useAiUsage();
  if (usage === undefined) return <SkeletonRows rows={2} rowHeight={24} label="Use of this month" />;
  const { uses, limit } = usage;
  const isUsedUp = limit !== null && uses >= limit;
  return (
    <section className="bp6-card ai-month" aria-label="Use of this month">
      <h2>This month</h2>
      <p>
        <span className="strong tn">{formatNumber(uses)}</span>
        {limit === null ? ` ${uses === 1 ? 'use' : 'uses'}` : ` of ${formatAmount(limit, 'use')} that the plan allows`}
        {isUsedUp && ': used up until the 1st (UTC)'}
      </p>
      {limit !== null && (
        <ProgressBar
          value={limit === 0 ? 1 : Math.min(1, uses / limit)}
          intent={isUsedUp ? 'warning' : 'primary'}
          stripes={false}
          animate={false}
          aria-label="Uses of this month"
          aria-valuetext={`${formatNumber(uses)} of ${formatNumber(limit)}`}
        />
      )}
      <p className="t2 small tn">{tookText(usage)}</p>
    </section>
  );
}
