import { ProgressBar } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { can } from '../../../platform/model/permissions.ts';
import { API } from '../../../platform/ui/api-client.ts';
import { ErrorState } from '../../../platform/ui/error-state.tsx';
import { PageHead } from '../../../platform/ui/page-head.tsx';
import { useService } from '../../../platform/ui/services.tsx';
import { SkeletonRows } from '../../../platform/ui/skeleton.tsx';
import { SESSION } from '../../../shell/ui/session-port.ts';
import { FEED_SOURCES } from '../../model/feeds.ts';
import { SourceCard } from '../components/source-card.tsx';
import { ReferenceDataStore } from '../reference-data.store.ts';
import '../reference-data.css';

const Scoring = observer(function Scoring({
  store,
  isEverywhere,
}: {
  store: ReferenceDataStore;
  isEverywhere: boolean;
}) {
  const { rescoring } = store;
  if (rescoring === undefined) return null;
  if (!rescoring.is_running) {
    return (
      <p className="muted" role="status">
        {isEverywhere ? 'The findings of every organisation are' : 'Your findings are'} scored with this data.
      </p>
    );
  }
  return (
    <div className="reference-scoring" role="status">
      <span>Findings are being scored with the new data: {rescoring.percentage}%</span>
      <ProgressBar
        value={rescoring.percentage / 100}
        intent="primary"
        stripes={false}
        aria-label="Scoring of findings"
        aria-valuetext={`${rescoring.percentage}%`}
      />
    </div>
  );
});

/** Which EPSS and KEV data priorities rest on, and its replacement by a file. */
export const ReferenceDataScreen = observer(function ReferenceDataScreen() {
  const api = useService(API);
  const { user } = useService(SESSION);
  const [store] = useState(() => new ReferenceDataStore(api));
  useEffect(() => {
    void store.load();
    return store.dispose;
  }, [store]);
  const mayReplace = can(user?.role, 'platform.write');
  return (
    <div className="canvas">
      <PageHead title="Reference data" />
      <div className="page">
        {store.error !== undefined && (
          <ErrorState title="The reference data could not be read" error={store.error} onRetry={store.load} />
        )}
        {store.error === undefined && store.items === undefined && (
          <SkeletonRows rows={8} rowHeight={36} label="Reference data" />
        )}
        {store.error === undefined && store.items !== undefined && (
          <>
            <Scoring store={store} isEverywhere={mayReplace} />
            <div className="reference-cards">
              {FEED_SOURCES.map((source) => {
                const item = store.items?.find(({ _id }) => _id === source)?.attributes;
                return item === undefined ? null : (
                  <SourceCard key={source} store={store} source={source} item={item} mayUpload={mayReplace} />
                );
              })}
            </div>
            {!mayReplace && (
              <p className="muted small">
                This data is the same for every organisation of this installation; a superadmin can replace it by a
                file.
              </p>
            )}
          </>
        )}
      </div>
    </div>
  );
});
