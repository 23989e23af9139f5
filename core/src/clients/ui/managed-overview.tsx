import { Button } from '@blueprintjs/core';
import { type ReactNode, useCallback, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { SEVERITY_LABELS } from '../../platform/model/severity.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { isAbort, messagesOf } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { SeverityShape, Time } from '../../platform/ui/display/badges.tsx';
import { formatDate, formatNumber } from '../../platform/ui/display/formats.ts';
import { ActionDialog } from '../../platform/ui/feedback/dialogs.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { getManagedClient, setPiloting } from '../api/managed-routes.ts';
import type { ManagedClientItem } from './managed-clients.store.ts';
import { managedFindings, managedRepositories } from './managed-links.ts';

/** Plan of an organisation on trial. */
const TRIAL = 'trial';

const SEVERITIES = ['critical', 'high', 'medium', 'low', 'informational'] as const;

interface PilotingDialogProps {
  client: ManagedClientItem;
  onDone: () => void;
  onClose: () => void;
}

function PilotingDialog({ client, onDone, onClose }: PilotingDialogProps) {
  const api = useService(API);
  const [isBusy, setIsBusy] = useState(false);
  const [error, setError] = useState<string>();
  const { organization_name: name, tier } = client.attributes;
  const isPiloting = tier === TRIAL;
  const save = async () => {
    setIsBusy(true);
    setError(undefined);
    try {
      await api.call(setPiloting, { body: { request: { client_id: client._id, piloting: !isPiloting } } });
      onDone();
    } catch (failure) {
      setError(messagesOf(failure).join(' '));
      setIsBusy(false);
    }
  };
  return (
    <ActionDialog
      isOpen={true}
      title={isPiloting ? t('End the trial of {name}', { name }) : t('Put {name} on trial', { name })}
      consequence={
        isPiloting
          ? t(
              'The free plan follows at once. Nothing is deleted; what is beyond its limits stays, only more is refused.',
            )
          : t('A trial has no limits and ends when you end it. The admins of the organisation are told.')
      }
      actionLabel={isPiloting ? t('End the trial') : t('Put on trial')}
      isBusy={isBusy}
      onAction={() => void save()}
      onClose={onClose}
    >
      {error !== undefined && <p className="err">{error}</p>}
    </ActionDialog>
  );
}

const Fact = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt className="muted small">{name}</dt>
    <dd>{children}</dd>
  </div>
);

function Facts({ client: { _id, attributes } }: { client: ManagedClientItem }) {
  const { legal_name, tier, account_setup_at, users, repositories, last_scan } = attributes;
  return (
    <dl className="client-facts">
      <Fact name={t('Plan')}>{tier === TRIAL ? t('On trial') : tier}</Fact>
      {legal_name !== '' && <Fact name={t('Legal name')}>{legal_name}</Fact>}
      <Fact name={t('Since')}>{formatDate(account_setup_at)}</Fact>
      <Fact name={t('People')}>{formatNumber(users)}</Fact>
      <Fact name={t('Repositories')}>
        <Link to={managedRepositories(_id)}>{formatNumber(repositories)}</Link>
      </Fact>
      <Fact name={t('Last scan')}>{last_scan === null ? t('Never') : <Time value={last_scan} />}</Fact>
    </dl>
  );
}

/** What there is to do in a client, by severity; each leads to those findings. */
function OpenWork({ client: { _id, attributes } }: { client: ManagedClientItem }) {
  return (
    <section aria-labelledby="client-open">
      <h2 id="client-open">{t('Open findings')}</h2>
      <ul className="kpis client-severities">
        {SEVERITIES.map((severity) => (
          <li key={severity}>
            <Link to={managedFindings(_id, severity)}>
              <span className="f">{formatNumber(attributes.counts[severity])}</span>
              <span className="k row">
                <SeverityShape severity={severity} />
                {t(SEVERITY_LABELS[severity])}
              </span>
            </Link>
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ManagedOverviewProps {
  clientId: string;
  /** Above the page: whose data it is. */
  banner: ReactNode;
}

/** One client: its plan, its size and what there is to do. */
export function ManagedOverview({ clientId, banner }: ManagedOverviewProps) {
  const api = useService(API);
  const [client, setClient] = useState<ManagedClientItem>();
  const [error, setError] = useState<unknown>();
  const [isAsking, setIsAsking] = useState(false);
  const load = useCallback(
    async (signal?: AbortSignal) => {
      setError(undefined);
      try {
        const options = { params: { id: clientId }, ...(signal === undefined ? {} : { signal }) };
        setClient((await api.call(getManagedClient, options)).data);
      } catch (failure) {
        if (!isAbort(failure)) setError(failure);
      }
    },
    [api, clientId],
  );
  useEffect(() => {
    const leaving = new AbortController();
    void load(leaving.signal);
    return () => leaving.abort();
  }, [load]);
  const handleDone = () => {
    setIsAsking(false);
    void load();
  };
  if (error !== undefined) {
    return <ErrorState title={t('The client could not be read')} error={error} onRetry={() => void load()} />;
  }
  return (
    <div className="list-page">
      {banner}
      <div className="phead">
        <h1>{client?.attributes.organization_name ?? t('Client')}</h1>
        <span className="grow" />
        {client !== undefined && (
          <Button
            text={client.attributes.tier === TRIAL ? t('End the trial') : t('Put on trial')}
            onClick={() => setIsAsking(true)}
          />
        )}
      </div>
      {client === undefined ? (
        <SkeletonRows rows={4} rowHeight={64} label={t('Client')} />
      ) : (
        <div className="page client-overview">
          <Facts client={client} />
          <OpenWork client={client} />
        </div>
      )}
      {isAsking && client !== undefined && (
        <PilotingDialog client={client} onDone={handleDone} onClose={() => setIsAsking(false)} />
      )}
    </div>
  );
}
