import { lazy, Suspense } from 'react';
import { useParams } from 'react-router-dom';
import { SkeletonRows } from '../../../platform/ui/skeleton.tsx';
import { loadManagedRepositories } from '../../../repositories/ui/index.ts';
import { ClientBar } from '../components/client-bar.tsx';
import { managedFindings } from '../managed-links.ts';

const LazyRepositories = lazy(async () => ({ default: await loadManagedRepositories() }));

/** The repositories of a client, in the list of its own people. */
export function ManagedRepositoriesScreen() {
  const clientId = (useParams().clientId ?? '').toLowerCase();
  return (
    <Suspense fallback={<SkeletonRows rows={6} rowHeight={52} label="Repositories" />}>
      <LazyRepositories
        key={clientId}
        clientId={clientId}
        findingsPath={managedFindings(clientId)}
        banner={<ClientBar clientId={clientId} current="repositories" />}
      />
    </Suspense>
  );
}
