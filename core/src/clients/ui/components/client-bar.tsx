import { ArrowLeft, EyeOpen } from '@blueprintjs/icons';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../../platform/ui/api-client.ts';
import { ApiError, isAbort } from '../../../platform/ui/api-error.ts';
import { useService } from '../../../platform/ui/services.tsx';
import { PageError } from '../../../shell/ui/page-error.ts';
import { getManagedClient } from '../../api/managed-routes.ts';
import { MANAGED_CLIENTS, managedFindings, managedRepositories } from '../managed-links.ts';
import '../managed-clients.css';

/** Name of a client. A client that is not there makes the page a 404; without another answer the name is left out. */
const useClientName = (clientId: string): string | undefined => {
  const api = useService(API);
  const [name, setName] = useState<string>();
  const [isMissing, setIsMissing] = useState(false);
  useEffect(() => {
    const abort = new AbortController();
    setName(undefined);
    api.call(getManagedClient, { params: { id: clientId }, signal: abort.signal }).then(
      ({ data }) => setName(data.attributes.organization_name),
      (error: unknown) => {
        if (!isAbort(error) && error instanceof ApiError && error.code === 'client_not_found') setIsMissing(true);
      },
    );
    return () => abort.abort();
  }, [api, clientId]);
  if (isMissing) throw new PageError(404, 'There is no such client.');
  return name;
};

export interface ClientBarProps {
  clientId: string;
  /** What of the client is shown. */
  current: 'findings' | 'repositories';
}

/** Whose data this is, that it may only be read, and the way back. */
export function ClientBar({ clientId, current }: ClientBarProps) {
  const name = useClientName(clientId);
  return (
    <div className="client-bar" role="note" aria-label="Inside a client">
      <Link className="row" to={MANAGED_CLIENTS}>
        <ArrowLeft aria-hidden={true} />
        All clients
      </Link>
      <b className="trunc">{name ?? '…'}</b>
      <span className="row small" title="Nothing can be changed here, and every look is written down.">
        <EyeOpen size={14} aria-hidden={true} />
        Read only
      </span>
      <span className="grow" />
      <nav className="row" aria-label="Of this client">
        <Link to={managedFindings(clientId)} aria-current={current === 'findings' ? 'page' : undefined}>
          Findings
        </Link>
        <Link to={managedRepositories(clientId)} aria-current={current === 'repositories' ? 'page' : undefined}>
          Repositories
        </Link>
      </nav>
    </div>
  );
}
