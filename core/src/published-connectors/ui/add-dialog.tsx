import { useState } from 'react';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { PermissionList } from '../../platform/ui/display/permission-list.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SENDING_LABELS } from '../model/publication.ts';
import type { PublishedItem, PublishedStore } from './published.store.ts';

interface AddDialogProps {
  store: PublishedStore;
  item: PublishedItem;
  onClose: () => void;
}

/** What an admin approves: all that the connector may talk to, and what of it is new. */
export function AddDialog({ store, item, onClose }: AddDialogProps) {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { title, version, hosts, sends, publisher, added } = item.attributes;
  const add = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await store.add(item);
      onClose();
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
      setIsBusy(false);
    }
  };
  return (
    <ActionDialog
      isOpen={true}
      title={
        added === null
          ? t('Add {connector}', { connector: title })
          : t('Update {connector} to {version}', { connector: title, version })
      }
      consequence={
        sends.length === 0
          ? t(
              '{publisher} published it, not the makers of Breakwater. It runs no code here: it asks these hosts, with the credentials that you enter, and reads their answers.',
              { publisher: publisher.name },
            )
          : t(
              '{publisher} published it, not the makers of Breakwater. It runs no code here: it asks these hosts and sends them what is listed, with the credentials that you enter.',
              { publisher: publisher.name },
            )
      }
      actionLabel={added === null ? t('Approve and add') : t('Approve and update')}
      isBusy={isBusy}
      onAction={() => void add()}
      onClose={onClose}
    >
      {error !== undefined && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
      <PermissionList
        label={t('Hosts that it talks to')}
        wanted={hosts}
        approved={added?.hosts}
        none={t('It talks to no host.')}
      />
      {(sends.length > 0 || (added?.sends.length ?? 0) > 0) && (
        <>
          <h3>{t('What it sends there')}</h3>
          <PermissionList
            label={t('What it sends there')}
            wanted={sends}
            approved={added?.sends}
            none={t('It sends nothing.')}
            isCode={false}
            textOf={(one) => t(SENDING_LABELS[one])}
          />
        </>
      )}
    </ActionDialog>
  );
}
