import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { TextField } from '../../platform/ui/forms/text-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { LIMIT_LABELS } from '../model/plan-labels.ts';
import { FREE_TIER, INTERVALS, type Interval, LIMITS } from '../model/plans.ts';
import { bodyOf, draftOf, isComplete, type PlanDraft, type TextOfPlan } from './plan-draft.ts';
import type { PlanItem, PlansStore } from './plans.store.ts';

type FieldOf = (name: TextOfPlan) => { value: string; onChange: (text: string) => void };

interface PriceFieldsProps {
  draft: PlanDraft;
  field: FieldOf;
  onInterval: (interval: Interval) => void;
}

/** What a plan costs; the free one costs nothing. */
function PriceFields({ draft, field, onInterval }: PriceFieldsProps) {
  return (
    <>
      <TextField label={t('Price in US dollars')} inputMode="numeric" {...field('dollars')} />
      <FormField label={t('Paid')}>
        {(control) => (
          <HTMLSelect
            id={control.id}
            fill={true}
            value={draft.interval}
            options={[
              { value: 'month', label: t('Every month') },
              { value: 'year', label: t('Every year') },
            ]}
            onChange={({ currentTarget: { value } }) => onInterval(INTERVALS.find((one) => one === value) ?? 'month')}
          />
        )}
      </FormField>
      <TextField label={t('Discount for a year, in percent')} inputMode="numeric" {...field('discount')} />
    </>
  );
}

interface PlanDialogProps {
  store: PlansStore;
  /** Absent: a new one. */
  plan?: PlanItem;
  onClose: () => void;
}

/** Asks what a plan is. */
export function PlanDialog({ store, plan, onClose }: PlanDialogProps) {
  const [draft, setDraft] = useState<PlanDraft>(() => draftOf(plan?.attributes));
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const isFree = plan?.attributes.tier === FREE_TIER;
  const field: FieldOf = (name) => ({
    value: draft[name],
    onChange: (text: string) => {
      setDraft((known) => ({ ...known, [name]: text }));
      setError(undefined);
    },
  });
  const save = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      const body = bodyOf(draft);
      await (plan === undefined ? store.add({ tier: draft.tier, ...body }) : store.change(plan._id, body));
      onClose();
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
      setIsBusy(false);
    }
  };
  return (
    <ActionDialog
      isOpen={true}
      title={plan === undefined ? t('Add a plan') : t('Change {plan}', { plan: plan.attributes.title })}
      consequence={
        plan === undefined
          ? undefined
          : t('Limits hold at once for everybody who has the plan. A new price is for those who buy from now on.')
      }
      actionLabel={plan === undefined ? t('Add') : t('Save')}
      isBusy={isBusy}
      isActionEnabled={isComplete(draft)}
      onAction={() => void save()}
      onClose={onClose}
    >
      {error !== undefined && <p className="err">{error}</p>}
      {plan === undefined && (
        <TextField label={t('Tier')} help={t('Small letters, digits and hyphens. It stays.')} {...field('tier')} />
      )}
      <TextField label={t('Name')} {...field('title')} />
      <TextField label={t('Description')} {...field('description')} />
      {!isFree && (
        <PriceFields draft={draft} field={field} onInterval={(interval) => setDraft({ ...draft, interval })} />
      )}
      {LIMITS.map((name) => (
        <TextField
          key={name}
          label={t(LIMIT_LABELS[name])}
          help={t('Empty: no limit')}
          inputMode="numeric"
          {...field(name)}
        />
      ))}
      <TextField label={t('What is in it, one a line')} isLong={true} {...field('features')} />
    </ActionDialog>
  );
}
