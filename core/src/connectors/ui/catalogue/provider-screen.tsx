import { observer } from 'mobx-react-lite';
import { Link, useSearchParams } from 'react-router-dom';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { PageHead } from '../../../platform/ui/page/page-layout.tsx';
import { PageError } from '../../../shell/ui/routing/guards.ts';
import { NO_PROVIDER, titleOf } from '../data/connector.ts';
import { useConnectors } from '../data/use-connectors.ts';
import { ConnectionCard } from '../detail/connection-card.tsx';
import { ConnectorConfetti } from './connector-confetti.tsx';
import { findProvider } from './connector-view.ts';
import './connectors.css';

/** One source control on a page of its own, named by the query. */
export const ProviderScreen = observer(function ProviderScreen() {
  const { store, confetti } = useConnectors();
  const [params] = useSearchParams();
  const item = findProvider(store.items ?? [], params.get('source_control') ?? '');
  if (store.items === undefined) {
    return (
      <div className="canvas">
        {store.error === undefined ? (
          <SkeletonRows rows={6} rowHeight={52} label={t('Source control')} />
        ) : (
          <ErrorState
            title={t('Source control could not be read')}
            error={store.error}
            onRetry={() => void store.load()}
          />
        )}
      </div>
    );
  }
  if (item === undefined) throw new PageError(403, NO_PROVIDER);
  return (
    <div className="canvas connectors">
      <PageHead title={titleOf(item.attributes)} aside={<span className="muted small">{t('Source control')}</span>}>
        <Link className="small" to="/connector/providers">
          {t('Show all connectors')}
        </Link>
      </PageHead>
      <div className="page">
        <ConnectionCard store={store} item={item} />
      </div>
      <ConnectorConfetti store={confetti} />
    </div>
  );
});
