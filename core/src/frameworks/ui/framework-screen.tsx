import { Button } from '@blueprintjs/core';
import { ArrowLeft, Print } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link, useParams } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { ApiError } from '../../platform/ui/data/api-error.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { Time } from '../../platform/ui/display/badges.tsx';
import { formatDate } from '../../platform/ui/display/formats.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { PageError } from '../../shell/ui/routing/guards.ts';
import type { FrameworkDetail } from '../api/routes.ts';
import { ControlTable } from './control-table.tsx';
import { FrameworkEvidence } from './framework-evidence.tsx';
import { type FrameworksPlace, OpenCounts } from './framework-parts.tsx';
import { FrameworksStore } from './frameworks.store.ts';
import './frameworks.css';

const OWN: FrameworksPlace = { path: '/frameworks' };

function Content({ framework, place }: { framework: FrameworkDetail; place: FrameworksPlace }) {
  const { edition, publisher, source, date, filter, counts } = framework;
  return (
    <div className="page fw-page">
      <p className="muted small">
        <Words
          of="{edition} · {publisher} · <a>official text</a> · our mapping of {date}"
          edition={edition}
          publisher={publisher}
          a={(text) => (
            <a href={source} target="_blank" rel="noreferrer">
              {text}
            </a>
          )}
          date={formatDate(date)}
        />
      </p>
      <p className="muted small fw-note">
        {t(
          'Controls that scanners and settings can speak of, in our own short words. “Assessed” says that something looks at a control, not that it is met. What has a dashed frame has never reported.',
        )}
      </p>
      <div className="row fw-total">
        <span className="strong">{t('Open findings')}</span>
        <OpenCounts filter={filter} counts={counts} place={place} />
      </div>
      <ControlTable framework={framework} place={place} />
      <FrameworkEvidence framework={framework} place={place} />
    </div>
  );
}

interface FrameworkScreenProps {
  place?: FrameworksPlace;
  banner?: ReactNode;
}

/** `/frameworks/{id}`: the controls of a framework, what covers each, its open findings, and the evidence; for print too. */
export const FrameworkScreen = observer(function FrameworkScreen({ place = OWN, banner }: FrameworkScreenProps) {
  const api = useService(API);
  const id = useParams()['id'] ?? '';
  const [store] = useState(() => new FrameworksStore(api, place.clientId));
  useEffect(() => {
    void store.loadOne(id);
    return store.dispose;
  }, [store, id]);
  const { detail, error } = store;
  if (error instanceof ApiError && error.code === 'framework_not_found') {
    throw new PageError(404, t('There is no such framework.'));
  }
  return (
    <div className="canvas">
      {banner}
      <div className="phead">
        <Link className="row fw-back" to={place.path}>
          <ArrowLeft aria-hidden={true} />
          {t('Frameworks')}
        </Link>
        <h1>{detail?.name ?? t('Framework')}</h1>
        <span className="grow" />
        <Button
          icon={<Print aria-hidden={true} />}
          text={t('Print')}
          disabled={detail === undefined}
          onClick={() => window.print()}
        />
      </div>
      {error !== undefined && (
        <ErrorState title={t('The framework could not be read')} error={error} onRetry={() => void store.loadOne(id)} />
      )}
      {error === undefined && detail === undefined && <SkeletonRows rows={8} rowHeight={64} label={t('Framework')} />}
      {detail !== undefined && <Content framework={detail} place={place} />}
      {detail !== undefined && (
        <p className="print-only small">
          <Words of="Printed {time}" time={<Time value={new Date().toISOString()} />} />
        </p>
      )}
    </div>
  );
});
