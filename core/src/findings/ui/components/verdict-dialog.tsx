import { useState } from 'react';
import { ActDialog } from '../../../platform/ui/act-dialog.tsx';
import { ReasonField } from './reason-field.tsx';

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
      <ReasonField value={reason} isFirst onChange={setReason} />
    </ActDialog>
  );
}
