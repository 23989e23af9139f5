import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { type ConnectorItem, titleOf } from '../data/connector.ts';
import type { AllowedActions } from '../data/connector-state.ts';
import { gateText } from '../data/connector-text.ts';
import type { ConnectorsStore, SwitchOrder } from '../data/connectors.store.ts';
import { useConnectionActions } from '../data/use-connectors.ts';

/** What a switch says in the two scopes; each a whole text, because languages order them differently. */
const SCOPE_TEXTS = {
  organisation: {
    switchedOff: msg('{title} switched off for your organisation'),
    switchedOn: msg('{title} switched on for your organisation'),
    dialog: msg('Switch off {title} for your organisation'),
    on: msg('On for your organisation'),
    off: msg('Off for your organisation'),
    switchOn: msg('Switch on for your organisation'),
    switchOff: msg('Switch off for your organisation'),
  },
  platform: {
    switchedOff: msg('{title} switched off for every organisation'),
    switchedOn: msg('{title} switched on for every organisation'),
    dialog: msg('Switch off {title} for every organisation'),
    on: msg('On for every organisation'),
    off: msg('Off for every organisation'),
    switchOn: msg('Switch on for every organisation'),
    switchOff: msg('Switch off for every organisation'),
  },
} as const;
type Scope = SwitchOrder['scope'];

interface ControlProps {
  store: ConnectorsStore;
  item: ConnectorItem;
}

interface SwitchDialogProps extends ControlProps {
  scope: Scope | undefined;
  onClose: () => void;
}

/** Asks why before a connector is switched off. */
const SwitchOffDialog = observer(function SwitchOffDialog({ store, item, scope, onClose }: SwitchDialogProps) {
  const toasts = useService(TOASTS);
  const [reason, setReason] = useState('');
  const texts = SCOPE_TEXTS[scope ?? 'organisation'];
  const title = titleOf(item.attributes);
  const switchOff = async () => {
    if (scope === undefined) return;
    try {
      await store.switch(item, { scope, enabled: false, reason });
      toasts.show(t(texts.switchedOff, { title }), { tone: 'done' });
      setReason('');
      onClose();
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <ActionDialog
      isOpen={scope !== undefined}
      title={t(texts.dialog, { title })}
      consequence={t(
        'Nothing of it runs any more. Its settings, secrets and findings stay, and it can be switched on again.',
      )}
      actionLabel={t('Switch off')}
      isBusy={store.workOn(item) === 'switch'}
      onAction={() => void switchOff()}
      onClose={onClose}
    >
      <FormField
        label={t('Reason')}
        aside={<span className="muted small">{t('Optional')}</span>}
        help={t('Shown on the card.')}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            maxLength={300}
            value={reason}
            // biome-ignore lint/a11y/noAutofocus: the first field of a dialog takes the focus
            autoFocus
            onChange={(event) => setReason(event.target.value)}
          />
        )}
      </FormField>
    </ActionDialog>
  );
});

interface SwitchRowProps extends ControlProps {
  scope: Scope;
  canSwitchOn: boolean;
  onSwitchOff: (scope: Scope) => void;
}

const SwitchRow = observer(function SwitchRow({ store, item, scope, canSwitchOn, onSwitchOff }: SwitchRowProps) {
  const toasts = useService(TOASTS);
  const texts = SCOPE_TEXTS[scope];
  const isBusy = store.workOn(item) !== undefined;
  const switchOn = async () => {
    try {
      await store.switch(item, { scope, enabled: true, reason: '' });
      toasts.show(t(texts.switchedOn, { title: titleOf(item.attributes) }), { tone: 'done' });
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <div className="row wrap switch-row">
      <span className="grow t2">{canSwitchOn ? t(texts.off) : t(texts.on)}</span>
      {canSwitchOn ? (
        <Button size="small" text={t(texts.switchOn)} disabled={isBusy} onClick={() => void switchOn()} />
      ) : (
        <Button size="small" text={t(texts.switchOff)} disabled={isBusy} onClick={() => onSwitchOff(scope)} />
      )}
    </div>
  );
});

/** Why nothing runs while a switch is off or the connector is in quarantine, and the way out for who may take it. */
export const GateNote = observer(function GateNote({ store, item, can }: ControlProps & { can: AllowedActions }) {
  const actions = useConnectionActions(store);
  if (item.attributes.gate.state === 'open' || item.attributes.disabled !== null) return null;
  return (
    <div className="bp6-callout callout-warn gate-note">
      <div className="grow">
        <p>{gateText(item.attributes)}</p>
        {can.release && (
          <Button
            size="small"
            text={t('Release from quarantine')}
            disabled={store.workOn(item) !== undefined}
            onClick={() => void actions.release(item)}
          />
        )}
      </div>
    </div>
  );
});

/** The switches of the organisation and the platform, for those who may move them. */
export const Availability = observer(function Availability(props: ControlProps & { can: AllowedActions }) {
  const { can, ...control } = props;
  const [scope, setScope] = useState<Scope>();
  const hasOwn = can.switchOn || can.switchOff;
  const hasPlatform = can.platformSwitchOn || can.platformSwitchOff;
  if (!hasOwn && !hasPlatform) return null;
  return (
    <section className="sec">
      <h3>{t('Availability')}</h3>
      {hasOwn && <SwitchRow {...control} scope="organisation" canSwitchOn={can.switchOn} onSwitchOff={setScope} />}
      {hasPlatform && (
        <SwitchRow {...control} scope="platform" canSwitchOn={can.platformSwitchOn} onSwitchOff={setScope} />
      )}
      <SwitchOffDialog {...control} scope={scope} onClose={() => setScope(undefined)} />
    </section>
  );
});

/** Deletes the configuration, after saying what goes and what stays. */
export const DeleteConfiguration = observer(function DeleteConfiguration(
  props: ControlProps & { onDeleted: () => void },
) {
  const { store, item, onDeleted } = props;
  const toasts = useService(TOASTS);
  const [isAsking, setIsAsking] = useState(false);
  const title = titleOf(item.attributes);
  const remove = async () => {
    try {
      await store.remove(item);
      toasts.show(t('Configuration of {title} deleted', { title }), { tone: 'done' });
      setIsAsking(false);
      onDeleted();
    } catch (error) {
      // The specification only logs it; the person sees it as well.
      console.error('Deleting the configuration failed', error);
      toasts.showError(error);
    }
  };
  return (
    <section className="sec">
      <h3>{t('Configuration')}</h3>
      <div className="row wrap">
        <span className="grow t2">{t('Settings and secrets of this connection.')}</span>
        <Button
          size="small"
          text={t('Delete configuration')}
          disabled={store.workOn(item) !== undefined}
          onClick={() => setIsAsking(true)}
        />
      </div>
      <ActionDialog
        isOpen={isAsking}
        title={t('Delete the configuration of {title}', { title })}
        consequence={t(
          'Its settings and secrets are deleted and cannot be brought back. Findings, their verdicts and the history of this connection stay.',
        )}
        actionLabel={t('Delete configuration')}
        isDestructive
        isBusy={store.workOn(item) === 'remove'}
        onAction={() => void remove()}
        onClose={() => setIsAsking(false)}
      />
    </section>
  );
});
