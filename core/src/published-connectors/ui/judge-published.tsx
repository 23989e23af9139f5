import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useService } from '../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { TextField } from '../../platform/ui/forms/text-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import type { PublishedItem, PublishedStore } from './published.store.ts';

interface JudgeProps {
  store: PublishedStore;
  item: PublishedItem;
}

interface RevokeDialogProps {
  title: string;
  isBusy: boolean;
  onRevoke: (reason: string) => void;
  onClose: () => void;
}

function RevokeDialog({ title, isBusy, onRevoke, onClose }: RevokeDialogProps) {
  const [reason, setReason] = useState('');
  return (
    <ActionDialog
      isOpen={true}
      title={t('Revoke {connector}', { connector: title })}
      consequence={t(
        'Nobody can add it, and its card is disabled wherever it was added. Its publisher cannot take that back.',
      )}
      actionLabel={t('Revoke')}
      isDestructive={true}
      isBusy={isBusy}
      onAction={() => onRevoke(reason)}
      onClose={onClose}
    >
      <TextField
        label={t('Reason')}
        help={t('Shown to those who added it')}
        maxLength={300}
        value={reason}
        onChange={setReason}
      />
    </ActionDialog>
  );
}

/** What whoever runs the installation does with a published connector: revoke it, allow it again, vouch for the name of its publisher. */
export const JudgePublished = observer(function JudgePublished({ store, item }: JudgeProps) {
  const toasts = useService(TOASTS);
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const { title, state, publisher } = item.attributes;
  const judge = async (body: Parameters<PublishedStore['judge']>[1]) => {
    setIsBusy(true);
    try {
      await store.judge(item._id, body);
    } catch (failure) {
      toasts.showError(failure);
    } finally {
      setIsBusy(false);
      setIsAsking(false);
    }
  };
  return (
    <>
      <Button
        text={publisher.verified ? t('Withdraw verification') : t('Verify name')}
        aria-label={t('{action}: {name}', {
          action: publisher.verified ? t('Withdraw verification') : t('Verify name'),
          name: publisher.name,
        })}
        disabled={isBusy}
        onClick={() => void judge({ publisher_verified: !publisher.verified })}
      />
      {state === 'revoked' ? (
        <Button
          text={t('Allow again')}
          aria-label={t('{action}: {name}', { action: t('Allow again'), name: title })}
          disabled={isBusy}
          onClick={() => void judge({ revoked: false })}
        />
      ) : (
        <Button
          variant="minimal"
          text={t('Revoke')}
          aria-label={t('{action}: {name}', { action: t('Revoke'), name: title })}
          onClick={() => setIsAsking(true)}
        />
      )}
      {isAsking && (
        <RevokeDialog
          title={title}
          isBusy={isBusy}
          onClose={() => setIsAsking(false)}
          onRevoke={(reason) => void judge({ revoked: true, reason })}
        />
      )}
    </>
  );
});
