import { useSyncExternalStore } from 'react';

/** True while a media query holds. */
export const useMedia = (query: string): boolean =>
  useSyncExternalStore(
    (onChange) => {
      const media = window.matchMedia(query);
      media.addEventListener('change', onChange);
      return () => media.removeEventListener('change', onChange);
    },
    () => window.matchMedia(query).matches,
  );

/** Under 768 px: rows are blocks, menus are sheets (look.md "Layout"). */
export const useIsNarrow = (): boolean => useMedia('(max-width: 767px)');

/** Width of the window in px. */
export const useWindowWidth = (): number =>
  useSyncExternalStore(
    (onChange) => {
      window.addEventListener('resize', onChange);
      return () => window.removeEventListener('resize', onChange);
    },
    () => window.innerWidth,
  );
