import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { can } from '../../platform/model/permissions.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import type { FixStore, Remediation } from './fix.store.ts';

type Settings = NonNullable<Remediation['attributes']['settings']>;

/** What a fix changes in the settings at the provider: each as it is and as it becomes. */
export function SettingChanges({ settings }: { settings: Settings }) {
  return (
    <dl className="setting-changes">
      {settings.map(({ setting, from, to }) => (
        <div key={setting}>
          <dt>{t(setting)}</dt>
          <dd>
            <span className="t2">{t(from)}</span> → <span className="strong">{t(to)}</span>
          </dd>
        </div>
      ))}
    </dl>
  );
}

/** The settings that a ready fix changes and this person may have changed; else null. */
export const useSettable = (store: FixStore): Settings | null => {
  const { user } = useService(SESSION);
  const settings = store.remediation?.attributes.settings ?? null;
  return store.isReady && can(user?.role, 'connectors.write') ? settings : null;
};

interface ApplySettingsProps {
  store: FixStore;
  settings: Settings;
  isBusy: boolean;
  onDone: () => void;
}

/** Changes the settings once a person has seen and confirmed what becomes of them. */
export const ApplySettings = observer(function ApplySettings(props: ApplySettingsProps) {
  const { store, settings, isBusy, onDone } = props;
  const repository = store.remediation?.attributes.repository ?? '';
  const [isAsked, setIsAsked] = useState(false);
  const apply = async () => {
    await store.applySettings();
    setIsAsked(false);
    onDone();
  };
  return (
    <>
      <Button intent="primary" text={t('Change settings…')} disabled={isBusy} onClick={() => setIsAsked(true)} />
      <ActionDialog
        isOpen={isAsked}
        title={plural(
          settings.length,
          'Change {count} setting of {repository}',
          'Change {count} settings of {repository}',
          {
            repository,
          },
        )}
        consequence={t(
          'It is done at the provider at once, with the rights of the connection, for everybody who works there.',
        )}
        actionLabel={t('Change settings')}
        isBusy={store.step === 'open'}
        onAction={() => void apply()}
        onClose={() => setIsAsked(false)}
      >
        <SettingChanges settings={settings} />
      </ActionDialog>
    </>
  );
});
