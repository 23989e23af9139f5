import { Button, Checkbox, HTMLSelect, Switch } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import type { FormEvent, HTMLInputTypeAttribute } from 'react';
import { type FieldControl, FormField, FormSummary } from '../../../platform/ui/forms/form-field.tsx';
import { t, translated } from '../../../platform/ui/language/translate.ts';
import type { FormEntry } from '../data/connector.ts';
import type { Offers } from '../data/connectors.store.ts';
import { type CredentialForm, controlId } from './credential-form.store.ts';
import { MapRows, SecretField } from './credential-inputs.tsx';
import type { Draft } from './form-issues.ts';
import { OfferedValues } from './offered-values.tsx';

interface CredentialFieldProps {
  form: CredentialForm;
  entry: FormEntry;
  isDisabled: boolean;
  /** Asks the service which values a field may have. @throws ApiError */
  onOffer: (field: string) => Promise<Offers>;
}

interface ControlProps extends CredentialFieldProps {
  control: FieldControl;
}

const textOf = (draft: Draft): string => (typeof draft === 'string' ? draft : '');
const textsOf = (draft: Draft): string[] =>
  typeof draft === 'object' ? draft.flatMap((text) => (typeof text === 'string' ? [text] : [])) : [];

const INPUT_TYPES: Readonly<Record<string, HTMLInputTypeAttribute>> = { uri: 'url', email: 'email', date: 'date' };

const ChoiceControl = observer(function ChoiceControl({ form, entry, control, isDisabled }: ControlProps) {
  const { field } = entry;
  const choices = field.type === 'string' ? (field.enum ?? []) : [];
  const draft = textOf(form.draftOf(entry));
  const { className: _class, ...attributes } = control;
  return (
    <HTMLSelect
      {...attributes}
      fill
      disabled={isDisabled}
      value={draft}
      onChange={(event) => form.edit(entry, event.currentTarget.value)}
    >
      {!choices.includes(draft) && <option value="">{t('Choose…')}</option>}
      {choices.map((choice) => (
        <option key={choice} value={choice}>
          {translated(choice)}
        </option>
      ))}
    </HTMLSelect>
  );
});

const LineControl = observer(function LineControl({ form, entry, control, isDisabled }: ControlProps) {
  const { field } = entry;
  const isNumber = field.type === 'number' || field.type === 'integer';
  const format = field.type === 'string' ? field.format : undefined;
  return (
    <input
      {...control}
      className={`${control.className} ${isNumber ? 'num number-input' : ''}`}
      // Of type text, so that what is no number stays to be mended.
      type={isNumber ? 'text' : (INPUT_TYPES[format ?? ''] ?? 'text')}
      inputMode={field.type === 'integer' ? 'numeric' : isNumber ? 'decimal' : undefined}
      autoComplete="off"
      spellCheck={false}
      disabled={isDisabled}
      value={textOf(form.draftOf(entry))}
      onChange={(event) => form.edit(entry, event.target.value)}
    />
  );
});

const AreaControl = observer(function AreaControl({ form, entry, control, isDisabled }: ControlProps) {
  return (
    <textarea
      {...control}
      rows={5}
      spellCheck={false}
      disabled={isDisabled}
      value={textOf(form.draftOf(entry))}
      onChange={(event) => form.edit(entry, event.target.value)}
    />
  );
});

const ListControl = observer(function ListControl({ form, entry, control, isDisabled }: ControlProps) {
  return (
    <textarea
      {...control}
      rows={3}
      spellCheck={false}
      disabled={isDisabled}
      placeholder={t('One per line')}
      value={textsOf(form.draftOf(entry)).join('\n')}
      onChange={(event) => form.edit(entry, event.target.value.split('\n'))}
    />
  );
});

interface GroupProps extends CredentialFieldProps {
  children: React.ReactNode;
}

/** Several controls under one name. */
function FieldGroup({ form, entry, children }: GroupProps) {
  const error = form.errorOf(entry);
  const id = controlId(entry.name);
  return (
    <fieldset className="bp6-form-group field-group" id={id} tabIndex={-1} aria-describedby={`${id}-texts`}>
      <legend className="bp6-label">
        {entry.label}
        {!entry.isRequired && <span className="muted optional">{t('Optional')}</span>}
      </legend>
      {children}
      <div id={`${id}-texts`}>
        {error !== undefined && <p className="err">{error}</p>}
        {entry.help !== undefined && <div className="bp6-form-helper-text">{entry.help}</div>}
      </div>
    </fieldset>
  );
}

const ChoicesField = observer(function ChoicesField(props: CredentialFieldProps) {
  const { form, entry, isDisabled } = props;
  const { field } = entry;
  const choices = field.type === 'array' ? (field.items.enum ?? []) : [];
  const chosen = textsOf(form.draftOf(entry));
  const toggle = (choice: string) =>
    form.edit(entry, chosen.includes(choice) ? chosen.filter((one) => one !== choice) : [...chosen, choice]);
  return (
    <FieldGroup {...props}>
      {choices.map((choice) => (
        <Checkbox
          key={choice}
          label={translated(choice)}
          checked={chosen.includes(choice)}
          disabled={isDisabled}
          onChange={() => toggle(choice)}
        />
      ))}
    </FieldGroup>
  );
});

const MapField = observer(function MapField(props: CredentialFieldProps) {
  const { form, entry, isDisabled } = props;
  const draft = form.draftOf(entry);
  const pairs = typeof draft === 'object' ? draft.flatMap((pair) => (typeof pair === 'string' ? [] : [pair])) : [];
  return (
    <FieldGroup {...props}>
      <MapRows pairs={pairs} isDisabled={isDisabled} onChange={(changed) => form.edit(entry, changed)} />
    </FieldGroup>
  );
});

const SwitchField = observer(function SwitchField({ form, entry, isDisabled }: CredentialFieldProps) {
  const id = controlId(entry.name);
  const { help } = entry;
  return (
    <div className="bp6-form-group">
      <Switch
        id={id}
        label={entry.label}
        checked={form.draftOf(entry) === true}
        disabled={isDisabled}
        {...(help === undefined ? {} : { 'aria-describedby': `${id}-help` })}
        onChange={(event) => form.edit(entry, event.currentTarget.checked)}
      />
      {help !== undefined && (
        <div className="bp6-form-helper-text" id={`${id}-help`}>
          {help}
        </div>
      )}
    </div>
  );
});

const controlFor = ({ field }: FormEntry) => {
  if (field.type === 'array') return ListControl;
  if (field.type !== 'string') return LineControl;
  if (field.enum !== undefined) return ChoiceControl;
  return field.format === 'multiline' ? AreaControl : LineControl;
};

/** One field of a connector's form, by what its schema says it holds. */
const CredentialField = observer(function CredentialField(props: CredentialFieldProps) {
  const { form, entry, isDisabled } = props;
  const { field } = entry;
  if (entry.isSecret) return <SecretField {...props} />;
  if (field.type === 'boolean') return <SwitchField {...props} />;
  if (field.type === 'object') return <MapField {...props} />;
  if (field.type === 'array' && field.items.enum !== undefined) return <ChoicesField {...props} />;
  const Control = controlFor(entry);
  const canClear = !isDisabled && field.type === 'string' && field.enum !== undefined && !entry.isRequired;
  return (
    <FormField
      id={controlId(entry.name)}
      label={entry.label}
      {...(entry.isRequired ? {} : { aside: <span className="muted small">{t('Optional')}</span> })}
      {...(entry.help === undefined ? {} : { help: entry.help })}
      error={form.errorOf(entry)}
    >
      {(control) => (
        <>
          {field.type === 'string' && field.offers !== undefined && !isDisabled ? (
            <div className="row offered">
              <Control {...props} control={control} />
              <OfferedValues {...props} />
            </div>
          ) : (
            <Control {...props} control={control} />
          )}
          {canClear && textOf(form.draftOf(entry)) !== '' && (
            <Button
              size="small"
              variant="minimal"
              text={t('Clear {field}', { field: entry.label })}
              onClick={() => form.edit(entry, '')}
            />
          )}
        </>
      )}
    </FormField>
  );
});

/** Ties the buttons in the footer to the form in the body. */
export const FORM_ID = 'credential-form';

interface CredentialSectionProps {
  form: CredentialForm;
  isDisabled: boolean;
  onSubmit: () => void;
  onOffer: CredentialFieldProps['onOffer'];
}

/** The form of a connector, from its schema. */
export const CredentialSection = observer(function CredentialSection(props: CredentialSectionProps) {
  const { form, isDisabled, onSubmit, onOffer } = props;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDisabled) onSubmit();
  };
  return (
    <form id={FORM_ID} className="credential-form" onSubmit={handleSubmit} noValidate={true}>
      <FormSummary issues={form.issues} />
      {form.entries.map((entry) => (
        <CredentialField key={entry.name} form={form} entry={entry} isDisabled={isDisabled} onOffer={onOffer} />
      ))}
    </form>
  );
});
