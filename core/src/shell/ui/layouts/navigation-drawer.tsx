import { Drawer } from '@blueprintjs/core';
import { t } from '../../../platform/ui/language/translate.ts';
import { NavigationList, ScopedBrand } from '../navigation/navigation-rail.tsx';

const DRAWER_WIDTH_PX = 264;

/** The rail on a phone. Fetched when somebody opens it. */
export function NavigationDrawer({ onClose }: { onClose: () => void }) {
  return (
    <Drawer isOpen={true} onClose={onClose} position="left" size={DRAWER_WIDTH_PX} aria-label={t('Navigation')}>
      <nav className="rail-drawer" aria-label={t('Main')}>
        <ScopedBrand />
        <NavigationList onChoose={onClose} />
      </nav>
    </Drawer>
  );
}
