import { Outlet } from 'react-router-dom';
import { Brand, ThemeMenu } from './frame-parts.tsx';

/** A plain page of text for everybody, signed in or not. */
export function DefaultLayout() {
  return (
    <div className="plain">
      <header>
        <Brand />
        <span className="grow" />
        <ThemeMenu />
      </header>
      <main id="main">
        <Outlet />
      </main>
    </div>
  );
}
