import type { ReactNode } from 'react';
import { t } from '../../../platform/ui/language/translate.ts';
import { Brand, ThemeMenu } from './frame-parts.tsx';

/** Set by the build from package.json. */
const version: string | undefined = import.meta.env.BREAKWATER_VERSION;

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
      <footer>{version !== undefined && <span>{t('Version {version}', { version })}</span>}</footer>
    </div>
  );
}

/** Around the error page. Never loaded lazily: it must show when loading is what failed. */
export function ErrorLayout({ children }: { children: ReactNode }) {
  return <GuestFrame>{children}</GuestFrame>;
}
