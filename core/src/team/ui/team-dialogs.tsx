import { Button, HTMLSelect } from '@blueprintjs/core';
import { Duplicate } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../platform/model/message.ts';
import { ROLE_LABELS } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { copyText } from '../../platform/ui/feedback/clipboard.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { type NextStep, nextStepOf } from '../../platform/ui/feedback/next-step.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { INVITATION_DAYS, INVITED_ROLES, type InvitedRole } from '../model/roles.ts';
import { PeopleStore } from './people.store.ts';
import type { TeamItem, TeamStore } from './team.store.ts';

const ROLE_HELP: Record<InvitedRole, string> = {
  admin: msg('Everything in the organisation, its team and settings included.'),
  cyberoper: msg('All findings, with decisions and assignments. Reads the settings.'),
  developer: msg('What is assigned to them or in repositories they own.'),
};

/** Runs what a dialog asks for; what goes wrong is told inside of it. */
const useAction = () => {
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [next, setNext] = useState<NextStep>();
  const run = async (action: () => Promise<void>) => {
    setIsBusy(true);
    setError(undefined);
    setNext(undefined);
    try {
      await action();
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
      setNext(nextStepOf(failure));
    } finally {
      setIsBusy(false);
    }
  };
  return { isBusy, error, next, setError, run };
};

interface LinkProps {
  email: string;
  link: string;
  onClose: () => void;
}

/** Where no mail is sent, the link is handed on by whoever invites. */
function LinkDialog({ email, link, onClose }: LinkProps) {
  const toasts = useService(TOASTS);
  const address = new URL(link, window.location.origin).href;
  return (
    <ActionDialog
      isOpen={true}
      title={t('Invitation link')}
      consequence={t('Give this link to {email}. It works once, for {days} days, and is not shown again.', {
        email,
        days: INVITATION_DAYS,
      })}
      actionLabel={t('Done')}
      onAction={onClose}
      onClose={onClose}
    >
      <div className="row invite-link">
        <input className="bp6-input grow" aria-label={t('Invitation link')} readOnly={true} value={address} />
        <Button
          icon={<Duplicate aria-hidden={true} />}
          text={t('Copy')}
          onClick={() => void copyText(address, toasts)}
        />
      </div>
    </ActionDialog>
  );
}

interface InviteDialogProps {
  store: TeamStore;
  onClose: () => void;
}

/** Asks whom to invite, and as what. */
export function InviteDialog({ store, onClose }: InviteDialogProps) {
  const toasts = useService(TOASTS);
  const [email, setEmail] = useState('');
  const [role, setRole] = useState<InvitedRole>('developer');
  const [link, setLink] = useState<string>();
  const { isBusy, error, next, setError, run } = useAction();
  if (link !== undefined) return <LinkDialog email={email.trim()} link={link} onClose={onClose} />;
  const send = () =>
    void run(async () => {
      const made = await store.invite(email.trim(), role);
      if (made !== null) return setLink(made);
      toasts.show(t('{email} is invited', { email: email.trim() }), { tone: 'done' });
      onClose();
    });
  return (
    <ActionDialog
      isOpen={true}
      title={t('Invite a person')}
      actionLabel={t('Invite')}
      isBusy={isBusy}
      isActionEnabled={/^[^\s@]+@[^\s@]+$/.test(email.trim())}
      onAction={send}
      onClose={onClose}
    >
      <FormField label={t('Email')} error={error}>
        {(control) => (
          <input
            {...control}
            type="email"
            // biome-ignore lint/a11y/noAutofocus: the first field of a dialog
            autoFocus={true}
            autoComplete="off"
            value={email}
            onChange={(event) => {
              setEmail(event.currentTarget.value);
              setError(undefined);
            }}
          />
        )}
      </FormField>
      {next !== undefined && (
        <p>
          <Link to={next.to}>{next.label}</Link>
        </p>
      )}
      <FormField label={t('Role')} help={t(ROLE_HELP[role])}>
        {(control) => (
          <HTMLSelect
            id={control.id}
            aria-describedby={control['aria-describedby']}
            fill={true}
            value={role}
            options={INVITED_ROLES.map((value) => ({ value, label: t(ROLE_LABELS[value]) }))}
            onChange={({ currentTarget }) =>
              setRole(INVITED_ROLES.find((one) => one === currentTarget.value) ?? 'developer')
            }
          />
        )}
      </FormField>
    </ActionDialog>
  );
}

interface HeirFieldProps {
  people: PeopleStore;
  /** Id of the member who leaves. */
  leaving: string;
  heir: string;
  onHeir: (heir: string) => void;
}

/** Who gets what a member owned. */
const HeirField = observer(function HeirField({ people, leaving, heir, onHeir }: HeirFieldProps) {
  const others = (people.members ?? []).filter(({ value }) => value !== leaving);
  if (people.error !== undefined) {
    return (
      <ErrorState
        title={t('The members could not be read')}
        error={people.error}
        onRetry={() => void people.loadMembers()}
      />
    );
  }
  return (
    <FormField label={t('Their findings and repositories go to')}>
      {(control) => (
        <HTMLSelect
          id={control.id}
          fill={true}
          value={heir}
          options={[{ value: '', label: t('Nobody') }, ...others]}
          onChange={({ currentTarget }) => onHeir(currentTarget.value)}
        />
      )}
    </FormField>
  );
});

interface RemoveDialogProps {
  store: TeamStore;
  item: TeamItem;
  onClose: () => void;
}

/** Asks before a person is removed, and who gets what they own. */
export const RemoveDialog = observer(function RemoveDialog({ store, item, onClose }: RemoveDialogProps) {
  const api = useService(API);
  const [people] = useState(() => new PeopleStore(api));
  const [heir, setHeir] = useState('');
  const { isBusy, error, run } = useAction();
  const { email, username, status } = item.attributes;
  const isInvited = status === 'invited';
  useEffect(() => {
    if (!isInvited) void people.loadMembers();
  }, [people, isInvited]);
  const remove = () =>
    void run(async () => {
      await store.remove(item, heir);
      onClose();
    });
  if (isInvited) {
    return (
      <ActionDialog
        isOpen={true}
        title={t('Withdraw the invitation of {email}', { email })}
        consequence={t('Its link stops working.')}
        actionLabel={t('Withdraw')}
        isDestructive={true}
        isBusy={isBusy}
        onAction={remove}
        onClose={onClose}
      >
        {error !== undefined && <p className="err">{error}</p>}
      </ActionDialog>
    );
  }
  return (
    <ActionDialog
      isOpen={true}
      title={t('Remove {username}', { username })}
      consequence={t('They are signed out everywhere at once. What they decided stays in the history.')}
      actionLabel={t('Remove')}
      isDestructive={true}
      isBusy={isBusy}
      onAction={remove}
      onClose={onClose}
    >
      {error !== undefined && <p className="err">{error}</p>}
      <HeirField people={people} leaving={item._id} heir={heir} onHeir={setHeir} />
    </ActionDialog>
  );
});

/** Asks before two-factor of a member is switched off. */
export const ResetTwoFactorDialog = observer(function ResetTwoFactorDialog({
  store,
  item,
  onClose,
}: RemoveDialogProps) {
  const toasts = useService(TOASTS);
  const { isBusy, error, run } = useAction();
  const { username } = item.attributes;
  const reset = () =>
    void run(async () => {
      await store.resetTwoFactor(item);
      toasts.show(t('Two-factor of {username} is off', { username }), { tone: 'done' });
      onClose();
    });
  return (
    <ActionDialog
      isOpen={true}
      title={t('Switch off two-factor of {username}', { username })}
      consequence={t(
        'For who has lost device and recovery codes: make sure that it is they who ask. They are signed out everywhere, are told by mail, and sign in with the password alone.',
      )}
      actionLabel={t('Switch off')}
      isDestructive={true}
      isBusy={isBusy}
      onAction={reset}
      onClose={onClose}
    >
      {error !== undefined && <p className="err">{error}</p>}
    </ActionDialog>
  );
});
