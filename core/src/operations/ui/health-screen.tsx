import { Button } from '@blueprintjs/core';
import { Error as ErrorIcon, Refresh, TickCircle, WarningSign } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { msg } from '../../platform/model/message.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { Time } from '../../platform/ui/display/badges.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import type { Health } from '../api/routes.ts';
import type { HealthStatus } from '../model/health.ts';
import { HealthStore } from './health.store.ts';
import { DatabaseFacts, FeedFacts, MailFacts, QueueFacts, RollupFacts, ScannerFacts } from './health-facts.tsx';
import './health.css';

const STATUSES = {
  ok: { label: msg('In order'), Icon: TickCircle },
  attention: { label: msg('Needs a look'), Icon: WarningSign },
  failed: { label: msg('Not in order'), Icon: ErrorIcon },
} as const;

interface PartCardProps {
  title: string;
  about: string;
  /** Undefined: it could not be read. */
  status: HealthStatus | undefined;
  children: ReactNode;
}

function PartCard({ title, about, status, children }: PartCardProps) {
  const { label, Icon } = STATUSES[status ?? 'failed'];
  return (
    <section className="bp6-card health-card" aria-label={title}>
      <div className="row">
        <h2>{title}</h2>
        <span className="grow" />
        <span className={`row small health-${status ?? 'failed'}`}>
          <Icon size={14} aria-hidden={true} />
          {t(label)}
        </span>
      </div>
      <p className="muted">{about}</p>
      {status === undefined ? <p>{t('It could not be read. The log of the server says why.')}</p> : children}
    </section>
  );
}

function Parts({ health: { database, queue, rollups, scanners, feeds, mail } }: { health: Health }) {
  return (
    <div className="health-cards">
      <PartCard title={t('Database')} about={t('PostgreSQL, where everything is kept.')} status={database?.status}>
        {database !== null && <DatabaseFacts part={database} />}
      </PartCard>
      <PartCard
        title={t('Queue')}
        about={t('Imports, scans and all other work in the background.')}
        status={queue?.status}
      >
        {queue !== null && <QueueFacts part={queue} />}
      </PartCard>
      <PartCard
        title={t('Counts')}
        about={t('Every night the counts of some organisations are compared with their findings.')}
        status={rollups?.status}
      >
        {rollups !== null && <RollupFacts part={rollups} />}
      </PartCard>
      <PartCard
        title={t('Reference data')}
        about={t('EPSS and the list of exploited vulnerabilities.')}
        status={feeds?.status}
      >
        {feeds !== null && <FeedFacts part={feeds} />}
      </PartCard>
      <PartCard title={t('Mail')} about={t('The outbox of all organisations.')} status={mail?.status}>
        {mail !== null && <MailFacts part={mail} />}
      </PartCard>
      <PartCard
        title={t('Scanners')}
        about={t('Programs of this server that scans of repositories start.')}
        status={scanners?.status}
      >
        {scanners !== null && <ScannerFacts part={scanners} />}
      </PartCard>
    </div>
  );
}

/** `/platform/health`: how the installation is, for superadmins. */
export const HealthScreen = observer(function HealthScreen() {
  const api = useService(API);
  const [store] = useState(() => new HealthStore(api));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const { health, error } = store;
  return (
    <div className="canvas">
      <PageHead title={t('Health')}>
        {health !== undefined && (
          <span className="muted small">
            <Words of="Checked {time}" time={<Time value={health.checked_at} />} />
          </span>
        )}
        <Link className="bp6-button" to="/platform/access-log">
          {t('Access log')}
        </Link>
        <Button icon={<Refresh aria-hidden={true} />} text={t('Check again')} onClick={() => void store.load()} />
      </PageHead>
      <div className="page">
        {error !== undefined && (
          <ErrorState title={t('The health could not be read')} error={error} onRetry={() => void store.load()} />
        )}
        {error === undefined && health === undefined && <SkeletonRows rows={8} rowHeight={48} label={t('Health')} />}
        {error === undefined && health !== undefined && <Parts health={health} />}
      </div>
    </div>
  );
});
