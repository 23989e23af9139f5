import { Button, Menu, MenuItem, PopoverNext } from '@blueprintjs/core';
import { LogOut } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useNavigate } from 'react-router-dom';
import { ROLE_LABELS } from '../../platform/model/permissions.ts';
import { useService } from '../../platform/ui/services.tsx';
import { TOASTS } from '../../platform/ui/toasts.store.ts';
import { SESSION } from './session-port.ts';

/** Two letters that stand for a person. */
export const initialsOf = (name: string): string => {
  const words = name.split(/[^\p{L}\p{N}]+/u).filter(Boolean);
  const letters =
    words.length > 1 ? words.slice(0, 2).map((word) => word.slice(0, 1)) : [(words[0] ?? '?').slice(0, 2)];
  return letters.join('').toUpperCase();
};

/** Who is signed in, and the way out. */
export const AccountMenu = observer(function AccountMenu() {
  const session = useService(SESSION);
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const { user } = session;
  if (user === undefined) return null;
  const handleSignOut = async () => {
    try {
      await session.signOut();
      await navigate('/login');
    } catch (error) {
      toasts.showError(error);
    }
  };
  const content = (
    <div>
      <div className="account-head">
        <b className="trunc">{user.username}</b>
        <span className="muted small trunc">{user.email}</span>
        <span className="muted small">{ROLE_LABELS[user.role]}</span>
      </div>
      <Menu>
        <MenuItem icon={<LogOut aria-hidden={true} />} text="Sign out" onClick={handleSignOut} />
      </Menu>
    </div>
  );
  return (
    <PopoverNext arrow={false} animation="minimal" placement="bottom-end" content={content}>
      <Button
        variant="minimal"
        className="account"
        aria-label={`${initialsOf(user.username)}, Account of ${user.username}`}
        title={user.email}
      >
        <span className="avatar" aria-hidden="true">
          {initialsOf(user.username)}
        </span>
      </Button>
    </PopoverNext>
  );
});
