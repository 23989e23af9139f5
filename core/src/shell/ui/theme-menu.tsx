import { Button } from '@blueprintjs/core';
import { Contrast } from '@blueprintjs/icons';
import { lazy, Suspense, useState } from 'react';

const loadMenu = async () => ({ default: (await import('./theme-menu-popover.tsx')).ThemeMenuPopover });
const ThemeMenuPopover = lazy(loadMenu);

/**
 * Colour mode: System, Light, Dark. The popover is fetched when somebody reaches for it: it is 28 kB gzip, and this
 * button stands on the sign-in page and the error page, which need none before they show.
 */
export function ThemeMenu() {
  const [isWanted, setIsWanted] = useState(false);
  const button = (
    <Button
      variant="minimal"
      icon={<Contrast aria-hidden={true} />}
      aria-label="Colour mode"
      aria-haspopup="listbox"
      title="Colour mode"
      onPointerEnter={loadMenu}
      onClick={() => setIsWanted(true)}
    />
  );
  if (!isWanted) return button;
  return (
    <Suspense fallback={button}>
      <ThemeMenuPopover />
    </Suspense>
  );
}
