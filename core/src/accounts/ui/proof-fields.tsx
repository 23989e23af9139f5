import { useEffect, useState } from 'react';
import type { Static } from 'typebox';
import { FRESH_SIGN_IN_MINUTES } from '../../platform/api/proof.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { FormField, type FormIssue } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PasswordInput } from '../../session/ui/index.ts';
import { getProofs, type Proofs as ProofsSchema } from '../api/own-account-routes.ts';

export type Proofs = Static<typeof ProofsSchema>;

export interface ProofValues {
  password: string;
  code: string;
}

export const NO_PROOF: ProofValues = { password: '', code: '' };

/** What the caller is asked for before something that cannot be undone; undefined until it is known. */
export const useProofs = (): Proofs | undefined => {
  const api = useService(API);
  const [proofs, setProofs] = useState<Proofs>();
  useEffect(() => {
    const leaving = new AbortController();
    api.call(getProofs, { signal: leaving.signal }).then(
      ({ data }) => setProofs(data),
      // the server asks again for what is missing
      () => undefined,
    );
    return () => leaving.abort();
  }, [api]);
  return proofs;
};

/** The fields of a body that the values give; recovery codes are longer than those of an authenticator and have hyphens. */
export const proofBody = (proofs: Proofs, { password, code }: ProofValues) => {
  const isOtp = /^[\d\s]{6,}$/.test(code.trim());
  return {
    ...(proofs.password ? { password } : {}),
    ...(proofs.two_factor ? (isOtp ? { otp_code: code } : { recovery_code: code }) : {}),
  };
};

export const proofIssues = (proofs: Proofs, { password, code }: ProofValues): FormIssue[] => [
  ...(proofs.password && password === '' ? [{ fieldId: 'password', message: t('Enter your password.') }] : []),
  ...(proofs.two_factor && code.trim() === ''
    ? [{ fieldId: 'otp_code', message: t('Enter a code of your authenticator, or a recovery code.') }]
    : []),
];

interface ProofFieldsProps {
  proofs: Proofs;
  values: ProofValues;
  errorOf: (fieldId: string) => string | undefined;
  onChange: (values: ProofValues, fieldId: string) => void;
}

/** Password and code, where the person has them; else whether they signed in recently. */
export function ProofFields({ proofs, values, errorOf, onChange }: ProofFieldsProps) {
  return (
    <>
      {proofs.password && (
        <FormField id="password" label={t('Password')} error={errorOf('password')}>
          {(control) => (
            <PasswordInput
              control={control}
              autoComplete="current-password"
              value={values.password}
              onChange={(password) => onChange({ ...values, password }, 'password')}
            />
          )}
        </FormField>
      )}
      {!proofs.password && (
        <p className="muted small">
          {proofs.is_fresh
            ? t('You have no password here: your sign-in of the last {minutes} minutes counts.', {
                minutes: FRESH_SIGN_IN_MINUTES,
              })
            : t(
                'You have no password here, and you signed in more than {minutes} minutes ago. Sign out and in again first.',
                {
                  minutes: FRESH_SIGN_IN_MINUTES,
                },
              )}
        </p>
      )}
      {proofs.two_factor && (
        <FormField
          id="otp_code"
          label={t('Code')}
          help={t('Six digits of your authenticator, or a recovery code.')}
          error={errorOf('otp_code') ?? errorOf('recovery_code')}
        >
          {(control) => (
            <input
              {...control}
              type="text"
              autoComplete="one-time-code"
              spellCheck={false}
              value={values.code}
              onChange={({ currentTarget }) => onChange({ ...values, code: currentTarget.value }, 'otp_code')}
            />
          )}
        </FormField>
      )}
    </>
  );
}
