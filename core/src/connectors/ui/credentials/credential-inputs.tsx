import { Button } from '@blueprintjs/core';
import { Add, Cross } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useRef } from 'react';
import { type FieldControl, FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import type { FormEntry } from '../data/connector.ts';
import { type CredentialForm, controlId } from './credential-form.store.ts';
import type { MapPair } from './form-issues.ts';

interface SecretFieldProps {
  form: CredentialForm;
  entry: FormEntry;
  isDisabled: boolean;
}

interface PartProps extends SecretFieldProps {
  control: FieldControl;
}

const MASK = '••••••••••••';

/** A saved secret: its last characters, never itself. */
const SavedSecret = observer(function SavedSecret({ form, entry, isDisabled, control }: PartProps) {
  const hint = form.storedOf(entry)?.hint ?? '';
  const isDropped = form.isDropped(entry);
  const { className, ...attributes } = control;
  return (
    <div className="row">
      <input
        {...attributes}
        className={`${className} mono is-quiet grow`}
        readOnly
        value={isDropped ? t('Will be deleted when you save') : `${MASK}${hint}`}
      />
      {!isDisabled && isDropped && <Button text={t('Keep')} onClick={() => form.keep(entry)} />}
      {!isDisabled && !isDropped && !entry.isRequired && (
        <Button
          variant="minimal"
          text={t('Delete')}
          aria-label={t('Delete {field}', { field: entry.label })}
          onClick={() => form.drop(entry)}
        />
      )}
      {!isDisabled && !isDropped && (
        <Button
          text={t('Replace')}
          aria-label={t('Replace {field}', { field: entry.label })}
          onClick={() => form.edit(entry, '')}
        />
      )}
    </div>
  );
});

const TypedSecret = observer(function TypedSecret({ form, entry, isDisabled, control }: PartProps) {
  const { field } = entry;
  const isSaved = form.storedOf(entry)?.set === true;
  const inputRef = useRef<HTMLInputElement & HTMLTextAreaElement>(null);
  useEffect(() => {
    // "Replace" was pressed: the field takes over the focus of the button that went.
    if (isSaved) inputRef.current?.focus();
  }, [isSaved]);
  const draft = form.draftOf(entry);
  const attributes = {
    ...control,
    ref: inputRef,
    spellCheck: false,
    disabled: isDisabled,
    value: typeof draft === 'string' ? draft : '',
    onChange: (event: { target: { value: string } }) => form.edit(entry, event.target.value),
  };
  return (
    <div className="row">
      {field.type === 'string' && field.format === 'multiline' ? (
        <textarea {...attributes} className={`${control.className} mono masked grow`} rows={5} autoComplete="off" />
      ) : (
        <input
          {...attributes}
          className={`${control.className} mono grow`}
          type="password"
          autoComplete="new-password"
        />
      )}
      {isSaved && !isDisabled && <Button variant="minimal" text={t('Keep saved')} onClick={() => form.keep(entry)} />}
    </div>
  );
});

/** A secret: typed once, kept by the server, replaced but never shown. */
export const SecretField = observer(function SecretField(props: SecretFieldProps) {
  const { form, entry } = props;
  const Part = form.isKept(entry) || form.isDropped(entry) ? SavedSecret : TypedSecret;
  return (
    <FormField
      id={controlId(entry.name)}
      label={entry.label}
      {...(entry.isRequired ? {} : { aside: <span className="muted small">{t('Optional')}</span> })}
      help={[...(entry.help === undefined ? [] : [entry.help]), t('Stored encrypted, never shown again.')].join(' ')}
      error={form.errorOf(entry)}
    >
      {(control) => <Part {...props} control={control} />}
    </FormField>
  );
});

interface MapRowsProps {
  pairs: readonly MapPair[];
  isDisabled: boolean;
  onChange: (pairs: MapPair[]) => void;
}

const EMPTY: MapPair = { key: '', value: '' };

/** Pairs of texts, one row each. */
export function MapRows({ pairs, isDisabled, onChange }: MapRowsProps) {
  const shown = pairs.length === 0 ? [EMPTY] : pairs;
  const change = (index: number, part: Partial<MapPair>) =>
    onChange(shown.map((pair, at) => (at === index ? { ...pair, ...part } : pair)));
  return (
    <div className="pair-rows">
      {shown.map(({ key, value }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: rows have no name of their own while they are typed
        <div className="row" key={index}>
          <input
            className="bp6-input"
            aria-label={t('Name {row}', { row: index + 1 })}
            placeholder={t('Name')}
            disabled={isDisabled}
            value={key}
            onChange={(event) => change(index, { key: event.target.value })}
          />
          <span aria-hidden="true">=</span>
          <input
            className="bp6-input"
            aria-label={t('Value {row}', { row: index + 1 })}
            placeholder={t('Value')}
            disabled={isDisabled}
            value={value}
            onChange={(event) => change(index, { value: event.target.value })}
          />
          <Button
            variant="minimal"
            size="small"
            icon={<Cross size={14} />}
            aria-label={t('Remove row {row}', { row: index + 1 })}
            disabled={isDisabled}
            onClick={() => onChange(shown.filter((_pair, at) => at !== index))}
          />
        </div>
      ))}
      <Button
        size="small"
        icon={<Add size={14} aria-hidden={true} />}
        text={t('Add row')}
        disabled={isDisabled}
        onClick={() => onChange([...shown, EMPTY])}
      />
    </div>
  );
}
