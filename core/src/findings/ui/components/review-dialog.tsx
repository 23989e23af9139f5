import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { ActDialog } from '../../../platform/ui/act-dialog.tsx';
import { FormField } from '../../../platform/ui/form-field.tsx';
import { VERDICTS, type Verdict } from '../../model/states.ts';
import { VERDICT_WORDS } from '../words.ts';
import { ReasonField } from './reason-field.tsx';

export interface ReviewDialogProps {
  onAsk: (verdict: Verdict, reason: string) => void;
  onClose: () => void;
}

/** Proposes a verdict to those who decide. */
export function ReviewDialog({ onAsk, onClose }: ReviewDialogProps) {
  const [verdict, setVerdict] = useState<Verdict>('false_positive');
  const [reason, setReason] = useState('');
  return (
    <ActDialog
      isOpen={true}
      title="Ask for a decision about 1 finding"
      consequence="Admins and security operators get a notice. Nothing changes until one of them decides."
      actLabel="Ask"
      onAct={() => onAsk(verdict, reason.trim())}
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
            options={VERDICTS.map((value) => ({ value, label: VERDICT_WORDS[value] }))}
          />
        )}
      </FormField>
    </ActDialog>
  );
}
