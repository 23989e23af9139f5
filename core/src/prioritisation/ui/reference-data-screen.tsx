import { ProgressBar } from '@blueprintjs/core';
import { Document, Error as ErrorIcon, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import { type ReactNode, useEffect, useState } from 'react';
import { msg } from '../../platform/model/message.ts';
import { can } from '../../platform/model/permissions.ts';
import { API } from '../../platform/ui/data/api-client.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { Time } from '../../platform/ui/display/badges.tsx';
import { formatDate, formatNumber } from '../../platform/ui/display/formats.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { DropZone, FilePicker } from '../../platform/ui/forms/file-inputs.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import { FEED_SOURCES, type FeedSource } from '../model/feeds.ts';
import { ReferenceDataStore, type ReferenceItem } from './reference-data.store.ts';
import './reference-data.css';

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
        {isEverywhere
          ? t('The findings of every organisation are scored with this data.')
          : t('Your findings are scored with this data.')}
      </p>
    );
  }
  return (
    <div className="reference-scoring" role="status">
      <span>
        {t('Findings are being scored with the new data: {percentage}%', { percentage: rescoring.percentage })}
      </span>
      <ProgressBar
        value={rescoring.percentage / 100}
        intent="primary"
        stripes={false}
        aria-label={t('Scoring of findings')}
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
      <PageHead title={t('Reference data')} />
      <div className="page">
        {store.error !== undefined && (
          <ErrorState title={t('The reference data could not be read')} error={store.error} onRetry={store.load} />
        )}
        {store.error === undefined && store.items === undefined && (
          <SkeletonRows rows={8} rowHeight={36} label={t('Reference data')} />
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
                {t(
                  'This data is the same for every organisation of this installation; a superadmin can replace it by a file.',
                )}
              </p>
            )}
          </>
        )}
      </div>
    </div>
  );
});

const WORDS = {
  epss: {
    what: msg('How likely it is that a vulnerability is exploited within 30 days. Published daily by FIRST.'),
    file: msg('The CSV file of FIRST, as it is or packed with gzip.'),
    entries: msg('Vulnerabilities'),
  },
  kev: {
    what: msg('Vulnerabilities that are known to be exploited. Published by CISA.'),
    file: msg('The JSON catalogue of CISA, as it is or packed with gzip.'),
    entries: msg('Vulnerabilities'),
  },
} as const;

const ORIGINS = {
  delivered: msg('Delivered with Breakwater'),
  feed: msg('Feed'),
  file: msg('Uploaded file'),
} as const;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

const lastCheck = ({ has_feed, checked_at, failure }: ReferenceItem['attributes']): ReactNode => {
  if (checked_at === null) return has_feed ? t('Not yet') : t('No feed is set up');
  return (
    <>
      <Time value={checked_at} />
      {failure === null && ` · ${t('nothing wrong')}`}
    </>
  );
};

function Facts({ source, item }: { source: FeedSource; item: ReferenceItem['attributes'] }) {
  const isDue = item.next_check_at !== null && Date.parse(item.next_check_at) <= Date.now();
  return (
    <dl className="kv">
      <Fact name={t('Date of data')}>{formatDate(item.data_date)}</Fact>
      {item.model !== null && <Fact name={t('Model')}>{item.model}</Fact>}
      <Fact name={t(WORDS[source].entries)}>
        <span className="tn">{formatNumber(item.entries)}</span>
      </Fact>
      <Fact name={t('From')}>
        {t(ORIGINS[item.origin])} <span className="mono muted small">{item.name}</span>
      </Fact>
      {item.loaded_at !== null && (
        <Fact name={t('In use since')}>
          <Time value={item.loaded_at} />
        </Fact>
      )}
      <Fact name={t('Last check')}>{lastCheck(item)}</Fact>
      {item.next_check_at !== null && (
        <Fact name={t('Next check')}>{isDue ? t('Within a minute') : <Time value={item.next_check_at} />}</Fact>
      )}
    </dl>
  );
}

interface SourceCardProps {
  store: ReferenceDataStore;
  source: FeedSource;
  item: ReferenceItem['attributes'];
  mayUpload: boolean;
}

/** The file that replaces a source, and what became of the last one. */
const Sending = observer(function Sending({ store, source }: Pick<SourceCardProps, 'store' | 'source'>) {
  const result = store.results.get(source);
  const isSending = store.sending === source;
  return (
    <div className="reference-file">
      <FilePicker
        only={t('File for {source}', { source: source.toUpperCase() })}
        isDisabled={store.sending !== undefined}
        onFiles={([file]) => file !== undefined && void store.send(source, file)}
      >
        {isSending ? <Document aria-hidden={true} /> : <Upload aria-hidden={true} />}
        <span>{isSending ? t('Reading the file…') : t('Upload a file')}</span>
      </FilePicker>
      <p className="muted small">
        {t('Or drop it here.')} {t(WORDS[source].file)}
      </p>
      {result?.isRefused === true && (
        <p className="err" role="alert">
          <ErrorIcon size={12} aria-hidden={true} />
          {result.text} {t('Nothing was changed.')}
        </p>
      )}
      {result?.isRefused === false && <p role="status">{result.text}</p>}
    </div>
  );
});

/** One source of public data: what is in use, from when and where, and a way to replace it. */
const SourceCard = observer(function SourceCard({ store, source, item, mayUpload }: SourceCardProps) {
  const card = (
    <section className="bp6-card reference-card" aria-label={item.title}>
      <h2>{item.title}</h2>
      <p className="muted">{t(WORDS[source].what)}</p>
      <Facts source={source} item={item} />
      {item.failure !== null && (
        <p className="bp6-callout callout-warn">
          {t('The last check changed nothing.')} {item.failure}
        </p>
      )}
      {mayUpload && <Sending store={store} source={source} />}
    </section>
  );
  if (!mayUpload) return card;
  return (
    <DropZone
      hint={t('Drop the file to replace {title}', { title: item.title })}
      onFiles={([file]) => file !== undefined && void store.send(source, file)}
    >
      {card}
    </DropZone>
  );
});
