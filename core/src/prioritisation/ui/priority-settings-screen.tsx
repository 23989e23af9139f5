import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { type SubmitEvent, useEffect, useMemo, useState } from 'react';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ConfirmLeave } from '../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { SaveButton } from '../../platform/ui/forms/save-button.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { PrioritySettingsStore } from './priority-settings.store.ts';
import { fieldLabel } from './settings-draft.ts';
import { SettingsFields, SettingsHistory, SettingsProgress } from './settings-fields.tsx';
import { PartWeights, SettingsPreview } from './settings-preview.tsx';
import './reference-data.css';
import './priority-settings.css';

const Issues = observer(function Issues({ store }: { store: PrioritySettingsStore }) {
  const { issues, saveError } = store;
  // a new list only for a new attempt: the summary takes the focus then
  const all = useMemo(
    () => [
      ...[...issues].map(([fieldId, message]) => ({ fieldId, message: `${fieldLabel(fieldId)}${message}` })),
      ...(saveError === undefined ? [] : [{ message: saveError }]),
    ],
    [issues, saveError],
  );
  return <FormSummary issues={all} />;
});

const Intro = ({ mayChange }: { mayChange: boolean }) => (
  <p className="t2 priority-intro">
    {t(
      'The priority of a finding, 0 to 100, is the sum of six parts. Here you say how much each factor counts in your organisation.',
    )}
    {!mayChange && ` ${t('Only an admin can change it.')}`}
  </p>
);

const FormArea = observer(function FormArea({
  store,
  mayChange,
}: {
  store: PrioritySettingsStore;
  mayChange: boolean;
}) {
  const handleSubmit = (event: SubmitEvent) => {
    event.preventDefault();
    void store.save();
  };
  return (
    <div className="priority-columns">
      <form id="priority-settings" noValidate={true} aria-label={t('Prioritisation settings')} onSubmit={handleSubmit}>
        <SettingsFields store={store} mayChange={mayChange} />
      </form>
      <div className="priority-aside">
        <PartWeights store={store} />
        {mayChange && <SettingsPreview store={store} />}
        <SettingsHistory store={store} />
      </div>
    </div>
  );
});

/** How the organisation weighs what a priority rests on. */
export const PrioritySettingsScreen = observer(function PrioritySettingsScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const mayChange = can(user?.role, 'settings.write');
  const [store] = useState(() => new PrioritySettingsStore(api, mayChange));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  if (store.error !== undefined) {
    return (
      <ErrorState title={t('The prioritisation settings could not be read')} error={store.error} onRetry={store.load} />
    );
  }
  return (
    <div className="canvas">
      <ConfirmLeave isChanged={store.isChanged} />
      <PageHead title={t('Prioritisation')}>
        {mayChange && store.isOutdated && <Button text={t('Load anew')} onClick={() => void store.load()} />}
        {mayChange && <SaveButton form="priority-settings" store={store} />}
      </PageHead>
      <div className="page">
        <Intro mayChange={mayChange} />
        <Issues store={store} />
        <SettingsProgress store={store} />
        {store.draft === undefined ? (
          <SkeletonRows rows={10} rowHeight={36} label={t('Prioritisation settings')} />
        ) : (
          <FormArea store={store} mayChange={mayChange} />
        )}
      </div>
    </div>
  );
});
