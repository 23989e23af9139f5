import { Button, Spinner } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { plural, t } from '../../../platform/ui/language/translate.ts';
import { MenuPopup } from '../../../platform/ui/popups/menu-popup.tsx';
import { EXPORT_FORMATS, EXPORTS } from '../../api/exports-routes.ts';
import type { ColumnKey } from '../../model/column-catalogue.ts';
import type { FindingsStore } from '../data/findings.store.ts';
import type { ExportStore } from './export.store.ts';

export interface ExportMenuProps {
  exports: ExportStore;
  store: FindingsStore;
  columns: readonly ColumnKey[];
}

/** Downloads of exactly what the list shows. */
export const ExportMenu = observer(function ExportMenu({ exports, store, columns }: ExportMenuProps) {
  const { total } = store;
  if (exports.running !== undefined) {
    return (
      <Button
        icon={<Spinner size={16} aria-hidden={true} />}
        text={t('Exporting {count}, cancel', { count: total ?? 0 })}
        onClick={exports.cancel}
      />
    );
  }
  const title =
    total === undefined
      ? t('Findings, as filtered')
      : plural(total, '{count} finding, as filtered', '{count} findings, as filtered');
  const items = EXPORT_FORMATS.map((format) => ({
    text: EXPORTS[format].text,
    hint: EXPORTS[format].label,
    onPick: () => void exports.start(format, store.view, columns),
  }));
  return (
    <MenuPopup label={t('Export the findings of the list')} title={title} items={items}>
      <Button
        className="export-button"
        icon={<Download />}
        text={t('Export')}
        aria-label={t('Export')}
        disabled={total === 0}
      />
    </MenuPopup>
  );
});
