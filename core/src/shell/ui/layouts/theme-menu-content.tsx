import { Menu, MenuItem } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useService } from '../../../platform/ui/data/services.tsx';
import { COLOR_MODES, type ColorModePreference, THEME } from '../../../platform/ui/page/theme.store.ts';

const LABELS: Record<ColorModePreference, string> = { system: 'System', light: 'Light', dark: 'Dark' };

/** The colour modes to choose from. */
export const ThemeMenuContent = observer(function ThemeMenuContent() {
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
    <Menu role="listbox" aria-label="Colour mode">
      {items}
    </Menu>
  );
});
