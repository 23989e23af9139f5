import { Menu, MenuItem } from '@blueprintjs/core';
import { Help, Key, Lightbulb, LogOut, Menu as MenuIcon, Shield } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useNavigate } from 'react-router-dom';
import { ROLE_LABELS } from '../../../platform/model/permissions.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { TOASTS } from '../../../platform/ui/feedback/toasts.store.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { SESSION, type SignedInUser } from '../navigation/shell-ports.ts';

/** Who is signed in, and the way out. */
export const AccountMenuContent = observer(function AccountMenuContent({ user }: { user: SignedInUser }) {
  const session = useService(SESSION);
  const toasts = useService(TOASTS);
  const navigate = useNavigate();
  const handleSignOut = async () => {
    try {
      await session.signOut();
      await navigate('/login');
    } catch (error) {
      toasts.showError(error);
    }
  };
  return (
    <div>
      <div className="account-head">
        <b className="trunc">{user.username}</b>
        <span className="muted small trunc">{user.email}</span>
        <span className="muted small">{t(ROLE_LABELS[user.role])}</span>
      </div>
      <Menu>
        <MenuItem
          icon={<Key aria-hidden={true} />}
          text={t('Change password')}
          onClick={() => void navigate('/change-password')}
        />
        <MenuItem
          icon={<Shield aria-hidden={true} />}
          text={t('Two-factor')}
          onClick={() => void navigate('/settings/setup-2fa')}
        />
        <MenuItem
          icon={<Lightbulb aria-hidden={true} />}
          text={t('Feedback')}
          onClick={() => void navigate('/feedback')}
        />
        <MenuItem
          icon={<MenuIcon aria-hidden={true} />}
          text={session.isCompact ? t('Comfortable rows') : t('Compact rows')}
          onClick={() => void session.setCompact(!session.isCompact).catch(toasts.showError)}
        />
        <MenuItem icon={<Help aria-hidden={true} />} text={t('Help and keys')} onClick={() => void navigate('/help')} />
        <MenuItem icon={<LogOut aria-hidden={true} />} text={t('Sign out')} onClick={handleSignOut} />
      </Menu>
    </div>
  );
});
