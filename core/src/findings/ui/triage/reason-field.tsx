import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';

export interface ReasonFieldProps {
  value: string;
  help?: string;
  error?: string | undefined;
  /** The first field of its dialog takes the focus. */
  isFirst: boolean;
  onChange: (value: string) => void;
}

/** Why a person decided something about a finding. */
export function ReasonField({ value, isFirst, onChange, help, error }: ReasonFieldProps) {
  return (
    <FormField
      label={t('Reason')}
      help={help ?? t('Shown in the history. Enter sends, Shift and Enter begins a new line.')}
      error={error}
    >
      {(control) => (
        <textarea
          {...control}
          className={`${control.className} reason`}
          maxLength={2000}
          rows={3}
          // biome-ignore lint/a11y/noAutofocus: a dialog puts the focus on its first field
          autoFocus={isFirst}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
          onKeyDown={(event) => {
            if (event.key !== 'Enter' || event.shiftKey || event.nativeEvent.isComposing) return;
            event.preventDefault();
            event.currentTarget.form?.requestSubmit();
          }}
        />
      )}
    </FormField>
  );
}
