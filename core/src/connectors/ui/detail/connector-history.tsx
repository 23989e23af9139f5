import { Button } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useId, useState } from 'react';
import { API } from '../../../platform/ui/data/api-client.ts';
import { isAbort } from '../../../platform/ui/data/api-error.ts';
import { useService } from '../../../platform/ui/data/services.tsx';
import { Time } from '../../../platform/ui/display/badges.tsx';
import { ErrorState } from '../../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../../platform/ui/language/translate.ts';
import { listConnectorHistory } from '../../api/routes.ts';
import type { ConnectorHistoryEntry, ConnectorItem } from '../data/connector.ts';
import { eventWords } from '../data/connector-text.ts';

const FEW = 8;

type Reading = { entries?: ConnectorHistoryEntry[]; error?: unknown };

/** Reads the history, and again whenever the card changes. */
const useHistory = (item: ConnectorItem) => {
  const api = useService(API);
  const [reading, setReading] = useState<Reading>({});
  const [attempt, setAttempt] = useState(0);
  // biome-ignore lint/correctness/useExhaustiveDependencies: a changed card and another attempt are occasions
  useEffect(() => {
    const abort = new AbortController();
    api.call(listConnectorHistory, { params: { id: item._id }, signal: abort.signal }).then(
      ({ data }) => setReading({ entries: data }),
      (error: unknown) => {
        if (!isAbort(error)) setReading({ error });
      },
    );
    return () => abort.abort();
  }, [api, item, attempt]);
  return { ...reading, retry: () => setAttempt(attempt + 1) };
};

function Entry({ entry }: { entry: ConnectorHistoryEntry }) {
  return (
    <li>
      <div className="grow">
        <p>
          {eventWords(entry.event)}
          <span className="muted"> · {entry.by ?? 'Breakwater'}</span>
        </p>
        {entry.message !== null && <p className="small t2">{t(entry.message)}</p>}
      </div>
      <Time value={entry.at} />
    </li>
  );
}

const HistoryList = observer(function HistoryList({ item }: { item: ConnectorItem }) {
  const { entries, error, retry } = useHistory(item);
  const [isWhole, setIsWhole] = useState(false);
  if (error !== undefined)
    return <ErrorState title={t('The history could not be read')} error={error} onRetry={retry} />;
  if (entries === undefined) return <SkeletonRows rows={3} rowHeight={32} label={t('The history')} />;
  if (entries.length === 0) return <p className="muted">{t('Nothing has happened yet.')}</p>;
  return (
    <>
      <ol className="hist conn-hist">
        {(isWhole ? entries : entries.slice(0, FEW)).map((entry, index) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: entries of one moment differ by their place only
          <Entry key={`${entry.at}-${index}`} entry={entry} />
        ))}
      </ol>
      {!isWhole && entries.length > FEW && (
        <Button
          size="small"
          variant="minimal"
          text={t('Show all {count}', { count: entries.length })}
          onClick={() => setIsWhole(true)}
        />
      )}
    </>
  );
});

/** Who did what, when, and what the service said; read when somebody asks for it. */
export function ConnectorHistory({ item }: { item: ConnectorItem }) {
  const [isShown, setIsShown] = useState(false);
  const id = useId();
  return (
    <section className="sec">
      <h3>
        <span className="grow">{t('History')}</span>
        <Button
          size="small"
          variant="minimal"
          text={isShown ? t('Hide history') : t('Show history')}
          aria-expanded={isShown}
          aria-controls={id}
          onClick={() => setIsShown(!isShown)}
        />
      </h3>
      <div id={id}>{isShown && <HistoryList item={item} />}</div>
    </section>
  );
}
