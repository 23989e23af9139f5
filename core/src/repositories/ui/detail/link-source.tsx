import { Button, HTMLSelect } from '@blueprintjs/core';
import { Link as LinkIcon } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { OptionList } from '../../../platform/ui/forms/option-list.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { linkRepository } from '../../api/provider-routes.ts';
import { ImportStore, isSelectable, type ProviderRow } from '../import/import.store.ts';

/** Those that are called like the application come first. */
const byLikeness = (rows: readonly ProviderRow[], name: string): ProviderRow[] => {
  const wanted = name.toLowerCase();
  const isAlike = ({ attributes }: ProviderRow): boolean =>
    attributes.name.toLowerCase().split('/').at(-1) === wanted.split('/').at(-1);
  return rows.toSorted((a, b) => Number(isAlike(b)) - Number(isAlike(a)));
};

interface ChoiceProps {
  store: ImportStore;
  name: string;
  chosen: string | undefined;
  onChoose: (id: string | undefined) => void;
}

const Repositories = observer(function Repositories({ store, name, chosen, onChoose }: ChoiceProps) {
  if (store.error !== undefined)
    return (
      <ErrorState
        title={t('Failed to get repositories {name}', { name: store.current?.attributes.title ?? '' })}
        error={store.error}
        onRetry={() => void store.loadRows()}
      />
    );
  if (store.rows === undefined)
    return <SkeletonRows rows={4} rowHeight={30} label={t('The repositories are being read')} />;
  const rows = byLikeness(
    store.rows.filter(({ attributes }) => isSelectable(attributes)),
    name,
  );
  return (
    <div className="link-source">
      <OptionList
        label={t('Repository')}
        options={rows.map(({ _id, attributes }) => ({ value: _id, label: attributes.name }))}
        selected={chosen === undefined ? [] : [chosen]}
        onPick={onChoose}
        isFilterable
      />
    </div>
  );
});

const Choice = observer(function Choice(props: ChoiceProps) {
  const { store, onChoose } = props;
  const connected = (store.sources ?? []).filter(({ attributes }) => attributes.is_connected);
  if (store.sourcesError !== undefined)
    return (
      <ErrorState
        title={t('The source controls could not be read')}
        error={store.sourcesError}
        onRetry={() => void store.loadSources()}
      />
    );
  if (store.sources === undefined) return <SkeletonRows rows={2} rowHeight={30} label={t('Source controls')} />;
  if (connected.length === 0)
    return (
      <p>
        {t('No source control is connected yet.')} <Link to="/connector/providers">{t('Connect one')}</Link>
      </p>
    );
  return (
    <>
      <FormField label={t('Source control')}>
        {(control) => (
          <HTMLSelect
            id={control.id}
            fill
            value={store.source ?? ''}
            options={connected.map(({ _id, attributes }) => ({ value: _id, label: attributes.title }))}
            onChange={({ currentTarget }) => {
              onChoose(undefined);
              store.show(connected.find(({ _id }) => _id === currentTarget.value)?._id);
            }}
          />
        )}
      </FormField>
      <Repositories {...props} />
    </>
  );
});

/** Reads the source controls when it appears, and lists the repositories of the first one that is connected. */
const useSources = (): ImportStore => {
  const api = useService(API);
  const [store] = useState(() => new ImportStore(api, ({ attributes }) => attributes.has_account));
  useEffect(() => {
    const begin = async () => {
      await store.loadSources();
      store.show(store.sources?.find(({ attributes }) => attributes.is_connected)?._id);
    };
    void begin();
    return () => store.dispose();
  }, [store]);
  return store;
};

interface LinkSourceProps {
  id: string;
  name: string;
  onLinked: () => void;
}

const LinkDialog = observer(function LinkDialog({
  id,
  name,
  onLinked,
  onClose,
}: LinkSourceProps & { onClose: () => void }) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const store = useSources();
  const [chosen, setChosen] = useState<string>();
  const [isBusy, setIsBusy] = useState(false);
  const link = async () => {
    if (chosen === undefined || store.source === undefined) return;
    setIsBusy(true);
    try {
      const body = { source_control: store.source, external_id: chosen };
      await api.call(linkRepository, { params: { id }, body });
      toasts.show(t('{name} is linked to its repository', { name }), { tone: 'done' });
      onLinked();
      onClose();
    } catch (error) {
      toasts.showError(error);
      setIsBusy(false);
    }
  };
  return (
    <ActionDialog
      isOpen
      title={t('Link {name} to its repository', { name })}
      consequence={t(
        'Findings, verdicts and components stay. Its files can then be read, scanned and fixed by pull requests.',
      )}
      actionLabel={t('Link repository')}
      isActionEnabled={chosen !== undefined}
      isBusy={isBusy}
      onAction={() => void link()}
      onClose={onClose}
    >
      <Choice store={store} name={name} chosen={chosen} onChoose={setChosen} />
    </ActionDialog>
  );
});

/** For an application that is known by its reports alone: says which repository of a source control it is. */
export function LinkSource(props: LinkSourceProps) {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button size="small" icon={<LinkIcon />} text={t('Link to its repository')} onClick={() => setIsOpen(true)} />
      {isOpen && <LinkDialog {...props} onClose={() => setIsOpen(false)} />}
    </>
  );
}
