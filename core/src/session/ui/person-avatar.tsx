import { observer } from 'mobx-react-lite';
import { addressOf } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { Avatar } from '../../platform/ui/display/avatar.tsx';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { getAvatar } from '../api/profile-routes.ts';

interface PersonAvatarProps {
  /** Of the user. */
  id: string;
  name: string;
  isLarge?: boolean;
  /** The name stands beside it already. */
  isDecorative?: boolean;
}

/** A member of the organisation by their picture, where the installation has pictures, else by their initials. */
export const PersonAvatar = observer(function PersonAvatar({ id, ...props }: PersonAvatarProps) {
  const { hasAvatars } = useService(SESSION);
  return <Avatar {...props} picture={hasAvatars === true ? addressOf(getAvatar, { id }, undefined) : undefined} />;
});
