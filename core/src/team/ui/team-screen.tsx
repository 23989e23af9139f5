import { Button, HTMLSelect } from '@blueprintjs/core';
import { LogOut, NewPerson, People, Shield, Trash } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { ROLE_LABELS } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { Avatar } from '../../platform/ui/display/avatar.tsx';
import { formatDate } from '../../platform/ui/display/formats.ts';
import { EmptyState, ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { SearchField } from '../../platform/ui/forms/search-field.tsx';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { PageHead, Pager } from '../../platform/ui/page/page-layout.tsx';
import { useAddressView } from '../../platform/ui/page/use-address-view.ts';
import { PersonAvatar } from '../../session/ui/index.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { INVITED_ROLES, type InvitedRole } from '../model/roles.ts';
import { PAGE_SIZE, TEAM_VIEW, type TeamItem, TeamStore } from './team.store.ts';
import { InviteDialog, RemoveDialog, ResetTwoFactorDialog } from './team-dialogs.tsx';
import './team.css';

interface RowProps {
  item: TeamItem;
  isSelf: boolean;
  onRole: (item: TeamItem, role: InvitedRole) => void;
  onRemove: (item: TeamItem) => void;
  onSignOut: (item: TeamItem) => void;
  onReset: (item: TeamItem) => void;
}

/** What stands below the name of who has not come yet. */
const invitedText = (until: string | null): string =>
  until === null ? t('Invited') : t('Invited, until {date}', { date: formatDate(until) });

function MemberRow({ item, isSelf, onRole, onRemove, onSignOut, onReset }: RowProps) {
  const { email, username, role, status, expires_at, enable_2fa } = item.attributes;
  const isInvited = status === 'invited';
  const name = isInvited ? email : username;
  return (
    <tr>
      <td className="t">
        <div className="row member">
          {isInvited ? (
            <Avatar name={name} isDecorative={true} />
          ) : (
            <PersonAvatar id={item._id} name={name} isDecorative={true} />
          )}
          <div className="grow">
            <b className="trunc">
              {name}
              {isSelf && ` ${t('(you)')}`}
            </b>
            <span className="muted small trunc">{isInvited ? invitedText(expires_at) : email}</span>
          </div>
        </div>
      </td>
      <td className="s">
        <HTMLSelect
          aria-label={t('Role of {name}', { name })}
          value={role}
          options={INVITED_ROLES.map((value) => ({ value, label: t(ROLE_LABELS[value]) }))}
          onChange={({ currentTarget }) => {
            const chosen = INVITED_ROLES.find((one) => one === currentTarget.value);
            if (chosen !== undefined) onRole(item, chosen);
          }}
        />
      </td>
      <td className="p">
        {!isSelf && enable_2fa && (
          <Button
            variant="minimal"
            icon={<Shield aria-hidden={true} />}
            aria-label={t('Switch off two-factor of {name}', { name })}
            title={t('Two-factor is on. Switch it off')}
            onClick={() => onReset(item)}
          />
        )}
        {!isSelf && !isInvited && (
          <Button
            variant="minimal"
            icon={<LogOut aria-hidden={true} />}
            aria-label={t('Sign out {name} everywhere', { name })}
            title={t('Sign out everywhere')}
            onClick={() => onSignOut(item)}
          />
        )}
        {!isSelf && (
          <Button
            variant="minimal"
            icon={<Trash aria-hidden={true} />}
            aria-label={isInvited ? t('Withdraw the invitation of {name}', { name }) : t('Remove {name}', { name })}
            onClick={() => onRemove(item)}
          />
        )}
      </td>
    </tr>
  );
}

interface BodyProps {
  store: TeamStore;
  onRemove: (item: TeamItem) => void;
  onReset: (item: TeamItem) => void;
  onClear: () => void;
}

const Body = observer(function Body({ store, onRemove, onReset, onClear }: BodyProps) {
  const toasts = useService(TOASTS);
  const userId = useService(SESSION).user?._id;
  const { rows, view, error } = store;
  if (error !== undefined) {
    return <ErrorState title={t('The team could not be read')} error={error} onRetry={() => void store.load()} />;
  }
  if (rows === undefined) return <SkeletonRows rows={6} rowHeight={56} label={t('Team')} />;
  if (rows.length === 0) {
    return (
      <EmptyState
        icon={<People size={20} />}
        title={view.search === '' ? t('Nobody on this page') : t('Nobody matches “{search}”', { search: view.search })}
        actions={<Button text={t('Show everybody')} onClick={onClear} />}
      >
        {t('Names and e-mails are searched.')}
      </EmptyState>
    );
  }
  const changeRole = (item: TeamItem, role: InvitedRole) => {
    const { username, email } = item.attributes;
    void store.changeRole(item, role).then(
      () =>
        toasts.show(t('{name} is now {role}', { name: username || email, role: t(ROLE_LABELS[role]) }), {
          tone: 'done',
        }),
      (failure: unknown) => toasts.showError(failure),
    );
  };
  const signOut = (item: TeamItem) =>
    void store.endSessions(item).then(
      () =>
        toasts.show(t('{username} is signed out everywhere', { username: item.attributes.username }), { tone: 'done' }),
      (failure: unknown) => toasts.showError(failure),
    );
  return (
    <div className="list-scroll">
      <table className="bw-table team-table">
        <colgroup>
          <col />
          <col className="col-role" />
          <col className="col-act" />
        </colgroup>
        <thead>
          <tr>
            <th>{t('Person')}</th>
            <th>{t('Role')}</th>
            <th>
              <span className="sr">{t('Actions')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows.map((item) => (
            <MemberRow
              key={item._id}
              item={item}
              isSelf={item._id === userId}
              onRole={changeRole}
              onRemove={onRemove}
              onSignOut={signOut}
              onReset={onReset}
            />
          ))}
        </tbody>
      </table>
    </div>
  );
});

/** `/settings/team`: who belongs to the organisation, and who is invited. */
export const TeamScreen = observer(function TeamScreen() {
  const api = useService(API);
  const [shown, onView] = useAddressView(TEAM_VIEW);
  const [store] = useState(() => new TeamStore(api));
  const [isInviting, setIsInviting] = useState(false);
  const [toRemove, setToRemove] = useState<TeamItem>();
  const [toReset, setToReset] = useState<TeamItem>();
  useEffect(() => store.show(shown), [store, shown]);
  useEffect(() => store.dispose, [store]);
  const onSearch = useCallback((search: string) => onView({ search, page: 0 }, true), [onView]);
  const { view, total, rows } = store;
  return (
    <div className="list-page">
      <PageHead title={t('Team')}>
        <Link to="/settings/security">{t('Two-factor for everybody')}</Link>
        <Button
          intent="primary"
          icon={<NewPerson aria-hidden={true} />}
          text={t('Invite')}
          onClick={() => setIsInviting(true)}
        />
      </PageHead>
      <search className="fbar">
        <SearchField
          label={t('Search the team')}
          placeholder={t('Search name or e-mail')}
          search={view.search}
          onSearch={onSearch}
        />
        {rows !== undefined && (
          <span className="fcount" role="status">
            {plural(total, '{count} person', '{count} people')}
          </span>
        )}
        <Pager page={view.page} pageSize={PAGE_SIZE} total={total} onPage={(page) => onView({ page })} />
      </search>
      <div className="list-body">
        <Body
          store={store}
          onRemove={setToRemove}
          onReset={setToReset}
          onClear={() => onView({ search: '', page: 0 })}
        />
      </div>
      {isInviting && <InviteDialog store={store} onClose={() => setIsInviting(false)} />}
      {toReset !== undefined && (
        <ResetTwoFactorDialog store={store} item={toReset} onClose={() => setToReset(undefined)} />
      )}
      {toRemove !== undefined && (
        <RemoveDialog key={toRemove._id} store={store} item={toRemove} onClose={() => setToRemove(undefined)} />
      )}
    </div>
  );
});
