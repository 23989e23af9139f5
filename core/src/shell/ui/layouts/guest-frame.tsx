import type { ReactNode } from 'react';
import { Brand } from '../brand.tsx';
import { ThemeMenu } from '../theme-menu.tsx';

/** Brand and colour mode on top, one narrow column in the middle. */
export function GuestFrame({ children }: { children: ReactNode }) {
  return (
    <div className="guest">
      <header>
        <Brand />
        <span className="grow" />
        <ThemeMenu />
      </header>
      <main id="main">{children}</main>
      <footer>Breakwater</footer>
    </div>
  );
}
