import { useState } from 'react';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { ReasonField } from './reason-field.tsx';

const ID = /[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}/gi;

/** The finding that an address or an id names: the last id in it. */
export const findingIdIn = (text: string): string | undefined => text.match(ID)?.at(-1)?.toLowerCase();

interface JoinDialogProps {
  /** The finding that the other one is the same as. */
  id: string;
  onJoin: (otherId: string, reason: string) => void;
  onClose: () => void;
}

const issueOf = (id: string, otherId: string | undefined): string | undefined => {
  if (otherId === undefined) return t('This names no finding. Paste the address from its panel.');
  return otherId === id ? t('This is the finding itself. Paste the address of the other one.') : undefined;
};

/** Asks which other finding is the same, and why. */
export function JoinDialog({ id, onJoin, onClose }: JoinDialogProps) {
  const [address, setAddress] = useState('');
  const [reason, setReason] = useState('');
  const [issue, setIssue] = useState<string | undefined>(undefined);
  const handleAction = () => {
    const otherId = findingIdIn(address);
    const wrong = issueOf(id, otherId);
    setIssue(wrong);
    if (wrong === undefined && otherId !== undefined) onJoin(otherId, reason.trim());
  };
  return (
    <ActionDialog
      isOpen={true}
      title={t('Join with another finding')}
      consequence={t(
        'One of the two becomes the duplicate of the other, also after the next import. You can undo this.',
      )}
      actionLabel={t('Same finding')}
      onAction={handleAction}
      draft={[address, reason].filter((text) => text !== '').join('\n')}
      onClose={onClose}
    >
      <FormField
        label={t('Address of the other finding')}
        help={t('Open it and choose “Copy address”. Both have to belong to one application.')}
        error={issue}
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
    </ActionDialog>
  );
}
