import { Callout, ProgressBar, Tag } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { SCAN_PROGRESS, type ScannerItem, ScannersStore, type ScanRequestItem } from './scanners.store.ts';
import './scanners.css';

const WORDS: Readonly<Record<ScanRequestItem['attributes']['status'], string>> = {
  queued: 'Waiting',
  running: 'Scanning',
  parsing: 'Reading reports',
  merging: 'Importing',
  done: 'Done',
  failed: 'Failed',
  cancelled: 'Cancelled',
};

/** How far one scan is. */
function ScanProgress({ scan: { attributes } }: { scan: ScanRequestItem }) {
  const { status, percentage, scan_type, repository_id, tools } = attributes;
  const current = tools.find((tool) => tool.status === 'running')?.title;
  const text = `${WORDS[status]}${current === undefined ? '' : `: ${current}`}, ${percentage}%`;
  return (
    <div className="scan-progress">
      <span>
        {repository_id === null ? scan_type : <Link to={`/Repositories/${repository_id}/scans`}>{scan_type}</Link>} ·{' '}
        {text}
      </span>
      <ProgressBar
        value={percentage / 100}
        intent="primary"
        stripes={false}
        aria-label={`Scan ${scan_type}`}
        aria-valuetext={text}
      />
    </div>
  );
}

const networkOf = ({ hosts }: ScannerItem['attributes']): string => {
  if (hosts === null) return 'Any host';
  return hosts.length === 0 ? 'None' : hosts.join(', ');
};

function ScannerRow({ scanner: { attributes } }: { scanner: ScannerItem }) {
  const { title, is_installed, version, is_excluded, documentation } = attributes;
  const more = is_installed ? 'Documentation' : 'How to get it';
  return (
    <tr>
      <th scope="row">{title}</th>
      <td className="state">
        {is_installed ? `Installed, ${version ?? 'unknown version'}` : 'Not installed'}
        {is_excluded && <Tag minimal={true}>Excluded by your organisation</Tag>}
      </td>
      <td className="network">{networkOf(attributes)}</td>
      <td className="more">
        {documentation !== null && (
          <a href={documentation} target="_blank" rel="noreferrer" aria-label={`${more}: ${title}`}>
            {more}
          </a>
        )}
      </td>
    </tr>
  );
}

/** Which scanners the server has, how to get the others, and what it is scanning. */
export const ScannersScreen = observer(function ScannersScreen() {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const [store] = useState(() => new ScannersStore(api));
  useEffect(() => {
    void store.load();
    void store.follow();
    const stops = [events.on(SCAN_PROGRESS, () => void store.follow()), events.onReconnect(() => void store.follow())];
    return () => {
      for (const stop of stops) stop();
    };
  }, [store, events]);
  if (store.error !== undefined) {
    return <ErrorState title="The scanners could not be read" error={store.error} onRetry={store.load} />;
  }
  const { items, running, installed, isolatesNetwork, limitsHosts } = store;
  return (
    <div className="canvas">
      <PageHead title="Scanners" />
      <div className="page">
        <p className="t2">
          The server scans repositories with the programs that its operator has installed. Reports of all others can be
          uploaded.
        </p>
        {running.length > 0 && (
          <section className="bp6-card" aria-label="Scans that go on">
            {running.map((scan) => (
              <ScanProgress key={scan._id} scan={scan} />
            ))}
          </section>
        )}
        {items === undefined ? (
          <SkeletonRows rows={8} rowHeight={40} label="Scanners" />
        ) : (
          <>
            <p role="status">
              {installed.length} of {items.length} installed on this server
            </p>
            {!isolatesNetwork && (
              <Callout intent="warning">
                This server cannot limit the network of scanners, whatever they name here: it has no{' '}
                <code>unshare</code>, or may not make network namespaces. What they scan could make them call any host.
              </Callout>
            )}
            {isolatesNetwork && !limitsHosts && (
              <Callout intent="warning">
                This server cannot hold scanners to the hosts that they name: it has no <code>setpriv</code>, or neither{' '}
                <code>ip</code>, <code>ifconfig</code> nor <code>perl</code>. What they scan could make them call any
                host.
              </Callout>
            )}
            <table className="bw-table wraps scanners-table" aria-label="Scanners">
              <thead>
                <tr>
                  <th scope="col">Scanner</th>
                  <th scope="col">On this server</th>
                  <th scope="col">Calls</th>
                  <th scope="col">More</th>
                </tr>
              </thead>
              <tbody>
                {items.map((scanner) => (
                  <ScannerRow key={scanner._id} scanner={scanner} />
                ))}
              </tbody>
            </table>
          </>
        )}
      </div>
    </div>
  );
});
