import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import type { ConnectorItem } from '../data/connector.ts';
import type { AllowedActions } from '../data/connector-state.ts';
import { gateText } from '../data/connector-text.ts';
import type { ConnectorsStore, SwitchOrder } from '../data/connectors.store.ts';
import { useConnectionActions } from '../data/use-connectors.ts';

const SCOPE_WORDS = { organisation: 'for your organisation', platform: 'for every organisation' } as const;
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
  const where = SCOPE_WORDS[scope ?? 'organisation'];
  const { title } = item.attributes;
  const switchOff = async () => {
    if (scope === undefined) return;
    try {
      await store.switch(item, { scope, enabled: false, reason });
      toasts.show(`${title} switched off ${where}`, { tone: 'done' });
      setReason('');
      onClose();
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <ActionDialog
      isOpen={scope !== undefined}
      title={`Switch off ${title} ${where}`}
      consequence="Nothing of it runs any more. Its settings, secrets and findings stay, and it can be switched on again."
      actionLabel="Switch off"
      isBusy={store.workOn(item) === 'switch'}
      onAction={() => void switchOff()}
      onClose={onClose}
    >
      <FormField label="Reason" aside={<span className="muted small">Optional</span>} help="Shown on the card.">
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
  const where = SCOPE_WORDS[scope];
  const isBusy = store.workOn(item) !== undefined;
  const switchOn = async () => {
    try {
      await store.switch(item, { scope, enabled: true, reason: '' });
      toasts.show(`${item.attributes.title} switched on ${where}`, { tone: 'done' });
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <div className="row wrap switch-row">
      <span className="grow t2">
        {canSwitchOn ? 'Off' : 'On'} {where}
      </span>
      {canSwitchOn ? (
        <Button size="small" text={`Switch on ${where}`} disabled={isBusy} onClick={() => void switchOn()} />
      ) : (
        <Button size="small" text={`Switch off ${where}`} disabled={isBusy} onClick={() => onSwitchOff(scope)} />
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
            text="Release from quarantine"
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
      <h3>Availability</h3>
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
  const { title } = item.attributes;
  const remove = async () => {
    try {
      await store.remove(item);
      toasts.show(`Configuration of ${title} deleted`, { tone: 'done' });
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
      <h3>Configuration</h3>
      <div className="row wrap">
        <span className="grow t2">Settings and secrets of this connection.</span>
        <Button
          size="small"
          text="Delete configuration"
          disabled={store.workOn(item) !== undefined}
          onClick={() => setIsAsking(true)}
        />
      </div>
      <ActionDialog
        isOpen={isAsking}
        title={`Delete the configuration of ${title}`}
        consequence="Its settings and secrets are deleted and cannot be brought back. Findings, their verdicts and the history of this connection stay."
        actionLabel="Delete configuration"
        isDestructive
        isBusy={store.workOn(item) === 'remove'}
        onAction={() => void remove()}
        onClose={() => setIsAsking(false)}
      />
    </section>
  );
});
