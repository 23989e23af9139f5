import { Endorsed, Undo } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API, type ApiClient } from '../../platform/ui/data/api-client.ts';
import { isAbort, messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { EmptyState } from '../../platform/ui/feedback/placeholders.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { getPlan } from '../api/plan-routes.ts';
import { refreshOwnPlan } from '../api/stripe-routes.ts';

const AGAIN_MS = 2_000;
const TRIES = 10;

const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Asks until the payment has arrived. @returns the plan; undefined where it has not arrived yet */
const waitForPlan = async (api: ApiClient, signal: AbortSignal): Promise<string | undefined> => {
  for (let attempt = 0; attempt < TRIES; attempt += 1) {
    await api.call(refreshOwnPlan, { signal });
    const { data } = await api.call(getPlan, { signal });
    if (data.subscription !== null && data.subscription.status !== 'incomplete') return data.title;
    await pause(AGAIN_MS);
    signal.throwIfAborted();
  }
  return undefined;
};

/** What the payment has come to; undefined while it is asked for. */
const usePaidPlan = (): { title?: string; message?: string } | undefined => {
  const api = useService(API);
  const [outcome, setOutcome] = useState<{ title?: string; message?: string }>();
  useEffect(() => {
    const leaving = new AbortController();
    waitForPlan(api, leaving.signal).then(
      (title) => {
        if (!leaving.signal.aborted) setOutcome(title === undefined ? {} : { title });
      },
      (failure: unknown) => {
        if (!leaving.signal.aborted && !isAbort(failure)) setOutcome({ message: messagesOf(failure).join(' ') });
      },
    );
    return () => leaving.abort();
  }, [api]);
  return outcome;
};

const toPlans = () => (
  <Link className="bp6-button bp6-intent-primary" to="/plan-pricings">
    {t('Go to plans')}
  </Link>
);

/** `/payment/success`: where the payment provider sends people who have paid. */
export function PaymentSuccessScreen() {
  const outcome = usePaidPlan();
  const title = outcome?.title;
  return (
    <div className="canvas">
      <PageHead title={t('Payment')} />
      <div className="page" role="status" aria-busy={outcome === undefined}>
        <EmptyState
          icon={<Endorsed size={20} />}
          title={
            title === undefined
              ? t('Thank you. The payment is being confirmed')
              : t('Your plan is {plan}', { plan: title })
          }
          actions={toPlans()}
        >
          {outcome === undefined && t('This takes a few seconds.')}
          {outcome !== undefined &&
            title === undefined &&
            (outcome.message ?? t('The payment provider has not confirmed it yet. The plan follows by itself.'))}
          {title !== undefined && t('Its limits hold from now on.')}
        </EmptyState>
      </div>
    </div>
  );
}

/** `/payment/cancel`: where it sends people who have gone back. */
export function PaymentCancelScreen() {
  return (
    <div className="canvas">
      <PageHead title={t('Payment')} />
      <div className="page">
        <EmptyState icon={<Undo size={20} />} title={t('Nothing was paid')} actions={toPlans()}>
          {t('You left the checkout. Your plan is as it was.')}
        </EmptyState>
      </div>
    </div>
  );
}
