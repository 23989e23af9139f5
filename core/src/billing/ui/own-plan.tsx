import { Button, ProgressBar } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { type FormEvent, useState } from 'react';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { formatDate, formatNumber, formatUsd } from '../../platform/ui/display/formats.ts';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import type { OwnPlan } from '../api/plan-routes.ts';
import { MARKETPLACE_STATUS_LABELS } from '../model/marketplace.ts';
import { LIMIT_LABELS, STATUS_LABELS } from '../model/plan-labels.ts';
import { LIMITS } from '../model/plans.ts';
import type { PlansStore } from './plans.store.ts';

interface UseProps {
  label: string;
  used: number;
  limit: number | null;
}

function Use({ label, used, limit }: UseProps) {
  const isFull = limit !== null && used >= limit;
  return (
    <div className="plan-use">
      <div className="row">
        <span className="grow">{label}</span>
        <span className={isFull ? 'tn err' : 'tn muted'}>
          {limit === null
            ? t('{used}, no limit', { used: formatNumber(used) })
            : t('{used} of {limit}', { used: formatNumber(used), limit: formatNumber(limit) })}
        </span>
      </div>
      {limit !== null && (
        <ProgressBar
          aria-label={label}
          value={limit === 0 ? 1 : Math.min(1, used / limit)}
          animate={false}
          stripes={false}
          intent={isFull ? 'danger' : 'primary'}
        />
      )}
    </div>
  );
}

const subscriptionText = ({ subscription }: OwnPlan): string | undefined => {
  if (subscription === null) return undefined;
  const { status, current_period_end, cancel_at_period_end } = subscription;
  const date = current_period_end === null ? '' : formatDate(current_period_end);
  if (cancel_at_period_end && date !== '')
    return t('Ends on {date}. The free plan follows; nothing is deleted.', { date });
  const label = STATUS_LABELS[status];
  const state = label === undefined ? status : t(label);
  return date === '' ? state : t('{state}. The next payment is on {date}.', { state, date });
};

function MarketplacePayment({ marketplace }: { marketplace: NonNullable<OwnPlan['marketplace']> }) {
  const state = t(MARKETPLACE_STATUS_LABELS[marketplace.status]);
  return (
    <>
      <p className="t2">{t('Paid through the Microsoft Marketplace. {state}', { state })}</p>
      <p className="muted small">{t('The plan is changed and cancelled there.')}</p>
    </>
  );
}

const Payment = observer(function Payment({ store, own }: { store: PlansStore; own: OwnPlan }) {
  const toasts = useService(TOASTS);
  const { card, subscription, marketplace } = own;
  if (marketplace !== null) return <MarketplacePayment marketplace={marketplace} />;
  if (subscription === null) return null;
  const open = () =>
    void store.openPortal().then(
      (url) => window.location.assign(url),
      (failure: unknown) => toasts.showError(failure),
    );
  return (
    <>
      <p className="t2">{subscriptionText(own)}</p>
      {card !== null && (
        <p className="muted small">
          {t('Paid by {brand}, ending in {digits}', { brand: card.brand, digits: card.last4 })}
        </p>
      )}
      <Button text={t('Manage card and subscription')} onClick={open} />
    </>
  );
});

/** What the organisation uses of its plan, and how it pays. */
export const PlanUse = observer(function PlanUse({ store, own }: { store: PlansStore; own: OwnPlan }) {
  return (
    <section className="bp6-card plan-part" aria-label={t('What you use')}>
      <h2>{t('What you use of {plan}', { plan: own.title })}</h2>
      {LIMITS.map((name) => (
        <Use key={name} label={t(LIMIT_LABELS[name])} {...own.use[name]} />
      ))}
      <p className="muted small">{t('At a limit nothing is lost: only more cannot be added.')}</p>
      <Payment store={store} own={own} />
    </section>
  );
});

/** To whom invoices are written. A card is asked for by the payment provider alone. */
export function BillingForm({ store, own }: { store: PlansStore; own: OwnPlan }) {
  const toasts = useService(TOASTS);
  const [legalName, setLegalName] = useState(own.legal_name);
  const [address, setAddress] = useState(own.address);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isChanged = legalName !== own.legal_name || address !== own.address;
  const save = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await store.saveBilling({ legal_name: legalName, address });
      toasts.show(t('Saved. The next invoice carries it.'), { tone: 'done' });
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
    } finally {
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (isChanged && !isBusy) void save();
  };
  return (
    <section className="bp6-card plan-part" aria-label={t('Billing')}>
      <h2>{t('Billing')}</h2>
      <form onSubmit={handleSubmit}>
        <FormField label={t('Legal name')} error={error}>
          {(control) => (
            <input
              {...control}
              type="text"
              maxLength={200}
              autoComplete="organization"
              value={legalName}
              onChange={(event) => setLegalName(event.currentTarget.value)}
            />
          )}
        </FormField>
        <FormField label={t('Address')}>
          {(control) => (
            <textarea
              {...control}
              rows={3}
              maxLength={1000}
              value={address}
              onChange={(event) => setAddress(event.currentTarget.value)}
            />
          )}
        </FormField>
        <Button type="submit" text={t('Save')} disabled={!isChanged} loading={isBusy} />
      </form>
    </section>
  );
}

/** The newest invoices, each with its PDF. */
export const Invoices = observer(function Invoices({ store }: { store: PlansStore }) {
  const { invoices, invoicesError } = store;
  if (invoicesError !== undefined) return <p className="err">{messagesOf(invoicesError).join(' ')}</p>;
  if (invoices.length === 0) return null;
  return (
    <section className="bp6-card plan-part plan-invoices" aria-label={t('Invoices')}>
      <h2>{t('Invoices')}</h2>
      <ul>
        {invoices.map(({ _id, attributes }) => (
          <li key={_id} className="row">
            <span className="grow">
              {attributes.number ?? _id}
              <span className="muted small"> {formatDate(attributes.created_at)}</span>
            </span>
            <span className="tn">{formatUsd(attributes.total_cents)}</span>
            {attributes.pdf_url !== null && (
              <a href={attributes.pdf_url} target="_blank" rel="noreferrer">
                {t('Download')}
              </a>
            )}
          </li>
        ))}
      </ul>
    </section>
  );
});
