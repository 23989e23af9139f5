import { useState } from 'react';
import { ActDialog } from '../../../platform/ui/act-dialog.tsx';
import { FormField } from '../../../platform/ui/form-field.tsx';

export interface VerdictDialogProps {
  isOpen: boolean;
  onMark: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a finding is a false positive. */
export function VerdictDialog({ isOpen, onMark, onClose }: VerdictDialogProps) {
  const [reason, setReason] = useState('');
  const handleAct = () => {
    onMark(reason.trim());
    setReason('');
  };
  return (
    <ActDialog
      isOpen={isOpen}
      title="Mark 1 finding false positive"
      consequence="It leaves the list and the counters. You can undo this later from here."
      actLabel="Mark false positive"
      onAct={handleAct}
      onClose={onClose}
    >
      <FormField label="Reason" help="Shown in the history.">
        {(control) => (
          <textarea
            {...control}
            className={`${control.className} reason`}
            maxLength={2000}
            rows={3}
            // biome-ignore lint/a11y/noAutofocus: a dialog puts the focus on its first field
            autoFocus
            value={reason}
            onChange={(event) => setReason(event.currentTarget.value)}
          />
        )}
      </FormField>
    </ActDialog>
  );
}
