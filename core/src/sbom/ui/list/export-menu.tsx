import { Button, Menu, MenuDivider, MenuItem } from '@blueprintjs/core';
import { Download } from '@blueprintjs/icons';
import { addressOf } from '../../../platform/ui/data/api-client.ts';
import { t } from '../../../platform/ui/language/translate.ts';
import { Popup } from '../../../platform/ui/popups/popup.tsx';
import { exportSbom, exportVex } from '../../api/routes.ts';

export interface ExportMenuProps {
  /** The application that is exported; undefined when several are in view. */
  application: { id: string; name: string } | undefined;
}

function Choices({ id, name }: { id: string; name: string }) {
  const params = { id };
  return (
    <Menu aria-label={t('Export {name}', { name })}>
      <MenuDivider title={t('Inventory of {name}', { name })} />
      <MenuItem
        text={t('CycloneDX 1.6')}
        label={t('JSON')}
        href={addressOf(exportSbom, params, { format: 'cyclonedx' })}
        download
      />
      <MenuItem
        text={t('SPDX 2.3')}
        label={t('JSON')}
        href={addressOf(exportSbom, params, { format: 'spdx' })}
        download
      />
      <MenuDivider title={t('What was decided')} />
      <MenuItem text={t('VEX (CycloneDX 1.6)')} label={t('JSON')} href={addressOf(exportVex, params, {})} download />
    </Menu>
  );
}

/** Downloads of one application: plain links, so that the browser writes them to disk as they come. */
export function ExportMenu({ application }: ExportMenuProps) {
  const content =
    application === undefined ? (
      <p className="export-hint">{t('Choose one application in the filter: each has an inventory of its own.')}</p>
    ) : (
      <Choices {...application} />
    );
  return (
    <Popup kind="menu" content={content}>
      <Button icon={<Download />} text={t('Export')} />
    </Popup>
  );
}
