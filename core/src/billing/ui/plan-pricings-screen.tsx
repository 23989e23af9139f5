import { Button, SegmentedControl } from '@blueprintjs/core';
import { Plus } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { FREE_TIER } from '../model/plans.ts';
import { BillingForm, Invoices, PlanUse } from './own-plan.tsx';
import { PlanCard } from './plan-card.tsx';
import { PlanDialog } from './plan-dialog.tsx';
import { type PlanItem, PlansStore } from './plans.store.ts';
import './billing.css';

interface ActionsProps {
  store: PlansStore;
  plan: PlanItem;
}

/** What an admin does with a plan. */
const ChoosePlan = observer(function ChoosePlan({ store, plan }: ActionsProps) {
  const toasts = useService(TOASTS);
  const [isAsking, setIsAsking] = useState(false);
  const { own } = store;
  const { tier, title, prices } = plan.attributes;
  const isBusy = store.busyPlan === plan._id;
  const label = t('Choose {plan}', { plan: title });
  if (own === undefined || own.tier === tier || own.marketplace !== null) return null;
  if (tier === FREE_TIER) {
    const choose = () =>
      void store.chooseFree(plan).then(
        () => setIsAsking(false),
        (failure: unknown) => toasts.showError(failure),
      );
    return (
      <>
        <Button text={label} onClick={() => setIsAsking(true)} />
        <ActionDialog
          isOpen={isAsking}
          title={label}
          consequence={t('What is paid for stays until the end of its period. Nothing that you have is deleted.')}
          actionLabel={label}
          isBusy={isBusy}
          onAction={choose}
          onClose={() => setIsAsking(false)}
        />
      </>
    );
  }
  if (!own.is_payment_configured || prices[store.priceOf(plan).interval] === null) {
    return <p className="muted small">{t('It cannot be bought on this server now.')}</p>;
  }
  const buy = () =>
    void store.buy(plan).then(
      (url) => window.location.assign(url),
      (failure: unknown) => toasts.showError(failure),
    );
  return <Button intent="primary" text={label} loading={isBusy} onClick={buy} />;
});

/** What a superadmin does with a plan. */
const ManagePlan = observer(function ManagePlan({ store, plan }: ActionsProps) {
  const toasts = useService(TOASTS);
  const [asked, setAsked] = useState<'change' | 'delete'>();
  const { tier, title, prices, amount_cents } = plan.attributes;
  const isSold = prices.month !== null || prices.year !== null;
  const close = () => setAsked(undefined);
  const run = (work: Promise<void>) => void work.then(close, (failure: unknown) => toasts.showError(failure));
  return (
    <>
      <Button text={t('Change')} aria-label={t('Change {plan}', { plan: title })} onClick={() => setAsked('change')} />
      {tier !== FREE_TIER && (
        <Button
          variant="minimal"
          text={t('Delete')}
          aria-label={t('Delete {plan}', { plan: title })}
          onClick={() => setAsked('delete')}
        />
      )}
      {amount_cents > 0 && !isSold && (
        <Button
          intent="primary"
          text={t('Sell by Stripe')}
          aria-label={t('Sell {plan} by Stripe', { plan: title })}
          loading={store.busyPlan === plan._id}
          onClick={() => run(store.sell(plan))}
        />
      )}
      {isSold && <span className="muted small">{t('Sold by Stripe')}</span>}
      {asked === 'change' && <PlanDialog store={store} plan={plan} onClose={close} />}
      <ActionDialog
        isOpen={asked === 'delete'}
        title={t('Delete {plan}', { plan: title })}
        consequence={t('Only a plan that no organisation has can be deleted.')}
        actionLabel={t('Delete')}
        isDestructive={true}
        onAction={() => run(store.remove(plan._id))}
        onClose={close}
      />
    </>
  );
});

const Body = observer(function Body({ store, isManaging }: { store: PlansStore; isManaging: boolean }) {
  const { plans, own, error } = store;
  if (error !== undefined) {
    return <ErrorState title={t('The plans could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (plans === undefined) return <SkeletonRows rows={5} rowHeight={64} label={t('Plans')} />;
  return (
    <>
      {own !== undefined && !own.is_payment_configured && own.marketplace === null && (
        <p className="t2" role="note">
          {t('Payment is not set up on this server. Its operator can do that; the free plan can be chosen anyway.')}
        </p>
      )}
      <div className="plan-cards">
        {plans.map((plan) => (
          <PlanCard
            key={plan._id}
            store={store}
            plan={plan}
            isCurrent={own?.tier === plan.attributes.tier}
            actions={isManaging ? <ManagePlan store={store} plan={plan} /> : <ChoosePlan store={store} plan={plan} />}
          />
        ))}
      </div>
      {own !== undefined && (
        <div className="plan-own">
          <PlanUse store={store} own={own} />
          <BillingForm key={`${own.legal_name}\n${own.address}`} store={store} own={own} />
          <Invoices store={store} />
        </div>
      )}
    </>
  );
});

/** `/plan-pricings`: the plans; for admins what their organisation uses and pays, for superadmins what is sold. */
export const PlanPricingsScreen = observer(function PlanPricingsScreen() {
  const api = useService(API);
  const session = useService(SESSION);
  const isManaging = can(session.user?.role, 'pricing.manage');
  const [store] = useState(() => new PlansStore(api, { hasPlan: !isManaging }));
  const [isAdding, setIsAdding] = useState(false);
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  return (
    <div className="canvas">
      <PageHead title={t('Plans')}>
        <SegmentedControl
          aria-label={t('How plans are paid')}
          size="small"
          value={store.interval}
          options={[
            { value: 'month', label: t('Monthly') },
            { value: 'year', label: t('Yearly') },
          ]}
          onValueChange={(value) => store.showInterval(value === 'year' ? 'year' : 'month')}
        />
        {isManaging && (
          <Button
            intent="primary"
            icon={<Plus aria-hidden={true} />}
            text={t('Add a plan')}
            onClick={() => setIsAdding(true)}
          />
        )}
      </PageHead>
      <div className="page">
        <Body store={store} isManaging={isManaging} />
      </div>
      {isAdding && <PlanDialog store={store} onClose={() => setIsAdding(false)} />}
    </div>
  );
});
