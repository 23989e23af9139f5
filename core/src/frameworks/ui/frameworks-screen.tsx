import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { formatNumber } from '../../platform/ui/display/formats.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { type FrameworksPlace, OpenCounts } from './framework-parts.tsx';
import { type FrameworkItem, FrameworksStore } from './frameworks.store.ts';
import './frameworks.css';

const OWN: FrameworksPlace = { path: '/frameworks' };

function FrameworkCard({ framework, place }: { framework: FrameworkItem; place: FrameworksPlace }) {
  const { name, edition, is_named, states, counts, filter } = framework.attributes;
  const total = states.assessed + states.partly_assessed + states.not_assessed;
  return (
    <section className="bp6-card fw-card" aria-label={name}>
      <header className="row">
        <h2>
          <Link to={`${place.path}/${framework._id}`}>{name}</Link>
        </h2>
        {is_named && <span className="sig">{t('Named by the organisation')}</span>}
      </header>
      <p className="muted small">{edition}</p>
      <dl>
        <div>
          <dt>{t('Open findings')}</dt>
          <dd>
            <OpenCounts filter={filter} counts={counts} place={place} />
          </dd>
        </div>
        <div>
          <dt>{t('Controls')}</dt>
          <dd className="small">
            {t('{assessed} of {total} assessed, {partly} in part, {not} not assessed', {
              assessed: formatNumber(states.assessed),
              total: formatNumber(total),
              partly: formatNumber(states.partly_assessed),
              not: formatNumber(states.not_assessed),
            })}
          </dd>
        </div>
      </dl>
    </section>
  );
}

const Body = observer(function Body({ store, place }: { store: FrameworksStore; place: FrameworksPlace }) {
  const { frameworks, error } = store;
  if (error !== undefined) {
    return (
      <ErrorState title={t('The frameworks could not be read')} error={error} onRetry={() => void store.loadAll()} />
    );
  }
  if (frameworks === undefined) return <SkeletonRows rows={5} rowHeight={96} label={t('Frameworks')} />;
  return (
    <div className="fw-cards">
      {frameworks.map((framework) => (
        <FrameworkCard key={framework._id} framework={framework} place={place} />
      ))}
    </div>
  );
});

interface FrameworksScreenProps {
  place?: FrameworksPlace;
  /** Above the page, such as whose data it is. */
  banner?: ReactNode;
}

/** `/frameworks`: what findings and settings say about the controls of standards, laws and baselines. */
export function FrameworksScreen({ place = OWN, banner }: FrameworksScreenProps) {
  const api = useService(API);
  const [store] = useState(() => new FrameworksStore(api, place.clientId));
  useEffect(() => {
    void store.loadAll();
    return store.dispose;
  }, [store]);
  return (
    <div className="canvas">
      {banner}
      <PageHead title={t('Frameworks')} />
      <div className="page">
        <p className="muted small fw-note">
          {t(
            'Scanners and settings can speak of some controls only; those are listed. Whether a control is met is for people to judge.',
          )}
        </p>
        <Body store={store} place={place} />
      </div>
    </div>
  );
}
