import { HTMLSelect, Switch } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ConfirmLeave } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { FormField, FormSummary } from '../../../platform/ui/forms/form-field.tsx';
import { SaveButton } from '../../../platform/ui/forms/save-button.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { SCHEDULES } from '../../api/client-detail.ts';
import { ScanSettingsStore, type Schedule } from './scan-settings.store.ts';
import './scan-settings.css';

const SCHEDULE_LABELS: Readonly<Record<Schedule, string>> = {
  none: msg('Only when somebody asks'),
  weekly: msg('Every week'),
  monthly: msg('Every month'),
};

interface FormProps {
  store: ScanSettingsStore;
  isDisabled: boolean;
}

const ScanSettingsForm = observer(function ScanSettingsForm({ store, isDisabled }: FormProps) {
  const { draft } = store;
  if (draft === undefined) return <SkeletonRows rows={4} rowHeight={52} label={t('Scans')} />;
  return (
    <form
      id="scan-settings"
      className="scan-settings"
      noValidate={true}
      onSubmit={(event) => {
        event.preventDefault();
        void store.save();
      }}
    >
      <FormSummary issues={store.issues} />
      <FormField label={t('Schedule')} help={t('Of every repository that has no schedule of its own.')}>
        {({ id, 'aria-describedby': describedBy }) => (
          <HTMLSelect
            id={id}
            aria-describedby={describedBy}
            disabled={isDisabled}
            value={draft.schedule}
            options={SCHEDULES.map((value) => ({ value, label: t(SCHEDULE_LABELS[value]) }))}
            onChange={({ currentTarget }) =>
              store.set({ schedule: SCHEDULES.find((one) => one === currentTarget.value) ?? 'none' })
            }
          />
        )}
      </FormField>
      <Switch
        className="switch"
        label={t('Scan when code is pushed or a pull request is opened')}
        disabled={isDisabled}
        checked={draft.isAutonomous}
        onChange={() => store.set({ isAutonomous: !draft.isAutonomous })}
      />
      <Switch
        className="switch"
        label={t('Show the result of a scan as a status of the commit at the provider')}
        disabled={isDisabled}
        checked={draft.isReported}
        onChange={() => store.set({ isReported: !draft.isReported })}
      />
      <FormField
        label={t('Excluded tools')}
        help={t('One name a line, such as trivy or semgrep. Their reports are refused, and scans leave them out.')}
      >
        {(control) => (
          <textarea
            {...control}
            rows={4}
            spellCheck={false}
            disabled={isDisabled}
            value={draft.excluded}
            onChange={({ currentTarget }) => store.set({ excluded: currentTarget.value })}
          />
        )}
      </FormField>
    </form>
  );
});

/** `/settings/scans`: when the organisation scans, and with which tools not. */
export const ScanSettingsScreen = observer(function ScanSettingsScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [store] = useState(() => new ScanSettingsStore(api));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const mayChange = can(user?.role, 'settings.write');
  if (store.error !== undefined) {
    return <ErrorState title={t('The settings could not be read')} error={store.error} onRetry={store.load} />;
  }
  return (
    <div className="canvas">
      <ConfirmLeave isChanged={store.isChanged} />
      <PageHead title={t('Scans')}>{mayChange && <SaveButton form="scan-settings" store={store} />}</PageHead>
      <div className="page">
        {!mayChange && <p className="t2">{t('An admin can change it.')}</p>}
        <p className="muted small" role="status">
          {store.isSaved && t('Saved.')}
        </p>
        <ScanSettingsForm store={store} isDisabled={!mayChange} />
      </div>
    </div>
  );
});
