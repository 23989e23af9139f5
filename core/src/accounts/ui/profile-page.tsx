import { loadProfileScreen } from '../../session/ui/index.ts';
import { OwnAccount } from './own-account.tsx';

/** `/settings/profile`: the profile with what its owner may do with their data. Called once, by the route. */
export const loadProfilePage = async () => {
  const ProfileScreen = await loadProfileScreen();
  const page = () => (
    <ProfileScreen>
      <OwnAccount />
    </ProfileScreen>
  );
  return page;
};
