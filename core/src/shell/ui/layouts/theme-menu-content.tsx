import { Menu, MenuItem } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { msg } from '../../../platform/model/message.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { COLOR_MODES, type ColorModePreference, THEME } from '../../../platform/ui/page/theme.store.ts';

const LABELS: Record<ColorModePreference, string> = { system: msg('System'), light: msg('Light'), dark: msg('Dark') };

/** The colour modes to choose from. */
export const ThemeMenuContent = observer(function ThemeMenuContent() {
  const theme = useService(THEME);
  const items = COLOR_MODES.map((mode) => (
    <MenuItem
      key={mode}
      roleStructure="listoption"
      selected={theme.preference === mode}
      text={t(LABELS[mode])}
      onClick={() => theme.setPreference(mode)}
    />
  ));
  return (
    <Menu role="listbox" aria-label={t('Colour mode')}>
      {items}
    </Menu>
  );
});
