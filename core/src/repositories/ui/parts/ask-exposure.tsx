import { Button, FormGroup, HTMLSelect } from '@blueprintjs/core';
import { useId, useState } from 'react';
import { API } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { DATA_CLASSES, EXPOSURES, updateRepository } from '../../api/routes.ts';
import { DATA_CLASS_LABELS, EXPOSURE_LABELS } from './repository-display.tsx';

interface AskProps {
  repositoryId: string;
}

interface ChoiceProps<T extends string> {
  label: string;
  values: readonly T[];
  labels: Readonly<Record<T, string>>;
  value: T;
  onChange: (value: T) => void;
}

function Choice<const T extends string>({ label, values, labels, value, onChange }: ChoiceProps<T>) {
  const id = useId();
  return (
    <FormGroup label={label} labelFor={id}>
      <HTMLSelect
        id={id}
        value={value}
        onChange={(event) => {
          const chosen = values.find((one) => one === event.currentTarget.value);
          if (chosen !== undefined) onChange(chosen);
        }}
      >
        {values.map((one) => {
          const text: string = labels[one];
          return (
            <option key={one} value={one}>
              {t(text)}
            </option>
          );
        })}
      </HTMLSelect>
    </FormGroup>
  );
}

/** Asks, where a score lacks them, how a repository is exposed and what data it has; its findings are scored anew. */
export function AskExposure({ repositoryId }: AskProps) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [exposure, setExposure] = useState<(typeof EXPOSURES)[number]>('unknown');
  const [dataClass, setDataClass] = useState<(typeof DATA_CLASSES)[number]>('unknown');
  const [state, setState] = useState<'asking' | 'saving' | 'saved'>('asking');
  const isEmpty = exposure === 'unknown' && dataClass === 'unknown';
  const save = async () => {
    setState('saving');
    const body = {
      ...(exposure === 'unknown' ? {} : { exposure }),
      ...(dataClass === 'unknown' ? {} : { data_class: dataClass }),
    };
    try {
      await api.call(updateRepository, { params: { id: repositoryId }, body });
      setState('saved');
    } catch (error) {
      toasts.showError(error);
      setState('asking');
    }
  };
  if (state === 'saved') return <span role="status">{t('Saved. The findings are being scored anew')}</span>;
  return (
    <span className="ask-exposure">
      <Choice
        {...{ label: t('Exposure'), values: EXPOSURES, labels: EXPOSURE_LABELS }}
        value={exposure}
        onChange={setExposure}
      />
      <Choice
        {...{ label: t('Data class'), values: DATA_CLASSES, labels: DATA_CLASS_LABELS }}
        value={dataClass}
        onChange={setDataClass}
      />
      <Button
        size="small"
        text={t('Save')}
        loading={state === 'saving'}
        disabled={isEmpty}
        title={isEmpty ? t('Choose at least one of the two') : undefined}
        onClick={() => void save()}
      />
    </span>
  );
}
