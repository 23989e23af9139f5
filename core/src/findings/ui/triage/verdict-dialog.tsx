import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { VERDICT_LABELS } from '../../model/labels.ts';
import { VERDICTS, type Verdict } from '../../model/states.ts';
import { ReasonField } from './reason-field.tsx';

interface VerdictText {
  title: (findings: string) => string;
  consequence: string;
  action: string;
}

const LEAVES = 'It leaves the list and the counters. You can undo this later from the history.';

const TEXTS: Readonly<Record<Verdict, VerdictText>> = {
  false_positive: { title: (of) => `Mark ${of} false positive`, consequence: LEAVES, action: 'Mark false positive' },
  accepted_risk: {
    title: (of) => `Accept the risk of ${of}`,
    consequence: 'It leaves the list and the counters, and comes back on the day that you name.',
    action: 'Accept risk',
  },
  mitigated_externally: {
    title: (of) => `Say that ${of} is mitigated elsewhere`,
    consequence: LEAVES,
    action: 'Mark mitigated',
  },
  duplicate: { title: (of) => `Mark ${of} duplicate`, consequence: LEAVES, action: 'Mark duplicate' },
  valid: { title: (of) => `Confirm ${of} as valid`, consequence: 'It stays in the list.', action: 'Confirm' },
  none: { title: (of) => `Take the verdict of ${of} off`, consequence: 'It counts as undecided.', action: 'Take off' },
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
      title={text.title(count === 1 ? '1 finding' : `${formatNumber(count)} findings`)}
      consequence={text.consequence}
      actionLabel={text.action}
      onAction={handleAction}
      draft={reason === proposedReason ? '' : reason}
      onClose={onClose}
    >
      <ReasonField
        value={reason}
        isFirst={true}
        onChange={setReason}
        error={isMissing ? 'Say why the risk is accepted.' : undefined}
      />
      {isRisk && (
        <FormField label="Until" help="Empty: for good.">
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
      title="Ask for a decision about 1 finding"
      consequence="Admins and security operators get a notice. Nothing changes until one of them decides."
      actionLabel="Ask"
      onAction={() => onAsk(verdict, reason.trim())}
      draft={reason}
      onClose={onClose}
    >
      <ReasonField value={reason} isFirst={true} onChange={setReason} />
      <FormField label="Proposed verdict">
        {(control) => (
          <HTMLSelect
            id={control.id}
            fill={true}
            value={verdict}
            onChange={(event) => setVerdict(VERDICTS.find((one) => one === event.currentTarget.value) ?? 'none')}
            options={VERDICTS.map((value) => ({ value, label: VERDICT_LABELS[value] }))}
          />
        )}
      </FormField>
    </ActionDialog>
  );
}
