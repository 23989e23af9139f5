import { Button } from '@blueprintjs/core';
import { Contrast } from '@blueprintjs/icons';
import { lazy, Suspense } from 'react';
import { Link } from 'react-router-dom';
import { t } from '../../../platform/ui/language/translate.ts';
import { Popup } from '../../../platform/ui/popups/popup.tsx';

const LazyContent = lazy(async () => ({ default: (await import('./theme-menu-content.tsx')).ThemeMenuContent }));

/** Colour mode: System, Light, Dark. */
export function ThemeMenu() {
  const content = (
    <Suspense fallback={null}>
      <LazyContent />
    </Suspense>
  );
  return (
    <Popup kind="listbox" content={content}>
      <Button
        variant="minimal"
        icon={<Contrast aria-hidden={true} />}
        aria-label={t('Colour mode')}
        title={t('Colour mode')}
      />
    </Popup>
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
export function Brand({ to = '/' }: { to?: string }) {
  return (
    <Link className="brand" to={to} aria-label={t('Breakwater, home')}>
      <BrandMark />
      <span className="lbl">Breakwater</span>
    </Link>
  );
}
