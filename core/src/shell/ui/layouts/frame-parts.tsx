import { Button } from '@blueprintjs/core';
import { Contrast } from '@blueprintjs/icons';
import { lazy, Suspense, useState } from 'react';
import { Link } from 'react-router-dom';

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

/** The mark: two waves in a violet square. */
function BrandMark() {
  return (
    <svg width="20" height="20" viewBox="0 0 20 20" aria-hidden="true">
      <rect width="20" height="20" rx="5" fill="currentColor" />
      <path
        d="M4 7.5c2 0 2 2 4 2s2-2 4-2 2 2 4 2M4 12.5c2 0 2 2 4 2s2-2 4-2 2 2 4 2"
        fill="none"
        stroke="#fff"
        strokeWidth="1.8"
        strokeLinecap="round"
      />
    </svg>
  );
}

/** Mark and name, leading home. */
export function Brand() {
  return (
    <Link className="brand" to="/" aria-label="Breakwater, home">
      <BrandMark />
      <span className="lbl">Breakwater</span>
    </Link>
  );
}
