import type { ReactNode } from 'react';
import { GuestFrame } from './guest-frame.tsx';

/** Around the error page. Never loaded lazily: it must show when loading is what failed. */
export function ErrorLayout({ children }: { children: ReactNode }) {
  return <GuestFrame>{children}</GuestFrame>;
}
