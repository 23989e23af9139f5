import { observer } from 'mobx-react-lite';
import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../../platform/ui/data/api-client.ts';
import { type InsidePaths, insideClient } from '../../../platform/ui/data/inside-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { EXPORT_FORMATS, EXPORTS } from '../../api/exports-routes.ts';
import { listFindingGroups } from '../../api/group-routes.ts';
import {
  getManagedFinding,
  getManagedFindingHistory,
  listManagedFindings,
  listManagedGroups,
  MANAGED_EXPORTS,
} from '../../api/managed-routes.ts';
import { getFilterOptions, getFinding, getFindingHistory, listFindings } from '../../api/routes.ts';
import { defaultView } from '../data/finding-view.ts';
import { hrefOfView, type ListRoute } from '../data/list-route.ts';
import { ExportMenu } from '../export/export-menu.tsx';
import { FindingsApiContext } from '../triage/findings-context.ts';
import { useExports } from '../views/saved-views-menu.tsx';
import { FindingsWorkbench, type WorkbenchParts } from './findings-workbench.tsx';

interface ManagedFindingsProps {
  clientId: string;
  listPath: string;
  /** Address of a finding beside the list, with `:id`. */
  panelPath: string;
  /** Names the client. */
  banner: ReactNode;
}

const Actions = observer(function Actions({ store, columns }: WorkbenchParts) {
  const exports = useExports();
  return <ExportMenu exports={exports} store={store} columns={columns.keys} />;
});

/** The findings of a client as its own people see them, for a superadmin to read. */
export function ManagedFindings({ clientId, listPath, panelPath, banner }: ManagedFindingsProps) {
  const own = useService(API);
  const api = useMemo(() => insideClient(own, clientId, INSIDE), [own, clientId]);
  const route: ListRoute = useMemo(
    () => ({ base: 'open', listPath, panelPath, isReadOnly: true }),
    [listPath, panelPath],
  );
  const everything = hrefOfView(route, { ...defaultView('open'), filters: {} });
  return (
    <FindingsApiContext value={api}>
      <div className="findings">
        <FindingsWorkbench
          route={route}
          title={t('Findings')}
          actions={(parts) => <Actions {...parts} />}
          banner={banner}
          aside={
            <Link className="small only-l" to={everything}>
              {t('Show all results')}
            </Link>
          }
        />
      </div>
    </FindingsApiContext>
  );
}

/** Calls of the own client, and what answers them inside another. All others are closed there. Source: specification §7. */
const INSIDE: InsidePaths = new Map([
  [listFindings.path, listManagedFindings.path],
  [listFindingGroups.path, listManagedGroups.path],
  [getFinding.path, getManagedFinding.path],
  [getFindingHistory.path, getManagedFindingHistory.path],
  [getFilterOptions.path, `${getFilterOptions.path}?client_id={client}`],
  ...EXPORT_FORMATS.map((format): [string, string] => [EXPORTS[format].route.path, MANAGED_EXPORTS[format].path]),
]);
