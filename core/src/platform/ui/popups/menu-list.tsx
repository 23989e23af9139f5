import { Menu, MenuDivider, MenuItem } from '@blueprintjs/core';
import { Tick } from '@blueprintjs/icons';
import type { MenuListProps } from './menu-popup.tsx';

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
