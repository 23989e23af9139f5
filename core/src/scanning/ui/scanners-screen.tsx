import { Callout, ProgressBar, Tag } from '@blueprintjs/core';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import { Link } from 'react-router-dom';
import { API } from '../../platform/ui/data/api-client.ts';
import { LIVE_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { formatPercent } from '../../platform/ui/display/formats.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { SkeletonRows } from '../../platform/ui/feedback/skeleton.tsx';
import { t } from '../../platform/ui/language/translate.ts';
import { Words } from '../../platform/ui/language/words.tsx';
import { PageHead } from '../../platform/ui/page/page-layout.tsx';
import { SCAN_REQUEST_LABELS } from '../model/scan-requests.ts';
import { SCAN_PROGRESS, type ScannerItem, ScannersStore, type ScanRequestItem } from './scanners.store.ts';
import './scanners.css';

/** How far one scan is. */
function ScanProgress({ scan: { attributes } }: { scan: ScanRequestItem }) {
  const { status, percentage, scan_type, repository_id, tools } = attributes;
  const current = tools.find((tool) => tool.status === 'running')?.title;
  const state = t(SCAN_REQUEST_LABELS[status]);
  const text = `${state}${current === undefined ? '' : `: ${current}`}, ${formatPercent(percentage)}`;
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
        aria-label={t('Scan {type}', { type: scan_type })}
        aria-valuetext={text}
      />
    </div>
  );
}

const networkOf = ({ hosts }: ScannerItem['attributes']): string => {
  if (hosts === null) return t('Any host');
  return hosts.length === 0 ? t('None') : hosts.join(', ');
};

function ScannerRow({ scanner: { attributes } }: { scanner: ScannerItem }) {
  const { title, is_installed, version, is_excluded, documentation } = attributes;
  const more = is_installed ? t('Documentation') : t('How to get it');
  return (
    <tr>
      <th scope="row">{title}</th>
      <td className="state">
        {is_installed ? t('Installed, {version}', { version: version ?? t('unknown version') }) : t('Not installed')}
        {is_excluded && <Tag minimal={true}>{t('Excluded by your organisation')}</Tag>}
      </td>
      <td className="network" data-label={t('Calls')}>
        {networkOf(attributes)}
      </td>
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
    return <ErrorState title={t('The scanners could not be read')} error={store.error} onRetry={store.load} />;
  }
  const { items, running, installed, isolatesNetwork, limitsHosts } = store;
  return (
    <div className="canvas">
      <PageHead title={t('Scanners')} />
      <div className="page">
        <p className="t2">
          {t(
            'The server scans repositories with the programs that its operator has installed. Reports of all others can be uploaded.',
          )}
        </p>
        {running.length > 0 && (
          <section className="bp6-card" aria-label={t('Scans that go on')}>
            {running.map((scan) => (
              <ScanProgress key={scan._id} scan={scan} />
            ))}
          </section>
        )}
        {items === undefined ? (
          <SkeletonRows rows={8} rowHeight={40} label={t('Scanners')} />
        ) : (
          <>
            <p role="status">
              {t('{count} of {total} installed on this server', { count: installed.length, total: items.length })}
            </p>
            {!isolatesNetwork && (
              <Callout intent="warning">
                <Words
                  of="This server cannot limit the network of scanners, whatever they name here: it has no <code>unshare</code>, or may not make network namespaces. What they scan could make them call any host."
                  code={(text) => <code>{text}</code>}
                />
              </Callout>
            )}
            {isolatesNetwork && !limitsHosts && (
              <Callout intent="warning">
                <Words
                  of="This server cannot hold scanners to the hosts that they name: it has no <code>setpriv</code>, or neither <code>ip</code>, <code>ifconfig</code> nor <code>perl</code>. What they scan could make them call any host."
                  code={(text) => <code>{text}</code>}
                />
              </Callout>
            )}
            <table className="bw-table wraps scanners-table" aria-label={t('Scanners')}>
              <thead>
                <tr>
                  <th scope="col">{t('Scanner')}</th>
                  <th scope="col">{t('On this server')}</th>
                  <th scope="col">{t('Calls')}</th>
                  <th scope="col">{t('More')}</th>
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
