import { Button, Checkbox, HTMLSelect } from '@blueprintjs/core';
import { Plus, Trash } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { ROLE_LABELS } from '../../platform/model/permissions.ts';
import { FormField } from '../../platform/ui/forms/form-field.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { INVITED_ROLES, type InvitedRole } from '../model/settings.ts';
import { type StoreProps, TextField } from './settings-fields.tsx';

interface RoleSelectProps {
  id?: string;
  label?: string;
  value: InvitedRole;
  onChange: (role: InvitedRole) => void;
}

function RoleSelect({ id, label, value, onChange }: RoleSelectProps) {
  return (
    <HTMLSelect
      {...(id === undefined ? {} : { id })}
      {...(label === undefined ? {} : { 'aria-label': label })}
      value={value}
      options={INVITED_ROLES.map((role) => ({ value: role, label: t(ROLE_LABELS[role]) }))}
      onChange={({ currentTarget }) => {
        const chosen = INVITED_ROLES.find((role) => role === currentTarget.value);
        if (chosen !== undefined) onChange(chosen);
      }}
    />
  );
}

/** Which group gives which role. */
const RoleRules = observer(function RoleRules({ store }: StoreProps) {
  const { draft } = store;
  if (draft === undefined) return null;
  const { role_rules: rules } = draft;
  const change = (key: number, values: { group?: string; role?: InvitedRole }) =>
    store.set({ role_rules: rules.map((rule) => (rule.key === key ? { ...rule, ...values } : rule)) });
  const add = () => {
    const key = Math.max(-1, ...rules.map((rule) => rule.key)) + 1;
    store.set({ role_rules: [...rules, { key, group: '', role: 'cyberoper' }] });
  };
  return (
    <div className="sso-rules">
      <h3>{t('Role by group')}</h3>
      <p className="muted small">
        {rules.length === 0
          ? t('Without rules roles are given by hand in the team.')
          : t(
              'At each sign-in the most powerful role counts that a group gives; who has none of the groups gets the role above. Names are compared exactly.',
            )}
      </p>
      <ul aria-label={t('Role by group')}>
        {rules.map(({ key, group, role }, index) => (
          <li key={key}>
            <input
              className="bp6-input"
              aria-label={t('Group {number}', { number: index + 1 })}
              placeholder="security-team" // no text: an example of a name
              maxLength={200}
              autoComplete="off"
              value={group}
              onChange={(event) => change(key, { group: event.currentTarget.value })}
            />
            <RoleSelect
              label={t('Role of group {number}', { number: index + 1 })}
              value={role}
              onChange={(chosen) => change(key, { role: chosen })}
            />
            <Button
              variant="minimal"
              icon={<Trash aria-hidden={true} />}
              aria-label={t('Remove group {number}', { number: index + 1 })}
              onClick={() => store.set({ role_rules: rules.filter((rule) => rule.key !== key) })}
            />
          </li>
        ))}
      </ul>
      <Button icon={<Plus aria-hidden={true} />} text={t('Add a group')} onClick={add} />
    </div>
  );
});

/** Whose people the provider signs in, and with which role. */
export const PeopleCard = observer(function PeopleCard({ store }: StoreProps) {
  const { draft } = store;
  if (draft === undefined) return null;
  return (
    <section className="bp6-card sso-card" aria-labelledby="sso-people">
      <h2 id="sso-people">{t('People and roles')}</h2>
      <TextField
        store={store}
        name="domains"
        label={t('Email domains')}
        rows={2}
        placeholder="example.org" // no text: an example of a domain
        help={t(
          'One a line. Their people are led to your provider. A domain can be claimed by an admin who has an address there.',
        )}
      />
      <Checkbox
        label={t('Make an account at the first sign-in')}
        checked={draft.creates_accounts}
        onChange={(event) => store.set({ creates_accounts: event.currentTarget.checked })}
      />
      {draft.protocol === 'oidc' && (
        <Checkbox
          label={t('The provider verifies every email, but sends no email_verified')}
          checked={draft.trusts_emails}
          onChange={(event) => store.set({ trusts_emails: event.currentTarget.checked })}
        />
      )}
      <FormField label={t('Role of new people')}>
        {(control) => (
          <RoleSelect
            id={control.id}
            value={draft.default_role}
            onChange={(role) => store.set({ default_role: role })}
          />
        )}
      </FormField>
      <TextField
        store={store}
        name="groups_claim"
        label={draft.protocol === 'oidc' ? t('Claim of the groups') : t('Attribute of the groups')}
      />
      <RoleRules store={store} />
    </section>
  );
});
