import { Button } from '@blueprintjs/core';
import { Duplicate, Import } from '@blueprintjs/icons';
import { type FormEvent, useState } from 'react';
import { API } from '../../../platform/ui/data/api-client.ts';
import { saveBlob } from '../../../platform/ui/data/save-blob.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { copyText } from '../../../platform/ui/feedback/clipboard.ts';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { FormSummary } from '../../../platform/ui/forms/form-field.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { removeTwoFactor, saveTwoFactor } from '../../api/two-factor-routes.ts';
import { SubmitButton } from '../password-form.tsx';
import { useSubmit } from '../use-submit.ts';
import { CodeField, codeIssues, fieldOf } from './code-field.tsx';
import { CodeForm } from './code-form.tsx';
import type { SetUpData } from './two-factor.machine.ts';

/** Four characters at a time, as people type them. */
const inGroups = (secret: string): string => secret.replace(/(.{4})(?=.)/g, '$1 ');

interface ScanProps {
  setUp: SetUpData;
  onSaved: (recoveryCodes: readonly string[]) => void;
  onCancel: () => void;
}

/** The QR code and the secret in letters, and the first code that proves that the authenticator has it. */
export function ScanForm({ setUp, onSaved, onCancel }: ScanProps) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [code, setCode] = useState('');
  const [codes, setCodes] = useState<readonly string[]>([]);
  const { secret } = setUp.otp_data;
  const save = async (otp_code: string, signal: AbortSignal) => {
    setCodes((await api.call(saveTwoFactor, { body: { otp_code }, signal })).data.recovery_codes);
  };
  const form = useSubmit(save, () => onSaved(codes));
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    form.submit(code.trim(), codeIssues(false, code));
  };
  return (
    <>
      <h2>{t('1. Scan this code with your authenticator')}</h2>
      <img className="qr" src={setUp.qrcode} alt={t('QR code of the secret below')} />
      <p className="t2">{t('Or type this secret:')}</p>
      <div className="row">
        <code className="secret">{inGroups(secret)}</code>
        <Button
          variant="minimal"
          icon={<Duplicate aria-hidden={true} />}
          aria-label={t('Copy the secret')}
          onClick={() => void copyText(secret, toasts)}
        />
      </div>
      <h2>{t('2. Enter the code that it shows')}</h2>
      <form onSubmit={handleSubmit} noValidate={true}>
        <FormSummary issues={form.issues} />
        <CodeField
          isRecovery={false}
          value={code}
          error={form.errorOf(fieldOf(false))}
          onChange={(value) => {
            setCode(value);
            form.edit(fieldOf(false));
          }}
        />
        <SubmitButton text={t('Switch on')} form={form} />
        <div className="second-ways">
          <Button variant="minimal" size="small" text={t('Cancel')} onClick={onCancel} />
        </div>
      </form>
    </>
  );
}

interface CodesProps {
  codes: readonly string[];
  onKept: () => void;
}

/** Shown once. */
export function RecoveryCodes({ codes, onKept }: CodesProps) {
  const toasts = useService(TOASTS);
  const text = codes.join('\n');
  const download = () =>
    saveBlob(
      new Blob([`${t('Recovery codes of Breakwater, each works once')}\n\n${text}\n`]),
      'breakwater-recovery-codes.txt',
    );
  return (
    <>
      <h2>{t('Keep your recovery codes')}</h2>
      <p className="t2" role="status">
        {t(
          'Two-factor is on. With one of these codes you sign in without your authenticator, each once. They are not shown again: keep them where you keep passwords.',
        )}
      </p>
      <ol className="recovery-codes" aria-label={t('Recovery codes')}>
        {codes.map((code) => (
          <li key={code}>{code}</li>
        ))}
      </ol>
      <div className="row">
        <Button icon={<Duplicate aria-hidden={true} />} text={t('Copy')} onClick={() => void copyText(text, toasts)} />
        <Button icon={<Import aria-hidden={true} />} text={t('Download')} onClick={download} />
        <Button intent="primary" text={t('I have kept them')} onClick={onKept} />
      </div>
    </>
  );
}

interface RemoveProps {
  onRemoved: () => void;
  onCancel: () => void;
}

/** Switches it off with a code. */
export function RemoveForm({ onRemoved, onCancel }: RemoveProps) {
  const api = useService(API);
  const [isRecovery, setIsRecovery] = useState(false);
  const remove = async (given: string, signal: AbortSignal) => {
    await api.call(removeTwoFactor, { body: isRecovery ? { recovery_code: given } : { otp_code: given }, signal });
  };
  return (
    <CodeForm
      key={String(isRecovery)}
      isRecovery={isRecovery}
      action={t('Switch off')}
      cancel={t('Cancel')}
      send={remove}
      onDone={onRemoved}
      onSwitch={() => setIsRecovery(!isRecovery)}
      onCancel={onCancel}
    >
      <h2>{t('Switch two-factor off')}</h2>
      <p className="t2">{t('The password alone opens your account then.')}</p>
    </CodeForm>
  );
}
