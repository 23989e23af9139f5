import { observer } from 'mobx-react-lite';
import type { FormEvent } from 'react';
import { FormSummary } from '../../../platform/ui/form-summary.tsx';
import type { CredentialForm } from '../credential-form.store.ts';
import { CredentialField } from './credential-field.tsx';

/** Ties the buttons in the footer to the form in the body. */
export const FORM_ID = 'credential-form';

export interface CredentialSectionProps {
  form: CredentialForm;
  isDisabled: boolean;
  onSubmit: () => void;
}

/** The form of a connector, from its schema. */
export const CredentialSection = observer(function CredentialSection(props: CredentialSectionProps) {
  const { form, isDisabled, onSubmit } = props;
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (!isDisabled) onSubmit();
  };
  return (
    <form id={FORM_ID} className="credential-form" onSubmit={handleSubmit} noValidate={true}>
      <FormSummary faults={form.faults} />
      {form.entries.map((entry) => (
        <CredentialField key={entry.name} form={form} entry={entry} isDisabled={isDisabled} />
      ))}
    </form>
  );
});
