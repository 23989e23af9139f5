import { lazy, Suspense } from 'react';
import { Navigate, useParams } from 'react-router-dom';
import { loadManagedFindings } from '../../../findings/ui/index.ts';
import { SkeletonRows } from '../../../platform/ui/skeleton.tsx';
import { ClientBar } from '../components/client-bar.tsx';
import { MANAGED_CLIENTS, managedFindingPath, managedFindings } from '../managed-links.ts';

const LazyFindings = lazy(async () => ({ default: await loadManagedFindings() }));

/** The findings of a client, in the workbench of its own people. */
export function ManagedFindingsScreen() {
  const clientId = useParams().clientId?.toLowerCase();
  if (clientId === undefined) return <Navigate to={MANAGED_CLIENTS} replace={true} />;
  return (
    <Suspense fallback={<SkeletonRows rows={8} rowHeight={52} label="Findings" />}>
      <LazyFindings
        key={clientId}
        clientId={clientId}
        listPath={managedFindings(clientId)}
        panelPath={managedFindingPath(clientId)}
        banner={<ClientBar clientId={clientId} current="findings" />}
      />
    </Suspense>
  );
}
