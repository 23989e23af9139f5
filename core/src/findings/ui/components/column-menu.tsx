import { Button, Menu, MenuDivider, MenuItem, PopoverNext } from '@blueprintjs/core';
import { Blank, ColumnLayout, Tick } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { FIXED_KEYS, type FindingColumns } from '../finding-columns.ts';

/** Chooses what the list shows. */
export const ColumnMenu = observer(function ColumnMenu({ columns }: { columns: FindingColumns }) {
  const menu = (
    <Menu>
      {columns.choices.map((column) => {
        const isShown = columns.keys.includes(column.key);
        const isFixed = FIXED_KEYS.includes(column.key);
        return (
          <MenuItem
            key={column.key}
            text={column.label}
            icon={isShown ? <Tick /> : <Blank />}
            disabled={isFixed}
            shouldDismissPopover={false}
            aria-label={`${column.label}, ${isShown ? 'shown' : 'hidden'}`}
            onClick={() => columns.toggle(column.key)}
          />
        );
      })}
      <MenuDivider />
      <MenuItem text="Default columns" disabled={columns.isDefault} onClick={columns.reset} />
    </Menu>
  );
  return (
    <span className="only-l">
      <PopoverNext content={menu} placement="bottom-end" arrow={false} animation="minimal">
        <Button icon={<ColumnLayout />} text="Columns" />
      </PopoverNext>
    </span>
  );
});
