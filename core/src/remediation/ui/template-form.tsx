import { Button, Callout } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { DiffView } from './diff-view.tsx';
import type { FixStore } from './fix.store.ts';
import { TemplatePreview } from './template-preview.ts';

interface TemplateFormProps {
  store: FixStore;
  /** Shows below the fields what they make of the files. */
  hasPreview?: boolean;
  onChanged: () => void;
}

const Preview = observer(function Preview({ preview }: { preview: TemplatePreview }) {
  if (preview.refusal !== undefined) return <Callout intent="warning">{preview.refusal}</Callout>;
  if (preview.diff === undefined) return null;
  return (
    <section aria-label={t('Preview')} aria-busy={preview.isReading}>
      <p className="muted small">{preview.isReading ? t('Preview is being made…') : t('Preview, not saved')}</p>
      <DiffView diff={preview.diff} />
    </section>
  );
});

/** What only a person can decide: checked and previewed while it is typed. */
export const TemplateForm = observer(function TemplateForm({
  store,
  hasPreview = false,
  onChanged,
}: TemplateFormProps) {
  const { template_fields: fields = [] } = store.remediation?.attributes ?? {};
  const [preview] = useState(() => new TemplatePreview(store));
  useEffect(() => preview.dispose, [preview]);
  if (fields.length === 0) return null;
  const submit = async () => {
    if (!(await store.fill(preview.given))) return;
    preview.clear();
    onChanged();
  };
  return (
    <form
      className="template-form"
      onSubmit={(event) => {
        event.preventDefault();
        void submit();
      }}
    >
      {fields.map((field) => (
        <FormField key={field.key} label={t(field.label)} help={t(field.help)} error={preview.problemOf(field)}>
          {(control) => (
            <input
              {...control}
              value={preview.valueOf(field.key)}
              onChange={(event) => preview.type(field.key, event.currentTarget.value, hasPreview)}
            />
          )}
        </FormField>
      ))}
      <Button
        type="submit"
        intent={store.isReady ? 'none' : 'primary'}
        text={t('Fill in')}
        loading={store.step === 'fill'}
        disabled={store.step !== undefined}
      />
      {hasPreview && <Preview preview={preview} />}
    </form>
  );
});
