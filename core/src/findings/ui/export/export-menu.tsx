import { Button, Spinner } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { formatNumber } from '../../../platform/ui/display/formats.ts';
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
        text={`Exporting ${formatNumber(total ?? 0)}, cancel`}
        onClick={exports.cancel}
      />
    );
  }
  const count = total === undefined ? 'Findings' : total === 1 ? '1 finding' : `${formatNumber(total)} findings`;
  const items = EXPORT_FORMATS.map((format) => ({
    text: EXPORTS[format].text,
    hint: EXPORTS[format].label,
    onPick: () => void exports.start(format, store.view, columns),
  }));
  return (
    <MenuPopup label="Export the findings of the list" title={`${count}, as filtered`} items={items}>
      <Button className="export-button" icon={<Download />} text="Export" aria-label="Export" disabled={total === 0} />
    </MenuPopup>
  );
});
