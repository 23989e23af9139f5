import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core';
import { Tick } from '@blueprintjs/icons';
import type { ReactElement } from 'react';

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

/** The entries of a `MenuPopup`. */
export function MenuList({ label, title, items }: MenuListProps) {
  return (
    <Menu aria-label={label}>
      {title !== undefined && <MenuDivider title={title} />}
      {items.map(({ text, hint, icon, isChosen = false, isDisabled = false, onPick }) => (
        <MenuItem
          key={text}
          text={text}
          {...(icon !== undefined && { icon })}
          {...(hint !== undefined && { label: hint })}
          labelElement={isChosen ? <Tick /> : undefined}
          disabled={isDisabled}
          onClick={onPick}
        />
      ))}
    </Menu>
  );
}
