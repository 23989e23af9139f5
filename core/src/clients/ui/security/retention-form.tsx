import { Button } from '@blueprintjs/core';
import { type FormEvent, useState } from 'react';
import { API } from '../../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { ActionDialog } from '../../../platform/ui/feedback/dialogs.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { FormField } from '../../../platform/ui/forms/form-field.tsx';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { AUDIT_RETENTION, REPORT_RETENTION, updateClient } from '../../api/routes.ts';

type Retained = 'audit' | 'reports';

interface Kind {
  bounds: { readonly minimum: number; readonly maximum: number };
  /** What of the organisation it changes. */
  body: (days: number) => { audit_retention_days: number } | { report_retention_days: number };
  label: () => string;
  help: () => string;
  shorten: () => string;
  consequence: (days: number) => string;
  remove: () => string;
  saved: (days: number) => string;
}

const KINDS: Record<Retained, Kind> = {
  audit: {
    bounds: AUDIT_RETENTION,
    body: (days) => ({ audit_retention_days: days }),
    label: () => t('Days for which entries of the audit log are kept'),
    help: () =>
      t(
        'Older entries are deleted every night, for good. Until then nobody can change or delete one. At least {minimum} days, at most {maximum}.',
        AUDIT_RETENTION,
      ),
    shorten: () => t('Keep entries for a shorter time'),
    consequence: (days) =>
      plural(
        days,
        'Entries that are older than {count} day are deleted next night and cannot be brought back. Export the audit log first, if you need them.',
        'Entries that are older than {count} days are deleted next night and cannot be brought back. Export the audit log first, if you need them.',
      ),
    remove: () => t('Delete older entries'),
    saved: (days) => plural(days, 'Entries are kept for {count} day', 'Entries are kept for {count} days'),
  },
  reports: {
    bounds: REPORT_RETENTION,
    body: (days) => ({ report_retention_days: days }),
    label: () => t('Days for which uploaded reports are kept'),
    help: () =>
      t(
        'Older reports are deleted every night, for good; findings, their history and the list of scans stay. The last two reports of each tool and target are always kept, so that an import can be undone. At least {minimum} days, at most {maximum}.',
        REPORT_RETENTION,
      ),
    shorten: () => t('Keep reports for a shorter time'),
    consequence: (days) =>
      plural(
        days,
        'Reports that are older than {count} day are deleted next night and cannot be brought back. Findings stay.',
        'Reports that are older than {count} days are deleted next night and cannot be brought back. Findings stay.',
      ),
    remove: () => t('Delete older reports'),
    saved: (days) => plural(days, 'Reports are kept for {count} day', 'Reports are kept for {count} days'),
  },
};

/** Whole days within the bounds; nothing where the text says none. */
const daysOf = (text: string, { minimum, maximum }: Kind['bounds']): number | undefined => {
  const days = Number(text);
  const isAllowed = Number.isInteger(days) && days >= minimum && days <= maximum;
  return isAllowed && text.trim() !== '' ? days : undefined;
};

interface ConfirmProps {
  kind: Kind;
  /** The shorter time; undefined while nothing is asked. */
  days: number | undefined;
  isBusy: boolean;
  onConfirm: (days: number) => void;
  onClose: () => void;
}

function ConfirmShorter({ kind, days, isBusy, onConfirm, onClose }: ConfirmProps) {
  if (days === undefined) return null;
  return (
    <ActionDialog
      isOpen={true}
      title={kind.shorten()}
      consequence={kind.consequence(days)}
      actionLabel={kind.remove()}
      isDestructive={true}
      isBusy={isBusy}
      onAction={() => onConfirm(days)}
      onClose={onClose}
    />
  );
}

/** How long entries of the audit log, or reports, stay. A shorter time asks first: what is older goes for good. */
export function RetentionForm({ of, storedDays }: { of: Retained; storedDays: number }) {
  const kind = KINDS[of];
  const api = useService(API);
  const toasts = useService(TOASTS);
  const [stored, setStored] = useState(storedDays);
  const [text, setText] = useState(String(storedDays));
  const [error, setError] = useState<string>();
  const [isAsking, setIsAsking] = useState(false);
  const [isBusy, setIsBusy] = useState(false);
  const days = daysOf(text, kind.bounds);
  const save = async (wanted: number) => {
    setIsBusy(true);
    try {
      await api.call(updateClient, { body: kind.body(wanted) });
      setStored(wanted);
      toasts.show(kind.saved(wanted), { tone: 'done' });
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
    } finally {
      setIsAsking(false);
      setIsBusy(false);
    }
  };
  const handleSubmit = (event: FormEvent) => {
    event.preventDefault();
    if (days === undefined) setError(t('Enter whole days from {minimum} to {maximum}.', kind.bounds));
    else if (days < stored) setIsAsking(true);
    else void save(days);
  };
  return (
    <form className="audit-retention" noValidate={true} onSubmit={handleSubmit}>
      <FormField label={kind.label()} error={error} help={kind.help()}>
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
        kind={kind}
        days={isAsking ? days : undefined}
        isBusy={isBusy}
        onConfirm={(wanted) => void save(wanted)}
        onClose={() => setIsAsking(false)}
      />
    </form>
  );
}
