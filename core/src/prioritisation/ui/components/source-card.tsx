import { Document, Error as ErrorIcon, Upload } from '@blueprintjs/icons';
import { observer } from 'mobx-react-lite';
import type { ReactNode } from 'react';
import { DropZone } from '../../../platform/ui/drop-zone.tsx';
import { FilePicker } from '../../../platform/ui/file-picker.tsx';
import { formatNumber } from '../../../platform/ui/number-format.ts';
import { Time } from '../../../platform/ui/time.tsx';
import type { FeedSource } from '../../model/feeds.ts';
import type { ReferenceDataStore, ReferenceItem } from '../reference-data.store.ts';

const WORDS = {
  epss: {
    what: 'How likely it is that a vulnerability is exploited within 30 days. Published daily by FIRST.',
    file: 'The CSV file of FIRST, as it is or packed with gzip.',
    entries: 'Vulnerabilities',
  },
  kev: {
    what: 'Vulnerabilities that are known to be exploited. Published by CISA.',
    file: 'The JSON catalogue of CISA, as it is or packed with gzip.',
    entries: 'Vulnerabilities',
  },
} as const;

const ORIGINS = { delivered: 'Delivered with Breakwater', feed: 'Feed', file: 'Uploaded file' } as const;

function Fact({ name, children }: { name: string; children: ReactNode }) {
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

const lastCheck = ({ has_feed, checked_at, failure }: ReferenceItem['attributes']): ReactNode => {
  if (checked_at === null) return has_feed ? 'Not yet' : 'No feed is set up';
  return (
    <>
      <Time value={checked_at} />
      {failure === null && ' · nothing wrong'}
    </>
  );
};

function Facts({ source, item }: { source: FeedSource; item: ReferenceItem['attributes'] }) {
  const isDue = item.next_check_at !== null && Date.parse(item.next_check_at) <= Date.now();
  return (
    <dl className="kv">
      <Fact name="Date of data">{item.data_date}</Fact>
      {item.model !== null && <Fact name="Model">{item.model}</Fact>}
      <Fact name={WORDS[source].entries}>
        <span className="tn">{formatNumber(item.entries)}</span>
      </Fact>
      <Fact name="From">
        {ORIGINS[item.origin]} <span className="mono muted small">{item.name}</span>
      </Fact>
      {item.loaded_at !== null && (
        <Fact name="In use since">
          <Time value={item.loaded_at} />
        </Fact>
      )}
      <Fact name="Last check">{lastCheck(item)}</Fact>
      {item.next_check_at !== null && (
        <Fact name="Next check">{isDue ? 'Within a minute' : <Time value={item.next_check_at} />}</Fact>
      )}
    </dl>
  );
}

export interface SourceCardProps {
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
        only={`File for ${source.toUpperCase()}`}
        isDisabled={store.sending !== undefined}
        onFiles={([file]) => file !== undefined && void store.send(source, file)}
      >
        {isSending ? <Document aria-hidden={true} /> : <Upload aria-hidden={true} />}
        {isSending ? 'Reading the file…' : 'Upload a file'}
      </FilePicker>
      <p className="muted small">Or drop it here. {WORDS[source].file}</p>
      {result?.isRefused === true && (
        <p className="err" role="alert">
          <ErrorIcon size={12} aria-hidden={true} />
          {result.text} Nothing was changed.
        </p>
      )}
      {result?.isRefused === false && <p role="status">{result.text}</p>}
    </div>
  );
});

/** One source of public data: what is in use, from when and where, and a way to replace it. */
export const SourceCard = observer(function SourceCard({ store, source, item, mayUpload }: SourceCardProps) {
  const card = (
    <section className="bp6-card reference-card" aria-label={item.title}>
      <h2>{item.title}</h2>
      <p className="muted">{WORDS[source].what}</p>
      <Facts source={source} item={item} />
      {item.failure !== null && (
        <p className="bp6-callout callout-warn">The last check changed nothing. {item.failure}</p>
      )}
      {mayUpload && <Sending store={store} source={source} />}
    </section>
  );
  if (!mayUpload) return card;
  return (
    <DropZone
      hint={`Drop the file to replace ${item.title}`}
      onFiles={([file]) => file !== undefined && void store.send(source, file)}
    >
      {card}
    </DropZone>
  );
});
