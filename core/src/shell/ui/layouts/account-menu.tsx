import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense } from 'react';
import { useService } from '../../../platform/ui/data/services.tsx';
import { initialsOf } from '../../../platform/ui/display/avatar.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { Popup } from '../../../platform/ui/popups/popup.tsx';
import { PersonAvatar } from '../../../session/ui/index.ts';
import { SESSION } from '../navigation/shell-ports.ts';

const LazyContent = lazy(async () => ({ default: (await import('./account-menu-content.tsx')).AccountMenuContent }));

/** The picture or initials of who is signed in; opens their menu. */
export const AccountMenu = observer(function AccountMenu() {
  const { user } = useService(SESSION);
  if (user === undefined) return null;
  const content = (
    <Suspense fallback={null}>
      <LazyContent user={user} />
    </Suspense>
  );
  return (
    <Popup kind="menu" content={content}>
      <Button
        variant="minimal"
        className="account"
        aria-label={t('{initials}, Account of {username}', {
          initials: initialsOf(user.username),
          username: user.username,
        })}
        title={user.email}
      >
        <PersonAvatar id={user._id} name={user.username} isDecorative={true} />
      </Button>
    </Popup>
  );
});
