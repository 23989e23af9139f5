import { Button, Checkbox } from '@blueprintjs/core';
import { Duplicate, WarningSign } from '@blueprintjs/icons';
import { type FormEvent, type ReactNode, useEffect, useId, useRef, useState } from 'react';
import { msg } from '../../platform/model/message.ts';
import { TOKEN_SCOPES, type TokenScope } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { copyText } from '../../platform/ui/feedback/clipboard.ts';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { FormField, type FormIssue, FormSummary } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { lastDayOf, type TokenKind } from '../model/api-token.ts';
import { type MadeToken, TOKEN_SOURCES, type WantedToken } from './api-tokens.store.ts';
import { SubmitButton } from './password-form.tsx';
import { useSubmit } from './use-submit.ts';

const DEFAULT_DAYS = 90;

/** `2027-01-31`, in UTC as the server counts. */
const dayOf = (date: Date): string => date.toISOString().slice(0, 10);

const inDays = (days: number): string => dayOf(new Date(Date.now() + days * 86_400_000));

const LIFE: Record<TokenKind, string> = {
  organization: msg('It is refused after this day (UTC). Two years at most.'),
  personal: msg('It is refused after this day (UTC). 365 days at most.'),
};

const issuesOf = ({ name, expired_at, scopes }: WantedToken): FormIssue[] => [
  ...(name.trim() === '' ? [{ fieldId: 'name', message: t('Name the token after what calls with it.') }] : []),
  ...(scopes.length === 0 ? [{ fieldId: 'scopes-upload', message: t('Choose what the token may do.') }] : []),
  ...(expired_at === '' ? [{ fieldId: 'expired_at', message: t('Choose the last day of the token.') }] : []),
];

/** What is said beside the name of a token. */
export interface TokenNaming {
  help: string;
  placeholder: string;
}

interface TokenFormProps {
  kind: TokenKind;
  /** One alone is not asked for. */
  offered: readonly TokenScope[];
  naming: TokenNaming;
  onMade: (made: MadeToken) => void;
}

interface ScopeFieldsProps {
  offered: readonly TokenScope[];
  scopes: readonly TokenScope[];
  error: string | undefined;
  onChange: (scopes: TokenScope[]) => void;
}

/** What the token may do: a box for each scope. */
function ScopeFields({ offered, scopes, error, onChange }: ScopeFieldsProps) {
  const errorId = useId();
  const toggle = (scope: TokenScope, isChosen: boolean) =>
    onChange(offered.filter((name) => (name === scope ? isChosen : scopes.includes(name))));
  return (
    <fieldset className="token-scopes" aria-describedby={error === undefined ? undefined : errorId}>
      <legend>{t('May')}</legend>
      {offered.map((scope) => (
        <Checkbox
          key={scope}
          id={`scopes-${scope}`}
          label={t(TOKEN_SCOPES[scope])}
          checked={scopes.includes(scope)}
          onChange={(event) => toggle(scope, event.currentTarget.checked)}
        />
      ))}
      {error !== undefined && (
        <p id={errorId} className="err">
          {error}
        </p>
      )}
    </fieldset>
  );
}

/** Asks for name, scopes and last day of a new token. */
export function TokenForm({ kind, offered, naming, onMade }: TokenFormProps) {
  const api = useService(API);
  const [values, setValues] = useState<WantedToken>(() => ({
    name: '',
    expired_at: inDays(DEFAULT_DAYS),
    scopes: offered.slice(0, 1),
  }));
  const make = async (body: WantedToken, signal: AbortSignal) =>
    onMade(await TOKEN_SOURCES[kind].make(api, { ...body, name: body.name.trim() }, signal));
  const form = useSubmit(make, () => undefined);
  const change = (fieldId: 'name' | 'expired_at', value: string) => {
    setValues({ ...values, [fieldId]: value });
    form.edit(fieldId);
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit(values, issuesOf(values));
  };
  return (
    <form onSubmit={handleSubmit} noValidate={true} aria-label={t('New token')}>
      <FormSummary issues={form.issues} />
      <FormField id="name" label={t('Name')} help={t(naming.help)} error={form.errorOf('name')}>
        {(control) => (
          <input
            {...control}
            type="text"
            autoComplete="off"
            maxLength={100}
            placeholder={t(naming.placeholder)}
            value={values.name}
            onChange={(event) => change('name', event.target.value)}
          />
        )}
      </FormField>
      {offered.length > 1 && (
        <ScopeFields
          offered={offered}
          scopes={values.scopes}
          error={form.errorOf('scopes-upload')}
          onChange={(scopes) => {
            setValues({ ...values, scopes });
            form.edit('scopes-upload');
          }}
        />
      )}
      <FormField id="expired_at" label={t('Last day')} help={t(LIFE[kind])} error={form.errorOf('expired_at')}>
        {(control) => (
          <input
            {...control}
            type="date"
            min={dayOf(new Date())}
            max={dayOf(lastDayOf(kind, new Date()))}
            value={values.expired_at}
            onChange={(event) => change('expired_at', event.target.value)}
          />
        )}
      </FormField>
      <SubmitButton text={t('Create token')} form={form} />
    </form>
  );
}

interface NewTokenProps {
  made: MadeToken;
  onDone: () => void;
  /** How it is used. */
  children: ReactNode;
}

/** A token just made: shown here and never again. */
export function NewToken({ made, onDone, children }: NewTokenProps) {
  const toasts = useService(TOASTS);
  const fieldId = useId();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.select(), []);
  return (
    <div className="new-token">
      <div className="bp6-callout callout-warn" role="status">
        <WarningSign size={16} aria-hidden={true} />
        <span>
          {t('Copy “{name}” now. It is stored as a digest only: nobody, not even an admin, can show it again.', {
            name: made.name,
          })}
        </span>
      </div>
      <label className="bp6-label" htmlFor={fieldId}>
        {t('Token')}
      </label>
      <div className="row">
        <input
          id={fieldId}
          ref={field}
          className="bp6-input mono grow"
          readOnly={true}
          autoComplete="off"
          value={made.token}
          onFocus={(event) => event.target.select()}
        />
        <Button
          intent="primary"
          icon={<Duplicate aria-hidden={true} />}
          text={t('Copy')}
          onClick={() => void copyText(made.token, toasts)}
        />
      </div>
      {children}
      <Button text={t('I have stored it')} onClick={onDone} />
    </div>
  );
}
