import { Button } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { useService } from '../../platform/ui/data/services.tsx';
import { copyText } from '../../platform/ui/feedback/clipboard.ts';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import type { SingleSignOnStore } from './settings.store.ts';
import type { Draft } from './settings-draft.ts';

type TextName = {
  [K in keyof Draft]: Draft[K] extends string ? K : never;
}[Exclude<keyof Draft, 'protocol' | 'default_role'>];

export interface StoreProps {
  store: SingleSignOnStore;
}

interface TextFieldProps extends StoreProps {
  name: TextName;
  label: string;
  help?: ReactNode;
  aside?: ReactNode;
  placeholder?: string;
  /** More than one line. */
  rows?: number;
  isSecret?: boolean;
}

/** A field of the settings by its name in the API. */
export const TextField = observer(function TextField(props: TextFieldProps) {
  const { store, name, label, help, aside, placeholder, rows, isSecret = false } = props;
  const { draft } = store;
  if (draft === undefined) return null;
  return (
    <FormField id={name} label={label} help={help} aside={aside} error={store.errorOf(name)}>
      {(control) => {
        const shared = {
          ...control,
          placeholder,
          spellCheck: false,
          autoCapitalize: 'none',
          autoComplete: 'off',
          value: draft[name],
        };
        return rows === undefined ? (
          <input
            {...shared}
            type={isSecret ? 'password' : 'text'}
            autoComplete={isSecret ? 'new-password' : 'off'}
            onChange={(event) => store.set({ [name]: event.currentTarget.value })}
          />
        ) : (
          <textarea {...shared} rows={rows} onChange={(event) => store.set({ [name]: event.currentTarget.value })} />
        );
      }}
    </FormField>
  );
});

interface AddressProps {
  label: string;
  value: string;
}

/** An address of this server to enter elsewhere. */
export function CopyAddress({ label, value }: AddressProps) {
  const toasts = useService(TOASTS);
  return (
    <FormField label={label}>
      {(control) => (
        <div className="row sso-copy">
          <input {...control} className={`${control.className} mono grow`} readOnly={true} value={value} />
          <Button
            icon={<Duplicate aria-hidden={true} />}
            text={t('Copy')}
            aria-label={t('Copy {label}', { label })}
            onClick={() => void copyText(value, toasts)}
          />
        </div>
      )}
    </FormField>
  );
}
