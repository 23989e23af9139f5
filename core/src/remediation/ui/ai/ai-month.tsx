import { ProgressBar } from '@blueprintjs/core';
import { formatCost } from '../../../platform/ui/display/formats.ts';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { tokensText } from './tokens-text.ts';
import { type AiUsage, useAiUsage } from './use-ai-usage.ts';

const tookText = ({ input_tokens: read, output_tokens: written, cost_usd: cost }: AiUsage): string => {
  const tokens = tokensText(read, written);
  if (cost !== null) return `${tokens}, ${formatCost(cost)}.`;
  return read + written === 0 ? `${tokens}.` : `${tokens}. ${t('Enter prices to see what they cost.')}`;
};

/** What was used of models this month, against what the plan allows. */
export function AiMonth() {
  const usage = useAiUsage();
  if (usage === undefined) return <SkeletonRows rows={2} rowHeight={24} label={t('Use of this month')} />;
  const { uses, limit } = usage;
  const isUsedUp = limit !== null && uses >= limit;
  return (
    <section className="bp6-card ai-month" aria-label={t('Use of this month')}>
      <h2>{t('This month')}</h2>
      <p>
        <span className="tn">
          {limit === null
            ? plural(uses, '{count} use', '{count} uses')
            : plural(
                limit,
                '{uses} of {count} use that the plan allows',
                '{uses} of {count} uses that the plan allows',
                {
                  uses,
                },
              )}
        </span>
        {isUsedUp && ` · ${t('used up until the 1st (UTC)')}`}
      </p>
      {limit !== null && (
        <ProgressBar
          value={limit === 0 ? 1 : Math.min(1, uses / limit)}
          intent={isUsedUp ? 'warning' : 'primary'}
          stripes={false}
          animate={false}
          aria-label={t('Uses of this month')}
          aria-valuetext={t('{uses} of {limit}', { uses, limit })}
        />
      )}
      <p className="t2 small tn">{tookText(usage)}</p>
    </section>
  );
}
