import { Button, Switch, TextArea } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ConfirmLeave } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { VersionLookupStore } from './version-lookup.store.ts';
import './version-lookup.css';

const EXAMPLE = '@acme/*\ncom.acme:*';

/** Whether newest versions are looked up at a public service, and of which packages never. */
export const VersionLookupScreen = observer(function VersionLookupScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [store] = useState(() => new VersionLookupStore(api));
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
      <PageHead title={t('Newest versions')}>
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
        <p className="t2 lookup-intro">
          {t('The SBOM can show how old each version in use is, and which one is the newest that was published.')}
          {!mayChange && ` ${t('An admin can change it.')}`}
        </p>
        {store.saveError !== undefined && (
          <p className="bp6-callout callout-bad" role="alert">
            {store.saveError}
          </p>
        )}
        <p className="lookup-saved" role="status">
          {store.isSaved && savedText(store.draft?.isEnabled === true)}
        </p>
        {store.draft === undefined ? (
          <SkeletonRows rows={6} rowHeight={36} label={t('Newest versions')} />
        ) : (
          <div className="lookup-cards">
            <Lookup store={store} mayChange={mayChange} />
            <PrivatePackages store={store} mayChange={mayChange} />
          </div>
        )}
      </div>
    </div>
  );
});

const savedText = (isEnabled: boolean): string =>
  isEnabled
    ? t('Saved. The inventories are looked up now; large ones take some minutes.')
    : t('Saved. Nothing is sent.');

interface FormProps {
  store: VersionLookupStore;
  mayChange: boolean;
}

/** The switch, and what it sends to whom. */
const Lookup = observer(function Lookup({ store, mayChange }: FormProps) {
  const { draft, service } = store;
  if (draft === undefined) return null;
  return (
    <section className="bp6-card lookup-card" aria-label={t('Lookup')}>
      <h2>{t('Lookup')}</h2>
      <Switch
        checked={draft.isEnabled}
        disabled={!mayChange}
        label={t('Look up newest versions')}
        onChange={({ currentTarget }) => store.change({ isEnabled: currentTarget.checked })}
      />
      <dl className="kv">
        <dt>{t('Sent to')}</dt>
        <dd className="mono">{service}</dd>
        <dt>{t('What is sent')}</dt>
        <dd>{t('The ecosystem and the name of each package, such as npm and lodash, and nothing else.')}</dd>
        <dt>{t('Never sent')}</dt>
        <dd>{t('Versions in use, names of applications and of your organisation, findings, and private packages.')}</dd>
        <dt>{t('How often')}</dt>
        <dd>{t('Each package once a day at most: after an import that brought components, and then every day.')}</dd>
        <dt>{t('Ecosystems')}</dt>
        <dd>{t('npm, PyPI, Go, Maven, Cargo, NuGet and RubyGems')}</dd>
      </dl>
    </section>
  );
});

/** Patterns of what is never sent. */
const PrivatePackages = observer(function PrivatePackages({ store, mayChange }: FormProps) {
  const { draft, lineIssues } = store;
  if (draft === undefined) return null;
  const error =
    lineIssues.length === 0
      ? undefined
      : plural(lineIssues.length, '{count} line cannot be used.', '{count} lines cannot be used.');
  return (
    <section className="bp6-card lookup-card" aria-label={t('Private packages')}>
      <h2>{t('Private packages')}</h2>
      <p className="muted">
        {t(
          'Their names are never sent. One pattern on each line; “*” stands for any characters, and case does not matter.',
        )}
      </p>
      <FormField label={t('Names that are never sent')} error={error}>
        {({ className: _, ...control }) => (
          <TextArea
            {...control}
            className="mono"
            fill
            rows={8}
            spellCheck={false}
            intent={error === undefined ? 'none' : 'danger'}
            placeholder={EXAMPLE}
            value={draft.excluded}
            disabled={!mayChange}
            onChange={({ currentTarget }) => store.change({ excluded: currentTarget.value })}
          />
        )}
      </FormField>
      {lineIssues.length > 0 && (
        <ul className="lookup-issues">
          {lineIssues.map(({ line, message }) => (
            <li key={line} className="err">
              <span className="mono">{line}</span> {message}
            </li>
          ))}
        </ul>
      )}
    </section>
  );
});
