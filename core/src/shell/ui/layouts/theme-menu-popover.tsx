import { Button, Menu, MenuItem, PopoverNext, PopupKind } from '@blueprintjs/core';
import { Contrast } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { useService } from '../../../platform/ui/data/services.tsx';
import { COLOR_MODES, type ColorModePreference, THEME } from '../../../platform/ui/page/theme.store.ts';

const LABELS: Record<ColorModePreference, string> = { system: 'System', light: 'Light', dark: 'Dark' };

/** The menu of the colour mode with its button; open from the first, because the click that fetched it wanted it. */
export const ThemeMenuPopover = observer(function ThemeMenuPopover() {
  const theme = useService(THEME);
  const items = COLOR_MODES.map((mode) => (
    <MenuItem
      key={mode}
      roleStructure="listoption"
      selected={theme.preference === mode}
      text={LABELS[mode]}
      onClick={() => theme.setPreference(mode)}
    />
  ));
  return (
    <PopoverNext
      arrow={false}
      animation="minimal"
      defaultIsOpen={true}
      placement="bottom-end"
      popupKind={PopupKind.LISTBOX}
      content={
        <Menu role="listbox" aria-label="Colour mode">
          {items}
        </Menu>
      }
    >
      <Button variant="minimal" icon={<Contrast aria-hidden={true} />} aria-label="Colour mode" title="Colour mode" />
    </PopoverNext>
  );
});
