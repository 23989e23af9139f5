import { Button, HTMLSelect, InputGroup } from '@blueprintjs/core';
import { Error as ErrorIcon, Plus, Trash } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../../platform/model/message.ts';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ConfirmLeave } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { Words } from '../../../platform/ui/language/words.tsx';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { LICENSE_CLASS_LABELS, LICENSE_CLASS_MEANINGS, LICENSE_CLASSES } from '../../model/license-classes.ts';
import { LICENSE_VERDICTS, type LicenseVerdict } from '../../model/license-policy.ts';
import { LicensePolicyStore } from './license-policy.store.ts';
import '../list/sbom.css';
import './license-policy.css';

/** Which licences are allowed, want a look, or are forbidden. */
export const LicensePolicyScreen = observer(function LicensePolicyScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [store] = useState(() => new LicensePolicyStore(api));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const mayChange = can(user?.role, 'settings.write');
  if (store.error !== undefined) {
    return <ErrorState title={t('The licence policy could not be read')} error={store.error} onRetry={store.load} />;
  }
  return (
    <div className="canvas">
      <ConfirmLeave isChanged={store.isChanged} />
      <PageHead title={t('Licence policy')}>
        {mayChange && (
          <Button
            intent="primary"
            text={t('Save')}
            disabled={!store.isChanged}
            loading={store.isSaving}
            onClick={() => void store.save()}
          />
        )}
      </PageHead>
      <div className="page">
        <p className="t2 policy-intro">
          <Words
            of="Components whose licence is not allowed become findings: forbidden ones of severity high, those to review of severity medium. <a>Show them</a>."
            a={(text) => <Link to="/findings/all?type=License">{text}</Link>}
          />
          {store.updatedAt === null && ` ${t('This is the policy that Breakwater begins with.')}`}
          {!mayChange && ` ${t('An admin can change it.')}`}
        </p>
        {store.saveError !== undefined && (
          <p className="bp6-callout callout-bad" role="alert">
            {store.saveError}
          </p>
        )}
        <p className="policy-saved" role="status">
          {store.isSaved && t('Saved. The inventories are checked again; findings follow within a minute.')}
        </p>
        {store.draft === undefined ? (
          <SkeletonRows rows={8} rowHeight={36} label={t('Licence policy')} />
        ) : (
          <div className="policy-cards">
            <LicenseClassRules store={store} mayChange={mayChange} />
            <SingleLicenses store={store} mayChange={mayChange} />
          </div>
        )}
      </div>
    </div>
  );
});

const VERDICT_WORDS: Readonly<Record<LicenseVerdict, string>> = {
  allowed: msg('Allowed'),
  review: msg('Review'),
  forbidden: msg('Forbidden'),
};

interface VerdictSelectProps {
  label: string;
  value: LicenseVerdict;
  isDisabled: boolean;
  onChange: (verdict: LicenseVerdict) => void;
}

function VerdictSelect({ label, value, isDisabled, onChange }: VerdictSelectProps) {
  return (
    <HTMLSelect
      aria-label={label}
      value={value}
      disabled={isDisabled}
      onChange={({ currentTarget }) => {
        const chosen = LICENSE_VERDICTS.find((verdict) => verdict === currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
      options={LICENSE_VERDICTS.map((verdict) => ({ value: verdict, label: t(VERDICT_WORDS[verdict]) }))}
    />
  );
}

interface LicensePolicyFormProps {
  store: LicensePolicyStore;
  mayChange: boolean;
}

/** The rule of each class of licence. */
const LicenseClassRules = observer(function LicenseClassRules({ store, mayChange }: LicensePolicyFormProps) {
  const { draft } = store;
  if (draft === undefined) return null;
  return (
    <section className="bp6-card policy-card" aria-label={t('Classes of licences')}>
      <h2>{t('Classes of licences')}</h2>
      <ul className="policy-classes">
        {LICENSE_CLASSES.map((licenseClass) => (
          <li key={licenseClass}>
            <span>
              {t(LICENSE_CLASS_LABELS[licenseClass])}
              <span className="muted small license-note">{t(LICENSE_CLASS_MEANINGS[licenseClass])}</span>
            </span>
            <VerdictSelect
              label={t(LICENSE_CLASS_LABELS[licenseClass])}
              value={draft.classes[licenseClass]}
              isDisabled={!mayChange}
              onChange={(verdict) => store.setClass(licenseClass, verdict)}
            />
          </li>
        ))}
      </ul>
    </section>
  );
});

/** Rules for single licences, which come before their class. */
const SingleLicenses = observer(function SingleLicenses({ store, mayChange }: LicensePolicyFormProps) {
  const { draft } = store;
  if (draft === undefined) return null;
  return (
    <section className="bp6-card policy-card" aria-label={t('Single licences')}>
      <h2>{t('Single licences')}</h2>
      <p className="muted">
        {t('They come before their class. Use the SPDX id, or the name that your inventories use.')}
      </p>
      <ul className="policy-licenses">
        {draft.licenses.map(({ key, license, verdict }, index) => {
          const issue = store.rowIssues.get(index);
          const name = license.trim() === '' ? t('licence {number}', { number: index + 1 }) : license;
          return (
            <li key={key}>
              <InputGroup
                value={license}
                placeholder={t('AGPL-3.0-only')}
                aria-label={t('Licence {number}', { number: index + 1 })}
                aria-invalid={issue !== undefined}
                {...(issue === undefined ? {} : { 'aria-describedby': `license-issue-${key}`, intent: 'danger' })}
                disabled={!mayChange}
                maxLength={200}
                onValueChange={(text) => store.changeLicense(key, { license: text })}
              />
              <VerdictSelect
                label={t('Rule for {name}', { name })}
                value={verdict}
                isDisabled={!mayChange}
                onChange={(chosen) => store.changeLicense(key, { verdict: chosen })}
              />
              {mayChange && (
                <Button
                  variant="minimal"
                  icon={<Trash aria-hidden={true} />}
                  aria-label={t('Remove {name}', { name })}
                  onClick={() => store.removeLicense(key)}
                />
              )}
              {issue !== undefined && (
                <p className="err" id={`license-issue-${key}`}>
                  <ErrorIcon size={12} aria-hidden={true} />
                  {issue}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      {draft.licenses.length === 0 && <p className="muted">{t('No licence has a rule of its own.')}</p>}
      {mayChange && <Button icon={<Plus aria-hidden={true} />} text={t('Add a licence')} onClick={store.addLicense} />}
    </section>
  );
});
