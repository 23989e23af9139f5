import { Button, Radio, RadioGroup } from '@blueprintjs/core';
import { SEVERITIES, type Severity } from '@breakwater/sdk';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { formatTime } from '../../../platform/ui/display/formats.ts';
import { ConfirmLeave } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { SaveButton } from '../../../platform/ui/forms/save-button.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { SEVERITY_LABELS } from '../../model/labels.ts';
import { DUE_STARTS, type DueStart } from '../../model/sla.ts';
import { SlaSettingsStore } from './sla-settings.store.ts';
import './sla-settings.css';

const idOf = (severity: Severity): string => `sla-${severity}`;

const STARTS: Readonly<Record<DueStart, { label: string; helper: string }>> = {
  reported: {
    label: msg('When the tool reported it'),
    helper: msg('What was due before its first import here says so.'),
  },
  found: {
    label: msg('When it was first found here'),
    helper: msg('Nothing is overdue with its first import.'),
  },
};

const StartField = observer(function StartField({ store, mayChange }: { store: SlaSettingsStore; mayChange: boolean }) {
  return (
    <RadioGroup
      className="sla-starts"
      label={t('The days count from')}
      name="sla-starts"
      selectedValue={store.starts}
      disabled={!mayChange}
      onChange={({ currentTarget: { value } }) => {
        const chosen = DUE_STARTS.find((one) => one === value);
        if (chosen !== undefined) store.setStarts(chosen);
      }}
    >
      {DUE_STARTS.map((value) => (
        <Radio key={value} value={value}>
          {t(STARTS[value].label)} <span className="muted small">{t(STARTS[value].helper)}</span>
        </Radio>
      ))}
    </RadioGroup>
  );
});

const SlaForm = observer(function SlaForm({ store, mayChange }: { store: SlaSettingsStore; mayChange: boolean }) {
  const save = async () => {
    const wrong = await store.save();
    if (wrong !== undefined) document.getElementById(idOf(wrong))?.focus();
  };
  return (
    <form
      id="sla-form"
      className="bp6-card sla-form"
      noValidate={true}
      onSubmit={(event) => {
        event.preventDefault();
        void save();
      }}
    >
      <h2>{t('Days to fix, by severity')}</h2>
      <div className="sla-fields">
        {SEVERITIES.map((severity) => (
          <FormField
            key={severity}
            id={idOf(severity)}
            label={t(SEVERITY_LABELS[severity])}
            error={store.issues[severity]}
          >
            {(control) => (
              <input
                {...control}
                inputMode="numeric"
                autoComplete="off"
                placeholder={t('No limit')}
                disabled={!mayChange}
                value={store.draft[severity]}
                onChange={(event) => store.set(severity, event.currentTarget.value)}
              />
            )}
          </FormField>
        ))}
      </div>
      <StartField store={store} mayChange={mayChange} />
      {mayChange && (
        <div className="row">
          <Button
            variant="minimal"
            text={t('Back to 1, 7, 30, 90, no limit')}
            disabled={store.isDefault}
            onClick={store.reset}
          />
        </div>
      )}
    </form>
  );
});

const changedText = (at: string, by: string | null): string =>
  by === null
    ? t('Last changed {time}.', { time: formatTime(at) })
    : t('Last changed {time} by {name}.', { time: formatTime(at), name: by });

/** How long a finding may stay open. */
export const SlaScreen = observer(function SlaScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [store] = useState(() => new SlaSettingsStore(api));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const mayChange = can(user?.role, 'settings.write');
  const { stored } = store;
  if (store.error !== undefined) {
    return <ErrorState title={t('The due dates could not be read')} error={store.error} onRetry={store.load} />;
  }
  return (
    <div className="canvas">
      <ConfirmLeave isChanged={store.isChanged} />
      <PageHead title={t('Due dates')}>{mayChange && <SaveButton form="sla-form" store={store} />}</PageHead>
      <div className="page">
        <p className="t2 sla-intro">
          <Words
            of="An open finding is due so many days after it was reported or found, as you choose: due soon in the last quarter of that time, overdue after it. <a>Show what is overdue</a>."
            a={(text) => <Link to="/findings?sla=overdue">{text}</Link>}
          />
          {!mayChange && ` ${t('An admin can change it.')}`}
        </p>
        {store.saveError !== undefined && (
          <p className="bp6-callout callout-bad" role="alert">
            {store.saveError}
          </p>
        )}
        {stored === undefined ? (
          <SkeletonRows rows={5} rowHeight={52} label={t('Due dates')} />
        ) : (
          <SlaForm store={store} mayChange={mayChange} />
        )}
        <p className="muted small" role="status">
          {store.isSaved && `${t('Saved. Lists and counts follow it from now on.')} `}
          {typeof stored?.updated_at === 'string' && changedText(stored.updated_at, stored.updated_by)}
        </p>
      </div>
    </div>
  );
});
