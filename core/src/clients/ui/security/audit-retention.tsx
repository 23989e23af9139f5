import { Button } from '@blueprintjs/core';
import { type FormEvent, useState } from 'react';
import { API } from '../../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { AUDIT_RETENTION, updateClient } from '../../api/routes.ts';

/** Whole days within the bounds; nothing where the text says none. */
const daysOf = (text: string): number | undefined => {
  const days = Number(text);
  const isAllowed = Number.isInteger(days) && days >= AUDIT_RETENTION.minimum && days <= AUDIT_RETENTION.maximum;
  return isAllowed && text.trim() !== '' ? days : undefined;
};

interface ConfirmProps {
  /** The shorter time; undefined while nothing is asked. */
  days: number | undefined;
  isBusy: boolean;
  onConfirm: (days: number) => void;
  onClose: () => void;
}

function ConfirmShorter({ days, isBusy, onConfirm, onClose }: ConfirmProps) {
  if (days === undefined) return null;
  return (
    <ActionDialog
      isOpen={true}
      title={t('Keep entries for a shorter time')}
      consequence={plural(
        days,
        'Entries that are older than {count} day are deleted next night and cannot be brought back. Export the audit log first, if you need them.',
        'Entries that are older than {count} days are deleted next night and cannot be brought back. Export the audit log first, if you need them.',
      )}
      actionLabel={t('Delete older entries')}
      isDestructive={true}
      isBusy={isBusy}
      onAction={() => onConfirm(days)}
      onClose={onClose}
    />
  );
}

/** How long entries of the audit log stay. A shorter time asks first: what is older goes for good. */
export function AuditRetention({ storedDays }: { storedDays: number }) {
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [stored, setStored] = useState(storedDays);
  const [text, setText] = useState(String(storedDays));
  const [error, setError] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const days = daysOf(text);
  const save = async (wanted: number) => {
    setIsBusy(true);
    try {
      await api.call(updateClient, { body: { audit_retention_days: wanted } });
      setStored(wanted);
      toasts.show(plural(wanted, 'Entries are kept for {count} day', 'Entries are kept for {count} days'), {
        tone: 'done',
      });
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
    } finally {
      setIsAsking(false);
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (days === undefined) setError(t('Enter whole days from {minimum} to {maximum}.', AUDIT_RETENTION));
    else if (days < stored) setIsAsking(true);
    else void save(days);
  };
  return (
    <form className="audit-retention" noValidate={true} onSubmit={handleSubmit}>
      <FormField
        label={t('Days for which entries of the audit log are kept')}
        error={error}
        help={t(
          'Older entries are deleted every night, for good. Until then nobody can change or delete one. At least {minimum} days, at most {maximum}.',
          AUDIT_RETENTION,
        )}
      >
        {(control) => (
          <input
            {...control}
            type="text"
            inputMode="numeric"
            autoComplete="off"
            value={text}
            onChange={({ currentTarget }) => {
              setText(currentTarget.value);
              setError(undefined);
            }}
          />
        )}
      </FormField>
      <Button type="submit" text={t('Save')} disabled={days === stored} loading={isBusy} />
      <ConfirmShorter
        days={isAsking ? days : undefined}
        isBusy={isBusy}
        onConfirm={(wanted) => void save(wanted)}
        onClose={() => setIsAsking(false)}
      />
    </form>
  );
}
