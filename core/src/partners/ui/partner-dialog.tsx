import { HTMLSelect } from '@blueprintjs/core';
import { useState } from 'react';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { TextField } from '../../platform/ui/forms/text-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PARTNER_KIND_LABELS, PARTNER_KINDS, type PartnerKind } from '../model/partners.ts';
import type { PartnerItem, PartnersStore } from './partners.store.ts';

interface PartnerDialogProps {
  store: PartnersStore;
  /** Absent: a new one. */
  partner?: PartnerItem;
  onClose: () => void;
}

interface Draft {
  name: string;
  kind: PartnerKind;
  description: string;
  website: string;
  email: string;
}

const draftOf = (partner: PartnerItem | undefined): Draft => ({
  name: partner?.attributes.name ?? '',
  kind: partner?.attributes.kind ?? PARTNER_KINDS[0],
  description: partner?.attributes.description ?? '',
  website: partner?.attributes.website ?? '',
  email: partner?.attributes.email ?? '',
});

const given = (text: string): string | null => (text.trim() === '' ? null : text.trim());

const bodyOf = ({ name, kind, description, website, email }: Draft) => ({
  name: name.trim(),
  kind,
  description: description.trim(),
  website: given(website),
  email: given(email),
});

function KindField({ kind, onKind }: { kind: PartnerKind; onKind: (kind: PartnerKind) => void }) {
  return (
    <FormField label={t('Kind')}>
      {({ id }) => (
        <HTMLSelect
          id={id}
          fill={true}
          value={kind}
          options={PARTNER_KINDS.map((one) => ({ value: one, label: t(PARTNER_KIND_LABELS[one]) }))}
          onChange={({ currentTarget: { value } }) => onKind(PARTNER_KINDS.find((one) => one === value) ?? kind)}
        />
      )}
    </FormField>
  );
}

/** Asks what a partner is. */
export function PartnerDialog({ store, partner, onClose }: PartnerDialogProps) {
  const [draft, setDraft] = useState(() => draftOf(partner));
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const write = (change: Partial<Draft>) => {
    setDraft((known) => ({ ...known, ...change }));
    setError(undefined);
  };
  const field = (name: Exclude<keyof Draft, 'kind'>) => ({
    value: draft[name],
    onChange: (text: string) => write({ [name]: text }),
  });
  const save = async () => {
    setIsBusy(true);
    setError(undefined);
    const body = bodyOf(draft);
    try {
      await (partner === undefined ? store.add(body) : store.change(partner._id, body));
      onClose();
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
      setIsBusy(false);
    }
  };
  return (
    <ActionDialog
      isOpen={true}
      title={partner === undefined ? t('Add a partner') : t('Change {partner}', { partner: partner.attributes.name })}
      actionLabel={partner === undefined ? t('Add') : t('Save')}
      isBusy={isBusy}
      isActionEnabled={draft.name.trim() !== ''}
      onAction={() => void save()}
      onClose={onClose}
    >
      {error !== undefined && (
        <p className="err" role="alert">
          {error}
        </p>
      )}
      <TextField label={t('Name')} maxLength={100} {...field('name')} />
      <KindField kind={draft.kind} onKind={(kind) => write({ kind })} />
      <TextField label={t('Description')} isLong={true} maxLength={1000} {...field('description')} />
      <TextField
        label={t('Website')}
        help={t('Begins with https://')}
        inputMode="url"
        maxLength={300}
        {...field('website')}
      />
      <TextField label={t('Email')} inputMode="email" maxLength={254} {...field('email')} />
    </ActionDialog>
  );
}
