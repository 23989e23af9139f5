import { Button, Drawer } from '@blueprintjs/core';
import { Menu as MenuIcon, Office } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { Suspense, useEffect, useState } from 'react';
import { Outlet } from 'react-router-dom';
import { LIVE_EVENTS } from '../../../platform/ui/live-events.ts';
import { useService } from '../../../platform/ui/services.tsx';
import { useIsNarrow } from '../../../platform/ui/use-media.ts';
import { AccountMenu } from '../account-menu.tsx';
import { Brand } from '../brand.tsx';
import { NAVIGATION } from '../navigation.store.ts';
import { NavigationList } from '../navigation-rail.tsx';
import { HOME_OVERLAYS } from '../overlays.ts';
import { SESSION } from '../session-port.ts';
import { ThemeMenu } from '../theme-menu.tsx';
import { TopSearch } from '../top-search.tsx';

const DRAWER_WIDTH_PX = 264;

/** Under 768 the rail is behind a button. */
function NavigationDrawer() {
  const [isOpen, setIsOpen] = useState(false);
  const handleClose = () => setIsOpen(false);
  return (
    <>
      <Button
        variant="minimal"
        icon={<MenuIcon aria-hidden={true} />}
        aria-label="Open navigation"
        aria-expanded={isOpen}
        onClick={() => setIsOpen(true)}
      />
      <Drawer isOpen={isOpen} onClose={handleClose} position="left" size={DRAWER_WIDTH_PX} aria-label="Navigation">
        <nav className="rail-drawer" aria-label="Main">
          <Brand />
          <NavigationList onChoose={handleClose} />
        </nav>
      </Drawer>
    </>
  );
}

const TopBar = observer(function TopBar({ isNarrow }: { isNarrow: boolean }) {
  const { organizationName } = useService(SESSION);
  return (
    <header className="topbar">
      {isNarrow && <NavigationDrawer />}
      {organizationName !== undefined && (
        <div className="scope">
          <Office aria-hidden={true} />
          <b className="trunc">{organizationName}</b>
        </div>
      )}
      <span className="grow" />
      <TopSearch />
      <ThemeMenu />
      <AccountMenu />
    </header>
  );
});

/** For signed-in people: rail, top bar, content. Live events and counts run as long as it shows. */
export function HomeLayout() {
  const events = useService(LIVE_EVENTS);
  const navigation = useService(NAVIGATION);
  const overlays = useService(HOME_OVERLAYS);
  const isNarrow = useIsNarrow();
  useEffect(() => {
    events.start();
    navigation.start();
    return () => {
      navigation.stop();
      events.stop();
    };
  }, [events, navigation]);
  return (
    <div className="app">
      <a className="skip" href="#main">
        Skip to content
      </a>
      {!isNarrow && (
        <nav className="rail" aria-label="Main">
          <Brand />
          <NavigationList />
        </nav>
      )}
      <TopBar isNarrow={isNarrow} />
      <main className="main" id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense fallback={null}>
        {overlays.map((Overlay, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <Overlay key={index} />
        ))}
      </Suspense>
    </div>
  );
}
