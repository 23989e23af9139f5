import { type FormEvent, useState } from 'react';
import { useNavigate } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ConfirmLeave } from '../../platform/ui/feedback/dialogs.tsx';
import { FormField, type FormIssue, FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { createSetup } from '../api/routes.ts';
import { NewPasswordFields, newPasswordIssues, SubmitButton } from './password-form.tsx';
import { SESSION_STORE } from './session.store.ts';
import { useSubmit } from './use-submit.ts';

const NO_VALUES = {
  organization_name: '',
  email: '',
  username: '',
  password: '',
  confirm_password: '',
  setup_code: '',
};
type SetupValues = typeof NO_VALUES;

/** Passwords keep their spaces. */
const trimmed = (values: SetupValues): SetupValues => ({
  ...values,
  organization_name: values.organization_name.trim(),
  email: values.email.trim(),
  username: values.username.trim(),
});

/** As coarse as an address can be checked without sending to it. */
const IS_EMAIL = /^[^\s@]+@[^\s@]+$/;

const issuesOf = (values: SetupValues, needsCode: boolean): FormIssue[] => {
  const issues: FormIssue[] = [];
  if (needsCode && values.setup_code.trim() === '') {
    issues.push({ fieldId: 'setup_code', message: t('Enter the setup code that the server printed at its start.') });
  }
  if (values.organization_name.trim() === '') {
    issues.push({ fieldId: 'organization_name', message: t('Enter the name of your organisation.') });
  }
  if (!IS_EMAIL.test(values.email.trim())) issues.push({ fieldId: 'email', message: t('Enter an email address.') });
  if (values.username.trim() === '') issues.push({ fieldId: 'username', message: t('Enter a username.') });
  return [...issues, ...newPasswordIssues(values.password, values.confirm_password)];
};

interface TextFieldProps {
  name: keyof SetupValues;
  label: string;
  help?: string;
  type?: 'text' | 'email';
  autoComplete: string;
  values: SetupValues;
  error: string | undefined;
  onChange: (name: keyof SetupValues, value: string) => void;
}

function TextField({ name, label, help, type = 'text', autoComplete, values, error, onChange }: TextFieldProps) {
  return (
    <FormField id={name} label={label} help={help} error={error}>
      {(control) => (
        <input
          {...control}
          type={type}
          autoComplete={autoComplete}
          value={values[name]}
          onChange={(event) => onChange(name, event.target.value)}
        />
      )}
    </FormField>
  );
}

/** `/setup`: the first organisation and its admin, on a fresh installation. */
export function SetupScreen() {
  const api = useService(API);
  const session = useService(SESSION_STORE);
  const navigate = useNavigate();
  const [values, setValues] = useState<SetupValues>(NO_VALUES);
  const needsCode = session.needsSetupCode;
  const create = async ({ setup_code, ...others }: SetupValues, signal: AbortSignal) => {
    const body = needsCode ? { ...others, setup_code: setup_code.trim() } : others;
    const { data } = await api.call(createSetup, { body, signal });
    session.adopt({ user: data.user, client: data.client });
  };
  const form = useSubmit(create, () => navigate('/', { replace: true }));
  const change = (name: keyof SetupValues, value: string) => {
    setValues({ ...values, [name]: value });
    form.edit(name);
  };
  const common = (name: keyof SetupValues) => ({ name, values, error: form.errorOf(name), onChange: change });
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const sent = trimmed(values);
    form.submit(sent, issuesOf(sent, needsCode));
  };

  return (
    <form className="signin" onSubmit={handleSubmit} noValidate={true}>
      <h1>{t('Set up Breakwater')}</h1>
      <p className="lead">{t('Your organisation and its first admin. Everything stays on this installation.')}</p>
      <ConfirmLeave isChanged={!form.isDone && Object.values(values).some((value) => value !== '')} />
      <FormSummary issues={form.issues} />
      {needsCode && (
        <TextField
          {...common('setup_code')}
          label={t('Setup code')}
          help={t('The server printed it at its start, where you are not at its machine.')}
          autoComplete="one-time-code"
        />
      )}
      <TextField {...common('organization_name')} label={t('Organisation')} autoComplete="organization" />
      <TextField {...common('email')} label={t('Email')} type="email" autoComplete="email" />
      <TextField {...common('username')} label={t('Username')} autoComplete="username" />
      <NewPasswordFields values={values} errorOf={form.errorOf} onChange={change} />
      <SubmitButton text={t('Create organisation')} form={form} />
    </form>
  );
}
