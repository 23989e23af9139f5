import { lazy, type ReactElement, Suspense } from 'react';
import { Popup, type PopupProps } from './popup.tsx';

const LazyList = lazy(async () => ({ default: (await import('./menu-list.tsx')).MenuList }));

export interface MenuEntry {
  text: string;
  /** Right of the text. */
  hint?: string | undefined;
  icon?: ReactElement;
  isChosen?: boolean;
  isDisabled?: boolean;
  onPick: () => void;
}

export interface MenuListProps {
  label: string;
  /** Above the entries. */
  title?: string | undefined;
  items: readonly MenuEntry[];
}

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
