import { Button, type ButtonProps } from '@blueprintjs/core';
import { initialsOf } from '../../../platform/ui/display/avatar.tsx';
import { PersonAvatar } from '../../../session/ui/index.ts';
import type { SignedInUser } from '../navigation/shell-ports.ts';

interface AccountButtonProps extends ButtonProps {
  user: SignedInUser;
}

/** The picture or initials of who is signed in; opens their menu. */
export function AccountButton({ user, ...props }: AccountButtonProps) {
  return (
    <Button
      {...props}
      variant="minimal"
      className="account"
      aria-label={`${initialsOf(user.username)}, Account of ${user.username}`}
      aria-haspopup="menu"
      title={user.email}
    >
      <PersonAvatar id={user._id} name={user.username} isDecorative={true} />
    </Button>
  );
}
