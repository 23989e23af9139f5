import { type FormEvent, type ReactNode, useState } from 'react';
import { Link } from 'react-router-dom';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { FormField, type FormIssue, FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import {
  NewPasswordFields,
  newPasswordIssues,
  type SignInOptionsState,
  SubmitButton,
  useSubmit,
} from '../../session/ui/index.ts';

/** As coarse as an address can be checked without sending to it. */
const IS_EMAIL = /^[^\s@]+@[^\s@]+$/;
export const emailIssues = (email: string): FormIssue[] =>
  IS_EMAIL.test(email.trim()) ? [] : [{ fieldId: 'email', message: t('Enter an email address.') }];

export const BackToSignIn = () => (
  <p className="after">
    <Link to="/login">{t('Back to sign in')}</Link>
  </p>
);

interface DoneProps {
  title: string;
  children: ReactNode;
}

/** What follows once a form has arrived. */
export function DoneNote({ title, children }: DoneProps) {
  return (
    <div className="signin" role="status">
      <h1>{title}</h1>
      {children}
      <BackToSignIn />
    </div>
  );
}

interface OptionsProps {
  state: SignInOptionsState;
  title: string;
  children: (sendsMail: boolean) => ReactNode;
}

/** Shows what depends on whether this installation sends mail, once that is known. */
export function WithOptions({ state: { options, error, onRetry }, title, children }: OptionsProps) {
  if (options !== undefined) return children(options.sends_mail);
  return (
    <div className="signin">
      <h1>{title}</h1>
      {error === undefined ? (
        <SkeletonRows rows={2} rowHeight={48} label={title} />
      ) : (
        <ErrorState title={t('The page could not be read')} error={error} onRetry={onRetry} />
      )}
    </div>
  );
}

interface TextFieldProps {
  id: string;
  label: string;
  type?: 'text' | 'email';
  autoComplete: string;
  value: string;
  error: string | undefined;
  onChange: (value: string) => void;
}

/** A field of one line. */
export function TextField({ id, label, type = 'text', autoComplete, value, error, onChange }: TextFieldProps) {
  return (
    <FormField id={id} label={label} error={error}>
      {(control) => (
        <input
          {...control}
          type={type}
          autoComplete={autoComplete}
          autoCapitalize="none"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </FormField>
  );
}

export interface NewPassword {
  password: string;
  confirm_password: string;
}

interface NewPasswordFormProps<V extends NewPassword> {
  /** Absent where the page has its own. */
  title?: string;
  lead: string;
  /** Values at the beginning, and what is sent. */
  values: V;
  /** Fields above the password. */
  fields?: (
    values: V,
    change: (name: keyof V & string, value: string) => void,
    errorOf: (id: string) => string | undefined,
  ) => ReactNode;
  issuesOf?: (values: V) => FormIssue[];
  submitLabel: string;
  /** What is said where a failure brings no text of its own. */
  fallback?: string;
  send: (values: V, signal: AbortSignal) => Promise<void>;
  onDone: () => void;
  /** Below a form that was refused. */
  afterRefusal?: ReactNode;
}

/** A form that ends in a new password, twice. */
export function NewPasswordForm<V extends NewPassword>(props: NewPasswordFormProps<V>) {
  const [values, setValues] = useState(props.values);
  const form = useSubmit<V>(props.send, props.onDone, props.fallback);
  const change = (name: keyof V & string, value: string) => {
    setValues({ ...values, [name]: value });
    form.edit(name);
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    const issues = [
      ...(props.issuesOf?.(values) ?? []),
      ...newPasswordIssues(values.password, values.confirm_password),
    ];
    form.submit(values, issues);
  };
  return (
    <form className="signin" onSubmit={handleSubmit} noValidate={true}>
      {props.title !== undefined && <h1>{props.title}</h1>}
      <p className="lead">{props.lead}</p>
      <FormSummary issues={form.issues} />
      {props.fields?.(values, change, form.errorOf)}
      <NewPasswordFields values={values} errorOf={form.errorOf} onChange={change} />
      <SubmitButton text={props.submitLabel} form={form} />
      {form.issues.some((issue) => issue.fieldId === undefined) && props.afterRefusal}
    </form>
  );
}
