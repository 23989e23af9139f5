import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { can, type Role } from '../../platform/model/permissions.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { TextField } from '../../platform/ui/forms/text-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { ApproveDialog } from './approve-dialog.tsx';
import type { InstalledPluginsStore, PluginItem } from './installed.store.ts';

const ACTIONS = ['approve', 'disable', 'withdraw', 'offer', 'uninstall'] as const;
type Action = (typeof ACTIONS)[number];

interface ManageProps {
  store: InstalledPluginsStore;
  item: PluginItem;
}

const labelOf = (action: Action, { enabled, versions }: PluginItem['attributes']): string => {
  const labels: Record<Action, string> = {
    approve: enabled === null ? t('Enable') : versions.length > 1 ? t('Choose version') : t('Permissions'),
    disable: t('Take out'),
    withdraw: t('Disable everywhere'),
    offer: t('Offer again'),
    uninstall: t('Uninstall'),
  };
  return labels[action];
};

const allowed = (
  action: Action,
  { is_offered, enabled }: PluginItem['attributes'],
  role: Role | undefined,
): boolean => {
  if (action === 'approve') return is_offered && can(role, 'connectors.write');
  if (action === 'disable') return enabled !== null && can(role, 'connectors.write');
  if (action === 'withdraw') return is_offered && can(role, 'platform.write');
  if (action === 'offer') return !is_offered && can(role, 'platform.write');
  return can(role, 'platform.write');
};

interface AskProps extends ManageProps {
  action: 'disable' | 'withdraw' | 'uninstall';
  onClose: () => void;
}

/** What is asked before something is taken away. */
function Ask({ store, item, action, onClose }: AskProps) {
  const toasts = useService(TOASTS);
  const [isBusy, setIsBusy] = useState(false);
  const [reason, setReason] = useState('');
  const id = item._id;
  const texts = {
    disable: {
      title: t('Take {plugin} out of the catalogue', { plugin: id }),
      consequence: t('Its cards disappear for your organisation. Findings that came through it stay.'),
      label: t('Take out'),
    },
    withdraw: {
      title: t('Disable {plugin} for every organisation', { plugin: id }),
      consequence: t(
        'Nobody can enable it, and its cards are disabled wherever it is enabled. Settings and credentials stay.',
      ),
      label: t('Disable everywhere'),
    },
    uninstall: {
      title: t('Uninstall {plugin}', { plugin: id }),
      consequence: t(
        'All its versions are deleted, and what organisations stored for it: settings, credentials and history. Findings stay. Tokens stay valid at the service until they are revoked there.',
      ),
      label: t('Uninstall'),
    },
  }[action];
  const act = async () => {
    setIsBusy(true);
    try {
      if (action === 'disable') await store.disable(id);
      else if (action === 'withdraw') await store.offer(id, false, reason);
      else await store.uninstall(id);
    } catch (failure) {
      toasts.showError(failure);
    } finally {
      onClose();
    }
  };
  return (
    <ActionDialog
      isOpen={true}
      title={texts.title}
      consequence={texts.consequence}
      actionLabel={texts.label}
      isDestructive={true}
      isBusy={isBusy}
      onAction={() => void act()}
      onClose={onClose}
    >
      {action === 'withdraw' && (
        <TextField
          label={t('Reason')}
          help={t('Shown on its cards')}
          maxLength={300}
          value={reason}
          onChange={setReason}
        />
      )}
    </ActionDialog>
  );
}

/** What admins and whoever runs the installation do with a plugin. */
export const ManagePlugin = observer(function ManagePlugin({ store, item }: ManageProps) {
  const toasts = useService(TOASTS);
  const { user } = useService(SESSION);
  const [asked, setAsked] = useState<Action>();
  const close = () => setAsked(undefined);
  const begin = (action: Action) => {
    if (action === 'offer') store.offer(item._id, true).catch((failure: unknown) => toasts.showError(failure));
    else setAsked(action);
  };
  return (
    <>
      {ACTIONS.filter((action) => allowed(action, item.attributes, user?.role)).map((action) => {
        const label = labelOf(action, item.attributes);
        return (
          <Button
            key={action}
            variant={action === 'approve' || action === 'offer' ? 'solid' : 'minimal'}
            text={label}
            aria-label={t('{action}: {name}', { action: label, name: item._id })}
            onClick={() => begin(action)}
          />
        );
      })}
      {asked === 'approve' && <ApproveDialog store={store} item={item} onClose={close} />}
      {(asked === 'disable' || asked === 'withdraw' || asked === 'uninstall') && (
        <Ask store={store} item={item} action={asked} onClose={close} />
      )}
    </>
  );
});
