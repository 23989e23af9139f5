import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { formatChange, formatNumber, formatUsd } from '../../platform/ui/display/formats.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import type { PlanItem, PlansStore } from './plans.store.ts';

interface PlanCardProps {
  store: PlansStore;
  plan: PlanItem;
  isCurrent: boolean;
  /** What can be done with it. */
  actions: ReactNode;
}

const limitTexts = ({ repositories, developers, remediations }: PlanItem['attributes']['limits']): string[] => [
  repositories === null
    ? t('Any number of repositories')
    : plural(repositories, '{count} repository', '{count} repositories'),
  developers === null ? t('Any number of people') : plural(developers, '{count} person', '{count} people'),
  remediations === null
    ? t('Any number of remediations by AI')
    : t('{count} remediations by AI a month', { count: formatNumber(remediations) }),
];

/** One plan: what it costs, what it allows, what is in it. */
export const PlanCard = observer(function PlanCard({ store, plan, isCurrent, actions }: PlanCardProps) {
  const { title, description, limits, features, interval, yearly_discount } = plan.attributes;
  const price = store.priceOf(plan);
  const hasDiscount = price.interval === 'year' && interval === 'month' && price.amountCents > 0;
  return (
    <section className={isCurrent ? 'bp6-card plan-card is-current' : 'bp6-card plan-card'} aria-label={title}>
      <div className="row plan-title">
        <h2>{title}</h2>
        {isCurrent && <span className="plan-mark">{t('Your plan')}</span>}
      </div>
      <p className="plan-price">
        <b className="tn">{formatUsd(price.amountCents)}</b>
        <span className="muted small">{price.interval === 'year' ? t('a year') : t('a month')}</span>
        {hasDiscount && <span className="plan-discount small">{formatChange(-yearly_discount)}</span>}
      </p>
      {description !== '' && <p className="t2">{description}</p>}
      <ul className="plan-features">
        {[...limitTexts(limits), ...features].map((text) => (
          <li key={text}>{text}</li>
        ))}
      </ul>
      <div className="row plan-actions">{actions}</div>
    </section>
  );
});
