import { lazy, Suspense } from 'react';
import type { MenuListProps } from './menu-list.tsx';
import { Popup, type PopupProps } from './popup.tsx';

const LazyList = lazy(async () => ({ default: (await import('./menu-list.tsx')).MenuList }));

/** A button with a menu, whose code comes when it opens. */
export function MenuPopup(props: MenuListProps & Pick<PopupProps, 'children' | 'placement' | 'returnsFocus'>) {
  const { label, title, items, ...popup } = props;
  const content = (
    <Suspense fallback={null}>
      <LazyList label={label} title={title} items={items} />
    </Suspense>
  );
  return <Popup kind="menu" content={content} {...popup} />;
}
