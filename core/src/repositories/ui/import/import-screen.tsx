import { Button, ProgressBar } from '@blueprintjs/core';
import { Link as LinkIcon } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link, useNavigate, useSearchParams } from 'react-router-dom';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/data/api-client.ts';
import { pathOfExpired } from '../../../platform/ui/data/expired-connection.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { EmptyState, ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../../shell/ui/navigation/shell-ports.ts';
import { AddressForm } from './address-form.tsx';
import { ImportStore, type SourceControlItem } from './import.store.ts';
import { ProviderList } from './provider-list.tsx';
import './import.css';

interface StoreProps {
  store: ImportStore;
}

/** What can be picked here: `local` names folders of the server, which no form can. */
const canBePicked = ({ _id }: SourceControlItem): boolean => _id !== 'local';

/** The one in the address, else the first that is connected, else the first. */
const sourceOf = (wanted: string | null, sources: readonly SourceControlItem[]): string | undefined =>
  [
    sources.find(({ _id }) => _id === wanted),
    sources.find(({ attributes }) => attributes.is_connected),
    sources[0],
  ].find((source) => source !== undefined)?._id;

const labelOf = ({ _id, attributes }: SourceControlItem): string =>
  _id === 'git' ? t('By address') : attributes.title;

const standing = ({ attributes }: SourceControlItem): string => {
  const { count, has_account, is_connected } = attributes;
  const imported = count === 0 ? t('None imported') : t('{count} imported', { count });
  return has_account && !is_connected ? t('Not connected') : imported;
};

const Picker = observer(function Picker({ store, onPick }: StoreProps & { onPick: (id: string) => void }) {
  return (
    <fieldset className="source-picker">
      <legend className="sr">{t('Source control')}</legend>
      {(store.sources ?? []).map((item) => (
        <label key={item._id} className={item._id === store.source ? 'is-on' : undefined}>
          <input
            type="radio"
            name="source_control"
            checked={item._id === store.source}
            disabled={store.run?.isRunning === true}
            onChange={() => onPick(item._id)}
          />
          <span className="strong">{labelOf(item)}</span>
          <span className="small muted">{standing(item)}</span>
        </label>
      ))}
    </fieldset>
  );
});

const NotConnected = observer(function NotConnected({ item }: { item: SourceControlItem }) {
  const role = useService(SESSION).user?.role;
  const { title, problem } = item.attributes;
  return (
    <EmptyState
      icon={<LinkIcon size={20} />}
      title={problem === null ? t('{name} is not connected yet.', { name: title }) : t(problem)}
      actions={
        can(role, 'connectors.read') ? (
          <Link
            className="bp6-button bp6-intent-primary"
            to={`/connector?source_control=${encodeURIComponent(item._id)}`}
          >
            {t('Connect {name}', { name: title })}
          </Link>
        ) : undefined
      }
    >
      {can(role, 'connectors.write')
        ? t('Once it is connected, its repositories are listed here.')
        : t('An admin of your organisation connects it. Its repositories are then listed here.')}
    </EmptyState>
  );
});

/** How far the import is, and what became of it. */
const Outcome = observer(function Outcome({ store }: StoreProps) {
  const { run } = store;
  if (run === undefined) return null;
  const { done, total, failures, isRunning, stopped, next } = run;
  return (
    <div className="import-outcome" role="status">
      <div className="row">
        <span className="grow">
          {isRunning
            ? plural(total, '{done} of {count} repository imported', '{done} of {count} repositories imported', {
                done,
              })
            : plural(done, '{count} repository imported', '{count} repositories imported')}
          {failures.length > 0 && t(', {count} refused', { count: failures.length })}
          {stopped !== undefined &&
            plural(total - done - failures.length, '. {reason} {count} is left.', '. {reason} {count} are left.', {
              reason: stopped,
            })}
        </span>
        {next !== undefined && <Link to={next.to}>{next.label}</Link>}
        {isRunning ? (
          <Button size="small" text={t('Cancel')} onClick={store.cancel} />
        ) : (
          <Link to="/Repositories">{t('Go to the repositories')}</Link>
        )}
      </div>
      {isRunning && (
        <ProgressBar
          animate={false}
          stripes={false}
          value={(done + failures.length) / total}
          aria-label={t('Import')}
        />
      )}
      {failures.length > 0 && (
        <ul className="small import-failures">
          {failures.map(({ name, why }) => (
            <li key={name}>
              <span className="strong wrap-any">{name}</span> {t(why)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
});

const ImportAction = observer(function ImportAction({ store }: StoreProps) {
  const count = store.selected.size;
  if (store.current?.attributes.is_connected !== true) return null;
  return (
    <Button
      intent="primary"
      text={count === 0 ? t('Import') : plural(count, 'Import {count} repository', 'Import {count} repositories')}
      disabled={count === 0}
      loading={store.run?.isRunning === true}
      onClick={() => void store.importSelected()}
    />
  );
});

const Body = observer(function Body({ store }: StoreProps) {
  const item = store.current;
  if (item === undefined) return null;
  if (!item.attributes.has_account) return <AddressForm store={store} />;
  return item.attributes.is_connected ? <ProviderList store={store} /> : <NotConnected item={item} />;
});

/** A connection whose token ended for good was cleared: says so, and goes to where a new one is made. */
const useExpired = ({ error, current }: ImportStore): void => {
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const path = pathOfExpired(error, current?.attributes.title ?? '');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each time that it ends
  useEffect(() => {
    if (path === undefined) return;
    toasts.showError(error);
    navigate(path);
  }, [path]);
};

/** Picks repositories of a source control, with their branches, and imports them. */
export const ImportScreen = observer(function ImportScreen() {
  const api = useService(API);
  const [params, setParams] = useSearchParams();
  const [store] = useState(() => new ImportStore(api, canBePicked));
  const wanted = params.get('source_control');
  useEffect(() => {
    void store.loadSources();
    return () => store.dispose();
  }, [store]);
  useExpired(store);
  const isLoaded = store.sources !== undefined;
  useEffect(() => {
    if (isLoaded) store.show(sourceOf(wanted, store.sources ?? []));
  }, [store, wanted, isLoaded]);
  return (
    <div className="list-page import-page">
      <PageHead title={t('Import repositories')}>
        <ImportAction store={store} />
      </PageHead>
      {store.sourcesError !== undefined && store.sources === undefined ? (
        <ErrorState
          title={t('The source controls could not be read')}
          error={store.sourcesError}
          onRetry={() => void store.loadSources()}
        />
      ) : !isLoaded ? (
        <SkeletonRows rows={6} rowHeight={36} label={t('Source controls')} />
      ) : (
        <>
          <Picker store={store} onPick={(id) => setParams({ source_control: id }, { replace: true })} />
          <Outcome store={store} />
          <Body store={store} />
        </>
      )}
    </div>
  );
});
