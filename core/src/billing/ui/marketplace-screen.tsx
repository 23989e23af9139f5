import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { useNavigate, useSearchParams } from 'react-router-dom';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { formatDate, formatNumber } from '../../platform/ui/display/formats.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import type { MarketplaceSubscription } from '../api/marketplace-routes.ts';
import { ACTIVATION_TEXTS, MARKETPLACE_STATUS_LABELS } from '../model/marketplace.ts';
import { PurchaseStore } from './purchase.store.ts';
import './billing.css';

/** The notice has to be read while another page comes. */
const NOTICE_MS = 15_000;

/** Why a purchase cannot go on for who looks at it. */
type Hold = 'signed-out' | 'not-admin';

const HOLD_TEXTS: Record<Hold, readonly [title: string, text: string]> = {
  'signed-out': [ACTIVATION_TEXTS.onHold, ACTIVATION_TEXTS.needsSignIn],
  'not-admin': [ACTIVATION_TEXTS.denied, ACTIVATION_TEXTS.needsAdmin],
};

/** Says why, and leads to the sign-in page, which leads back with the token. Source: specification §6, §8. */
function HeldPurchase({ hold, token }: { hold: Hold; token: string }) {
  const session = useService(SESSION);
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const [title, text] = HOLD_TEXTS[hold];
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is said is said once
  useEffect(() => {
    const next = `/microsoft-marketplace?token=${encodeURIComponent(token)}`;
    const leave = () => {
      toasts.show(`${t(title)} ${t(text)}`, { tone: 'problem', timeoutMs: NOTICE_MS });
      void navigate(`/login?next=${encodeURIComponent(next)}`, { replace: true });
    };
    // the sign-in page is for who is not signed in
    session.signOut().then(leave, (failure: unknown) => toasts.showError(failure));
  }, []);
  return (
    <div className="signin" role="status">
      <h1>{t(title)}</h1>
      <p className="lead">{t(text)}</p>
    </div>
  );
}

function Facts({ purchase }: { purchase: MarketplaceSubscription }) {
  const session = useService(SESSION);
  const { name, plan_id, plan_title, quantity, status, term_end } = purchase;
  const facts: [string, string][] = [
    [t('Purchase'), name],
    [t('Plan'), plan_title ?? plan_id],
    ...(quantity === null ? [] : [[t('Seats'), formatNumber(quantity)] satisfies [string, string]]),
    [t('Status'), t(MARKETPLACE_STATUS_LABELS[status])],
    ...(term_end === null ? [] : [[t('Paid until'), formatDate(term_end)] satisfies [string, string]]),
    [t('Organisation'), session.organizationName ?? ''],
  ];
  return (
    <dl className="purchase-facts">
      {facts.map(([label, value]) => (
        <div key={label}>
          <dt className="muted">{label}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  );
}

const Purchase = observer(function Purchase({ token }: { token: string }) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const [store] = useState(() => new PurchaseStore(api, token));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const { purchase, error, isActivating, refusal } = store;
  const activate = async () => {
    if (await store.activate()) {
      toasts.show(t(ACTIVATION_TEXTS.done), { tone: 'done' });
      void navigate('/plan-pricings', { replace: true });
    } else {
      toasts.show(t(ACTIVATION_TEXTS.failed), { tone: 'problem' });
    }
  };
  return (
    <div className="signin">
      <h1>{t('Microsoft Marketplace')}</h1>
      {error !== undefined && (
        <ErrorState title={t('The purchase could not be read')} error={error} onRetry={() => void store.load()} />
      )}
      {error === undefined && purchase === undefined && (
        <SkeletonRows rows={4} rowHeight={32} label={t('Microsoft Marketplace')} />
      )}
      {purchase !== undefined && (
        <>
          <p className="lead">
            {t('Activate what you have bought for your organisation. Microsoft charges from then on.')}
          </p>
          <Facts purchase={purchase} />
          {refusal !== undefined && (
            <p className="err" role="alert">
              {t(ACTIVATION_TEXTS.failed)} {messagesOf(refusal).join(' ')}
            </p>
          )}
          <Button
            intent="primary"
            fill={true}
            text={t('Activate subscription')}
            loading={isActivating}
            onClick={() => void activate()}
          />
        </>
      )}
    </div>
  );
});

/** `/microsoft-marketplace?token`: where Microsoft sends who has bought. Source: specification §2, §6. */
export function MarketplaceScreen() {
  const session = useService(SESSION);
  const [query] = useSearchParams();
  const token = query.get('token') ?? '';
  // as it was when the page was opened: signing out does not turn one notice into the other
  const [hold] = useState((): Hold | undefined => {
    if (!session.isSignedIn) return 'signed-out';
    return can(session.user?.role, 'billing.write') ? undefined : 'not-admin';
  });
  return hold === undefined ? <Purchase token={token} /> : <HeldPurchase hold={hold} token={token} />;
}
