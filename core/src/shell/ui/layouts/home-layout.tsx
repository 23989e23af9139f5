import { Button } from '@blueprintjs/core';
import { Menu as MenuIcon, Notifications, Office } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { lazy, Suspense, useEffect, useState } from 'react';
import { NavLink, Outlet } from 'react-router-dom';
import { loadUnreadBadge } from '../../../notifications/ui/index.ts';
import { can } from '../../../platform/model/permissions.ts';
import { LIVE_EVENTS } from '../../../platform/ui/data/live-events.ts';
import { useFetchedLater } from '../../../platform/ui/data/load-when-idle.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { UNSAVED_TEXTS } from '../../../platform/ui/feedback/unsaved-texts.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { useIsNarrow } from '../../../platform/ui/page/use-media.ts';
import { NAVIGATION } from '../navigation/navigation.store.ts';
import { NavigationList, ScopedBrand } from '../navigation/navigation-rail.tsx';
import { HOME_OVERLAYS, SCOPE_SWITCH, SESSION } from '../navigation/shell-ports.ts';
import { TopSearch } from '../navigation/top-search.tsx';
import { AccountMenu } from './account-menu.tsx';
import { ThemeMenu } from './frame-parts.tsx';

const loadDrawer = async () => ({ default: (await import('./navigation-drawer.tsx')).NavigationDrawer });
const LazyDrawer = lazy(loadDrawer);

/** Under 768 the rail is behind a button. */
function NavigationButton() {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <>
      <Button
        variant="minimal"
        icon={<MenuIcon aria-hidden={true} />}
        aria-label={t('Open navigation')}
        aria-expanded={isOpen}
        onPointerEnter={loadDrawer}
        onClick={() => setIsOpen(true)}
      />
      {isOpen && (
        <Suspense fallback={null}>
          <LazyDrawer onClose={() => setIsOpen(false)} />
        </Suspense>
      )}
    </>
  );
}

const LazyUnreadBadge = lazy(async () => ({ default: await loadUnreadBadge() }));

/** Leads to the notifications. How many are unread is asked for when the page has come. */
function NotificationBell() {
  const isBadgeThere = useFetchedLater(loadUnreadBadge);
  return (
    <NavLink className="bp6-button bp6-minimal bell" to="/notifications" title={t('Notifications')}>
      <Notifications aria-hidden={true} />
      <span className="sr">{t('Notifications')}</span>
      {isBadgeThere && (
        <Suspense fallback={null}>
          <LazyUnreadBadge />
        </Suspense>
      )}
    </NavLink>
  );
}

/** Whose data this is; once the page has come, people choose here what part of it lists are about. */
const ScopeOfLists = observer(function ScopeOfLists() {
  const { organizationName, user } = useService(SESSION);
  const load = useService(SCOPE_SWITCH);
  const [LazySwitch] = useState(() => lazy(async () => ({ default: await load() })));
  const isSwitchThere = useFetchedLater(load);
  if (organizationName === undefined) return null;
  const name = (
    <div className="scope">
      <Office aria-hidden={true} />
      <b className="trunc">{organizationName}</b>
    </div>
  );
  if (!isSwitchThere || !can(user?.role, 'repositories.read')) return name;
  return (
    <Suspense fallback={name}>
      <LazySwitch />
    </Suspense>
  );
});

const TopBar = observer(function TopBar({ isNarrow }: { isNarrow: boolean }) {
  return (
    <header className="topbar">
      {isNarrow && <NavigationButton />}
      <ScopeOfLists />
      <span className="grow" />
      <TopSearch />
      <NotificationBell />
      <ThemeMenu />
      <AccountMenu />
    </header>
  );
});

const LazyUnsavedDialog = lazy(async () => ({
  default: (await import('../../../platform/ui/feedback/unsaved-dialog.tsx')).UnsavedDialog,
}));

/** What this person wrote before their session ended, and what was not saved. */
const UnsavedOverlay = observer(function UnsavedOverlay() {
  const unsaved = useService(UNSAVED_TEXTS);
  const userId = useService(SESSION).user?._id;
  useEffect(() => {
    if (userId !== undefined) unsaved.restore(userId);
  }, [unsaved, userId]);
  return unsaved.left.length === 0 ? null : <LazyUnsavedDialog />;
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
        {t('Skip to content')}
      </a>
      {!isNarrow && (
        <nav className="rail" aria-label={t('Main')}>
          <ScopedBrand />
          <NavigationList />
        </nav>
      )}
      <TopBar isNarrow={isNarrow} />
      <main className="main" id="main" tabIndex={-1}>
        <Outlet />
      </main>
      <Suspense fallback={null}>
        <UnsavedOverlay />
        {overlays.map((Overlay, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes
          <Overlay key={index} />
        ))}
      </Suspense>
    </div>
  );
}
