import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { VERDICT_LABELS } from '../../model/labels.ts';
import { VERDICTS, type Verdict } from '../../model/states.ts';
import { ReasonField } from './reason-field.tsx';

interface VerdictText {
  title: (count: number) => string;
  consequence: string;
  action: string;
}

const LEAVES = msg('It leaves the list and the counters. You can undo this later from the history.');

const TEXTS: Readonly<Record<Verdict, VerdictText>> = {
  false_positive: {
    title: (count) => plural(count, 'Mark {count} finding false positive', 'Mark {count} findings false positive'),
    consequence: LEAVES,
    action: msg('Mark false positive'),
  },
  accepted_risk: {
    title: (count) => plural(count, 'Accept the risk of {count} finding', 'Accept the risk of {count} findings'),
    consequence: msg('It leaves the list and the counters, and comes back on the day that you name.'),
    action: msg('Accept risk'),
  },
  mitigated_externally: {
    title: (count) =>
      plural(
        count,
        'Say that {count} finding is mitigated elsewhere',
        'Say that {count} findings are mitigated elsewhere',
      ),
    consequence: LEAVES,
    action: msg('Mark mitigated'),
  },
  duplicate: {
    title: (count) => plural(count, 'Mark {count} finding duplicate', 'Mark {count} findings duplicate'),
    consequence: LEAVES,
    action: msg('Mark duplicate'),
  },
  valid: {
    title: (count) => plural(count, 'Confirm {count} finding as valid', 'Confirm {count} findings as valid'),
    consequence: msg('It stays in the list.'),
    action: msg('Confirm'),
  },
  none: {
    title: (count) =>
      plural(count, 'Take the verdict of {count} finding off', 'Take the verdict of {count} findings off'),
    consequence: msg('It counts as undecided.'),
    action: msg('Take off'),
  },
};

/** Days after which an accepted risk is looked at again, unless somebody says otherwise. */
const DEFAULT_DAYS = 90;

const dayIn = (days: number): string => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);

interface VerdictWords {
  value: Verdict;
  reason?: string;
  expires_at?: string;
}

interface VerdictDialogProps {
  verdict: Verdict;
  count: number;
  /** Stands in the field at first. */
  proposedReason?: string;
  onDecide: (verdict: VerdictWords) => void;
  onClose: () => void;
}

/** Asks why; for an accepted risk also until when. Mount it anew for each question. */
export function VerdictDialog({ verdict, count, proposedReason = '', onDecide, onClose }: VerdictDialogProps) {
  const [reason, setReason] = useState(proposedReason);
  const [until, setUntil] = useState(() => dayIn(DEFAULT_DAYS));
  const [isMissing, setIsMissing] = useState(false);
  const text = TEXTS[verdict];
  const isRisk = verdict === 'accepted_risk';
  const handleAction = () => {
    const why = reason.trim();
    setIsMissing(isRisk && why === '');
    if (isRisk && why === '') return;
    onDecide({
      value: verdict,
      ...(why === '' ? {} : { reason: why }),
      ...(isRisk && until !== '' ? { expires_at: new Date(`${until}T23:59:59`).toISOString() } : {}),
    });
  };
  return (
    <ActionDialog
      isOpen={true}
      title={text.title(count)}
      consequence={t(text.consequence)}
      actionLabel={t(text.action)}
      onAction={handleAction}
      draft={reason === proposedReason ? '' : reason}
      onClose={onClose}
    >
      <ReasonField
        value={reason}
        isFirst={true}
        hasPresets={verdict !== 'duplicate' && verdict !== 'none'}
        onChange={setReason}
        error={isMissing ? t('Say why the risk is accepted.') : undefined}
      />
      {isRisk && (
        <FormField label={t('Until')} help={t('Empty: for good.')}>
          {(control) => (
            <input
              {...control}
              type="date"
              min={dayIn(1)}
              value={until}
              onChange={(event) => setUntil(event.currentTarget.value)}
            />
          )}
        </FormField>
      )}
    </ActionDialog>
  );
}

interface ReviewDialogProps {
  onAsk: (verdict: Verdict, reason: string) => void;
  onClose: () => void;
}

/** Proposes a verdict to those who decide. */
export function ReviewDialog({ onAsk, onClose }: ReviewDialogProps) {
  const [verdict, setVerdict] = useState<Verdict>('false_positive');
  const [reason, setReason] = useState('');
  return (
    <ActionDialog
      isOpen={true}
      title={t('Ask for a decision about 1 finding')}
      consequence={t('Admins and security operators get a notice. Nothing changes until one of them decides.')}
      actionLabel={t('Ask')}
      onAction={() => onAsk(verdict, reason.trim())}
      draft={reason}
      onClose={onClose}
    >
      <ReasonField value={reason} isFirst={true} onChange={setReason} />
      <FormField label={t('Proposed verdict')}>
        {(control) => (
          <HTMLSelect
            id={control.id}
            fill={true}
            value={verdict}
            onChange={(event) => setVerdict(VERDICTS.find((one) => one === event.currentTarget.value) ?? 'none')}
            options={VERDICTS.map((value) => ({ value, label: t(VERDICT_LABELS[value]) }))}
          />
        )}
      </FormField>
    </ActionDialog>
  );
}
