import { Outlet } from 'react-router-dom';
import { GuestFrame } from './guest-frame.tsx';

/** For people who are not signed in. */
export function GuestLayout() {
  return (
    <GuestFrame>
      <Outlet />
    </GuestFrame>
  );
}
