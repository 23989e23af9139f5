import { useState } from 'react';
import { ActDialog } from '../../../platform/ui/act-dialog.tsx';
import { FormField } from '../../../platform/ui/form-field.tsx';
import { findingIdIn } from '../same-issue.store.ts';
import { ReasonField } from './reason-field.tsx';

export interface SplitDialogProps {
  isOpen: boolean;
  onSplit: (reason: string) => void;
  onClose: () => void;
}

/** Asks why a finding is no duplicate. */
export function SplitDialog({ isOpen, onSplit, onClose }: SplitDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <ActDialog
      isOpen={isOpen}
      title="Say that 1 finding is no duplicate"
      consequence="It stands in the list for itself, also after the next import. You can undo this later from here."
      actLabel="Not a duplicate"
      onAct={() => {
        onSplit(reason.trim());
        setReason('');
      }}
      onClose={onClose}
    >
      <ReasonField value={reason} isFirst onChange={setReason} />
    </ActDialog>
  );
}

export interface JoinDialogProps {
  isOpen: boolean;
  onJoin: (otherId: string, reason: string) => void;
  onClose: () => void;
}

/** Asks which other finding is the same, and why. */
export function JoinDialog({ isOpen, onJoin, onClose }: JoinDialogProps) {
  const [address, setAddress] = useState('');
  const [reason, setReason] = useState('');
  const [isWrong, setIsWrong] = useState(false);
  const handleAct = () => {
    const otherId = findingIdIn(address);
    setIsWrong(otherId === undefined);
    if (otherId === undefined) return;
    onJoin(otherId, reason.trim());
    setAddress('');
    setReason('');
  };
  return (
    <ActDialog
      isOpen={isOpen}
      title="Join with another finding"
      consequence="One of the two becomes the duplicate of the other, also after the next import. You can undo this."
      actLabel="Same finding"
      onAct={handleAct}
      onClose={onClose}
    >
      <FormField
        label="Address of the other finding"
        help="Open it and choose “Copy address”. Both have to belong to one application."
        error={isWrong ? 'This names no finding. Paste the address from its panel.' : undefined}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            // biome-ignore lint/a11y/noAutofocus: a dialog puts the focus on its first field
            autoFocus
            value={address}
            onChange={(event) => setAddress(event.currentTarget.value)}
          />
        )}
      </FormField>
      <ReasonField value={reason} isFirst={false} onChange={setReason} />
    </ActDialog>
  );
}
