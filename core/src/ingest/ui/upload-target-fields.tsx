import { InputGroup, MenuItem } from '@blueprintjs/core';
import { Application as ApplicationIcon, Plus } from '@blueprintjs/icons';
import { type ItemRenderer, Suggest } from '@blueprintjs/select';
import { observer } from 'mobx-react-lite';
import type { MouseEventHandler } from 'react';
import type { Application } from '../../platform/ui/data/uploads-port.ts';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { suggestApplication } from '../model/suggest-application.ts';
import type { UploadStore } from './upload.store.ts';

const isSame = (a: Application, b: Application): boolean =>
  a.kind === b.kind && a.name === b.name && (a.kind === 'new' || b.kind === 'new' || a.id === b.id);

const renderItem: ItemRenderer<Application> = (item, { handleClick, handleFocus, modifiers, ref, index }) =>
  modifiers.matchesPredicate ? (
    <MenuItem
      key={index}
      ref={ref}
      active={modifiers.active}
      icon={<ApplicationIcon />}
      text={item.name}
      roleStructure="listoption"
      onClick={handleClick}
      onFocus={() => handleFocus?.()}
    />
  ) : null;

/** What is typed counts without a further click: the application of that name, else a new one. */
const typed = (name: string, items: readonly Application[], mayCreate: boolean): Application | undefined =>
  items.find((item) => item.name.toLowerCase() === name.toLowerCase()) ??
  (mayCreate ? { kind: 'new', name } : undefined);

interface ApplicationFieldProps {
  uploads: UploadStore;
  selected: Application | undefined;
  onSelect: (application: Application | undefined) => void;
  isDisabled: boolean;
  /** Without it only applications that are there can be chosen. */
  mayCreate: boolean;
}

/** Whose reports these are: an application that is there, or a new name. */
export const ApplicationField = observer(function ApplicationField(props: ApplicationFieldProps) {
  const { uploads, selected, onSelect, isDisabled, mayCreate } = props;
  const items = uploads.repositories.map(
    ({ _id, attributes }): Application => ({ kind: 'existing', id: _id, name: attributes.nickname }),
  );
  const creation = {
    createNewItemFromQuery: (name: string): Application => ({ kind: 'new', name: name.trim() }),
    createNewItemRenderer: (name: string, active: boolean, handleClick: MouseEventHandler<HTMLElement>) => (
      <MenuItem
        icon={<Plus />}
        active={active}
        text={t('New application “{name}”', { name: name.trim() })}
        roleStructure="listoption"
        onClick={handleClick}
      />
    ),
  };
  return (
    <FormField
      label={t('Application')}
      help={mayCreate ? t('Choose one, or type a new name.') : t('Choose one of yours.')}
    >
      {(control) => (
        <Suggest<Application>
          fill
          disabled={isDisabled}
          items={items}
          selectedItem={selected ?? null}
          itemsEqual={isSame}
          itemRenderer={renderItem}
          itemPredicate={(query, item) => item.name.toLowerCase().includes(query.trim().toLowerCase())}
          inputValueRenderer={(item) => item.name}
          onItemSelect={onSelect}
          onQueryChange={(query) => {
            const name = query.trim();
            if (name === '') return;
            void uploads.search(name);
            onSelect(typed(name, items, mayCreate));
          }}
          resetOnClose
          noResults={<MenuItem disabled text={t('No options.')} roleStructure="listoption" />}
          inputProps={{ id: control.id, 'aria-describedby': control['aria-describedby'], placeholder: t('Search...') }}
          popoverProps={{ minimal: true, matchTargetWidth: true }}
          {...(mayCreate ? creation : {})}
        />
      )}
    </FormField>
  );
});

interface SuggestionProps {
  uploads: UploadStore;
  fileNames: readonly string[];
  onSelect: (application: Application) => void;
}

/** A name by what the files are called, taken over by one click. */
export const SuggestedApplication = observer(function SuggestedApplication(props: SuggestionProps) {
  const { uploads, fileNames, onSelect } = props;
  const name = suggestApplication(
    fileNames,
    uploads.tools.map(({ _id }) => _id),
  );
  if (name === undefined) return null;
  const known = uploads.repositories.find(({ attributes }) => attributes.nickname.toLowerCase() === name);
  const application: Application =
    known === undefined ? { kind: 'new', name } : { kind: 'existing', id: known._id, name: known.attributes.nickname };
  return (
    <p className="row wrap small suggested-application">
      <span className="muted">{t('By the names of the files:')}</span>
      <button type="button" className="link" onClick={() => onSelect(application)}>
        {known === undefined
          ? t('New application “{name}”', { name: application.name })
          : t('Use “{name}”', { name: application.name })}
      </button>
    </p>
  );
});

interface BranchFieldProps {
  value: string;
  isDisabled: boolean;
  onChange: (branch: string) => void;
}

/** Which branch the reports are of. Nothing is the default branch. */
export function BranchField({ value, isDisabled, onChange }: BranchFieldProps) {
  return (
    <FormField
      label={t('Branch')}
      help={t('Empty for the default branch. Lists show another branch only where you filter by it.')}
    >
      {(control) => (
        <InputGroup
          id={control.id}
          aria-describedby={control['aria-describedby']}
          value={value}
          disabled={isDisabled}
          maxLength={255}
          placeholder={t('Default branch')}
          spellCheck={false}
          autoCapitalize="off"
          onValueChange={onChange}
        />
      )}
    </FormField>
  );
}
