import { type ReactNode, useMemo } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../../platform/ui/api-client.ts';
import { useService } from '../../../platform/ui/services.tsx';
import { defaultView } from '../finding-view.ts';
import { FindingsApiContext } from '../findings-context.ts';
import { insideClient } from '../inside-client.ts';
import { hrefOfView, type ListRoute } from '../list-route.ts';
import { FindingsWorkbench } from './findings-workbench.tsx';

export interface ManagedFindingsProps {
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
  const place: ListRoute = useMemo(
    () => ({ base: 'open', listPath, panelPath, isReadOnly: true }),
    [listPath, panelPath],
  );
  const everything = hrefOfView(place, { ...defaultView('open'), filters: {} });
  return (
    <FindingsApiContext value={api}>
      <div className="findings">
        <FindingsWorkbench
          place={place}
          title="Findings"
          banner={banner}
          aside={
            <Link className="small only-l" to={everything}>
              Show all results
            </Link>
          }
        />
      </div>
    </FindingsApiContext>
  );
}
