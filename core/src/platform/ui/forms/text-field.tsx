import { FormField } from './form-field.tsx';

interface TextFieldProps {
  label: string;
  help?: string;
  /** Which keys a phone shows. */
  inputMode?: 'text' | 'numeric' | 'url' | 'email';
  /** Several lines. */
  isLong?: boolean;
  maxLength?: number;
  value: string;
  onChange: (text: string) => void;
}

/** A text of a dialog under its label. */
export function TextField({
  label,
  help,
  inputMode = 'text',
  isLong = false,
  value,
  maxLength,
  onChange,
}: TextFieldProps) {
  const limit = maxLength === undefined ? {} : { maxLength };
  return (
    <FormField label={label} help={help}>
      {(control) =>
        isLong ? (
          <textarea
            {...control}
            {...limit}
            rows={3}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        ) : (
          <input
            {...control}
            {...limit}
            type="text"
            inputMode={inputMode}
            autoComplete="off"
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
        )
      }
    </FormField>
  );
}
