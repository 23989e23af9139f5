import { useRef } from 'react';
import { msg } from '../../../platform/model/message.ts';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';

/** What is said most often; the last one is finished by hand. */
const PRESETS: readonly string[] = [msg('Test code'), msg('Not reachable'), msg('Mitigated by ')];

export interface ReasonFieldProps {
  value: string;
  help?: string;
  error?: string | undefined;
  /** The first field of its dialog takes the focus. */
  isFirst: boolean;
  onChange: (value: string) => void;
  /** Offers the usual reasons; a digit picks one while the field is empty. */
  hasPresets?: boolean;
}

interface PresetsProps {
  onPick: (text: string) => void;
}

function Presets({ onPick }: PresetsProps) {
  return (
    <div className="row wrap reason-presets">
      {PRESETS.map((text, index) => (
        <button key={text} type="button" className="link" onClick={() => onPick(t(text))}>
          <kbd>{index + 1}</kbd> {t(text).trim()}
          {text.endsWith(' ') && '…'}
        </button>
      ))}
    </div>
  );
}

/** Why a person decided something about a finding. */
export function ReasonField({ value, isFirst, onChange, help, error, hasPresets = false }: ReasonFieldProps) {
  const field = useRef<HTMLTextAreaElement>(null);
  const pick = (text: string) => {
    onChange(text);
    field.current?.focus();
  };
  /** @returns whether the key was that of a usual reason */
  const isPreset = (key: string): boolean => {
    const text = /^[1-9]$/.test(key) ? PRESETS[Number(key) - 1] : undefined;
    if (!hasPresets || value !== '' || text === undefined) return false;
    pick(t(text));
    return true;
  };
  return (
    <FormField
      label={t('Reason')}
      help={help ?? t('Shown in the history. Enter sends, Shift and Enter begins a new line.')}
      error={error}
    >
      {(control) => (
        <>
          {hasPresets && <Presets onPick={pick} />}
          <textarea
            {...control}
            ref={field}
            className={`${control.className} reason`}
            maxLength={2000}
            rows={3}
            // biome-ignore lint/a11y/noAutofocus: a dialog puts the focus on its first field
            autoFocus={isFirst}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.nativeEvent.isComposing) return;
              const isPicked = !(event.ctrlKey || event.metaKey || event.altKey) && isPreset(event.key);
              if (isPicked) event.preventDefault();
              if (isPicked || event.key !== 'Enter' || event.shiftKey) return;
              event.preventDefault();
              event.currentTarget.form?.requestSubmit();
            }}
          />
        </>
      )}
    </FormField>
  );
}
