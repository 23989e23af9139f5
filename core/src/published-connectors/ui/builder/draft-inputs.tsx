import { HTMLSelect } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useState } from 'react';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { type DraftPath, linesOf, mapOfLines } from '../../model/draft-document.ts';
import type { BuilderStore } from './builder.store.ts';

interface InputProps {
  store: BuilderStore;
  path: DraftPath;
  label: string;
  help?: string;
  placeholder?: string;
}

interface TextInputProps extends InputProps {
  /** Names, addresses and expressions. */
  isCode?: boolean;
  isLong?: boolean;
  /** Where leaving it empty means that it is not there. */
  isOptional?: boolean;
  isNumber?: boolean;
}

const optionalMark = (isOptional: boolean) =>
  isOptional ? { aside: <span className="muted small">{t('Optional')}</span> } : {};

/** A text of the document. */
export const DraftText = observer(function DraftText(props: TextInputProps) {
  const {
    store,
    path,
    label,
    help,
    placeholder,
    isCode = false,
    isLong = false,
    isOptional = false,
    isNumber = false,
  } = props;
  // read here: what the field draws inside is not observed
  const value = store.textAt(path);
  const change = (text: string) => {
    if (isNumber && /^\d+$/.test(text)) store.set(path, Number(text));
    else store.set(path, text === '' && isOptional ? undefined : text);
  };
  return (
    <FormField label={label} help={help} error={store.issueAt(path)} {...optionalMark(isOptional)}>
      {({ className, ...control }) => {
        const attributes = {
          ...control,
          className: isCode ? `${className} mono` : className,
          spellCheck: !isCode,
          placeholder,
          value,
          onChange: (event: { target: { value: string } }) => change(event.target.value),
        };
        return isLong ? (
          <textarea {...attributes} rows={2} />
        ) : (
          <input {...attributes} type="text" autoComplete="off" />
        );
      }}
    </FormField>
  );
});

interface ChoiceProps extends InputProps {
  options: readonly { value: string; label: string }[];
  /** What the choice means for the document; default: the text itself, and nothing for the empty one. */
  onChoose?: (value: string) => void;
}

export const DraftChoice = observer(function DraftChoice({ store, path, label, help, options, onChoose }: ChoiceProps) {
  const chosen = store.textAt(path);
  const choose = onChoose ?? ((value: string) => store.set(path, value === '' ? undefined : value));
  return (
    <FormField label={label} help={help} error={store.issueAt(path)}>
      {({ className: _class, ...control }) => (
        <HTMLSelect
          {...control}
          fill={true}
          value={chosen}
          options={[...options]}
          onChange={({ currentTarget }) => choose(currentTarget.value)}
        />
      )}
    </FormField>
  );
});

interface TypedProps extends InputProps {
  isOptional?: boolean;
  rows?: number;
  /** @returns the value, or undefined for none @throws where the text is none */
  read: (text: string) => unknown;
  write: (value: unknown) => string;
  /** Said while the text is no value. */
  unread?: string;
}

/** A value that is typed as text of another form. What is typed stays as it is while it says what the document has. */
const DraftTyped = observer(function DraftTyped(props: TypedProps) {
  const { store, path, label, help, placeholder, isOptional = true, rows = 3, read, write, unread } = props;
  const value = store.valueAt(path);
  const [typed, setTyped] = useState({ text: write(value), isRead: true });
  const means = (text: string): string | undefined => {
    try {
      return JSON.stringify(read(text)) ?? '';
    } catch {
      return undefined;
    }
  };
  const isSame = !typed.isRead || means(typed.text) === (JSON.stringify(value) ?? '');
  const change = (text: string) => {
    const isRead = means(text) !== undefined;
    setTyped({ text, isRead });
    if (isRead) store.set(path, read(text));
  };
  return (
    <FormField
      label={label}
      help={help}
      error={typed.isRead ? store.issueAt(path) : unread}
      {...optionalMark(isOptional)}
    >
      {({ className, ...control }) => (
        <textarea
          {...control}
          className={`${className} mono`}
          rows={rows}
          spellCheck={false}
          placeholder={placeholder}
          value={isSame ? typed.text : write(value)}
          onChange={(event) => change(event.target.value)}
        />
      )}
    </FormField>
  );
});

const linesIn = (text: string): string[] =>
  text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');

/** A list of texts, one a line; at least one. */
export const DraftLines = (props: InputProps) => (
  <DraftTyped
    {...props}
    isOptional={false}
    read={linesIn}
    write={(value) => (Array.isArray(value) ? value.join('\n') : '')}
  />
);

/** A map of texts, a line for each: `name = value`. */
export const DraftMap = (props: InputProps) => <DraftTyped {...props} read={mapOfLines} write={linesOf} />;

/** Any JSON. */
export const DraftJson = (props: InputProps) => (
  <DraftTyped
    {...props}
    rows={5}
    read={(text) => (text.trim() === '' ? undefined : JSON.parse(text))}
    write={(value) => (value === undefined ? '' : JSON.stringify(value, null, 2))}
    unread={t('This is no JSON.')}
  />
);
