import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import type { Route } from '../../../platform/api/contract.ts';
import { API, type ApiClient } from '../../../platform/ui/data/api-client.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { listFindingGroups } from '../../api/group-routes.ts';
import {
  getManagedFinding,
  getManagedFindingHistory,
  listManagedFindings,
  listManagedGroups,
} from '../../api/managed-routes.ts';
import { getFilterOptions, getFinding, getFindingHistory, listFindings } from '../../api/routes.ts';
import { defaultView } from '../data/finding-view.ts';
import { hrefOfView, type ListRoute } from '../data/list-route.ts';
import { FindingsApiContext } from '../triage/findings-context.ts';
import { FindingsWorkbench } from './findings-workbench.tsx';

interface ManagedFindingsProps {
  clientId: string;
  listPath: string;
  /** Address of a finding beside the list, with `:id`. */
  panelPath: string;
  /** Names the client. */
  banner: ReactNode;
}

/** The findings of a client as its own people see them, for a superadmin to read. */
export function ManagedFindings({ clientId, listPath, panelPath, banner }: ManagedFindingsProps) {
  const own = useService(API);
  const api = useMemo(() => insideClient(own, clientId), [own, clientId]);
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
const INSIDE: ReadonlyMap<string, string> = new Map([
  [listFindings.path, listManagedFindings.path],
  [listFindingGroups.path, listManagedGroups.path],
  [getFinding.path, getManagedFinding.path],
  [getFindingHistory.path, getManagedFindingHistory.path],
  [getFilterOptions.path, `${getFilterOptions.path}?client_id={client}`],
]);

const pathInside = (path: string, clientId: string): string => {
  const inside = INSIDE.get(path);
  if (inside === undefined) throw new Error(`${path} is closed inside a client.`);
  return inside.replace('{client}', encodeURIComponent(clientId));
};

/** The calls of findings, answered inside a client that a superadmin reads: the same queries, the same answers. */
const insideClient = (api: ApiClient, clientId: string): ApiClient => {
  const inside = <P, Q, B, S>(route: Route<P, Q, B, S>): Route<P, Q, B, S> => ({
    ...route,
    path: pathInside(route.path, clientId),
  });
  return {
    call: async (route, ...input) => api.call(inside(route), ...input),
    send: async (route, input) => api.send(inside(route), input),
    download: async (route, ...input) => api.download(inside(route), ...input),
  };
};
