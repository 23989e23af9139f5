import { Button, ProgressBar } from '@blueprintjs/core';
import { makeAutoObservable, runInAction } from 'mobx';
import { observer } from 'mobx-react-lite';
import { useEffect, useState } from 'react';
import type { Static } from 'typebox';
import { can } from '../../platform/model/permissions.ts';
import { API, type ApiClient } from '../../platform/ui/data/api-client.ts';
import { LatestCall } from '../../platform/ui/data/latest-call.ts';
import { eventKind, LIVE_EVENTS } from '../../platform/ui/data/live-events.ts';
import { useService } from '../../platform/ui/data/services.tsx';
import { StatusDot, type StatusTone, Time } from '../../platform/ui/display/badges.tsx';
import { formatPercent } from '../../platform/ui/display/formats.ts';
import { ErrorState } from '../../platform/ui/feedback/placeholders.tsx';
import { TOASTS } from '../../platform/ui/feedback/toasts.store.ts';
import { plural, t } from '../../platform/ui/language/translate.ts';
import { SESSION } from '../../shell/ui/navigation/shell-ports.ts';
import {
  cancelScanRequest,
  listScanRequestsRoute,
  requestRepoScan,
  type ScanRequestAttributes,
} from '../api/routes.ts';
import { POSTURE_SCAN, SCAN_REQUEST_LABELS, UNFINISHED_STATUSES } from '../model/scan-requests.ts';
import './scanners.css';

type ScanRequest = Static<typeof ScanRequestAttributes>;

/** A scan that the server started has come further. */
const PROGRESS = eventKind<{ repository_id: string | null }>('scan_request.progress');

const TONES: Readonly<Record<ScanRequest['status'], StatusTone>> = {
  queued: 'neutral',
  running: 'accent',
  parsing: 'accent',
  merging: 'accent',
  done: 'ok',
  failed: 'bad',
  cancelled: 'off',
};

const isUnfinished = ({ status }: ScanRequest): boolean => UNFINISHED_STATUSES.some((one) => one === status);

/** The newest scan that the server makes, or made, of one repository. */
class RepositoryScanStore {
  latest: { _id: string; attributes: ScanRequest } | undefined = undefined;
  isRead = false;
  isAsking = false;
  error: unknown = undefined;
  readonly #api: ApiClient;
  readonly #id: string;
  readonly #reading = new LatestCall();

  constructor(api: ApiClient, id: string) {
    this.#api = api;
    this.#id = id;
    makeAutoObservable(this, {}, { autoBind: true });
  }

  async load(): Promise<void> {
    const query = { filters: { repository: [this.#id] }, pagination: { page: 1, pageSize: 20 } };
    await this.#reading.run(
      (signal) => this.#api.call(listScanRequestsRoute, { query, signal }),
      ({ data }) => {
        // readings of settings stand with the posture of the repository
        this.latest = data.find(({ attributes }) => attributes.scan_type !== POSTURE_SCAN);
        this.isRead = true;
        this.error = undefined;
      },
      (error) => {
        this.error = error;
      },
    );
  }

  /** Asks for a scan with every scanner of the server. @throws ApiError with the reason when the server refuses. */
  request(): Promise<void> {
    return this.#ask(() => this.#api.call(requestRepoScan, { body: { scan_type: 'all', repositories: [this.#id] } }));
  }

  /** Ends the scan that goes on. @throws ApiError when it has ended meanwhile. */
  cancel(id: string): Promise<void> {
    return this.#ask(() => this.#api.call(cancelScanRequest, { params: { id } }));
  }

  dispose(): void {
    this.#reading.dispose();
  }

  async #ask(call: () => Promise<unknown>): Promise<void> {
    this.isAsking = true;
    try {
      await call();
    } finally {
      runInAction(() => {
        this.isAsking = false;
      });
      await this.load();
    }
  }
}

/** Scanners that failed, and what the others were not let through to. */
function ScannerNotes({ tools }: Pick<ScanRequest, 'tools'>) {
  const told = tools.filter(({ status, detail }) => detail !== null && ['failed', 'done'].includes(status));
  if (told.length === 0) return null;
  return (
    <ul className="scanner-notes" aria-label={t('What scanners report')}>
      {told.map(({ title, status, detail }) => (
        <li key={title} className={status === 'failed' ? 'err' : 'small muted'}>
          <span>
            {status === 'failed' && !detail?.startsWith(title) && (
              <strong>{t('{name} failed.', { name: title })} </strong>
            )}
            {status === 'done' && <strong>{title}: </strong>}
            {detail === null ? null : t(detail)}
          </span>
        </li>
      ))}
    </ul>
  );
}

const stateOf = ({ status, tools }: ScanRequest): { tone: StatusTone; word: string } => {
  const ran = tools.filter((tool) => tool.status === 'failed' || tool.status === 'done');
  const failed = ran.filter((tool) => tool.status === 'failed').length;
  if (status !== 'done' || failed === 0) return { tone: TONES[status], word: t(SCAN_REQUEST_LABELS[status]) };
  const word = plural(
    ran.length,
    'Done, but {failed} of {count} scanner failed',
    'Done, but {failed} of {count} scanners failed',
    { failed },
  );
  return { tone: 'warn', word };
};

function Latest({ scan }: { scan: ScanRequest }) {
  const { tone, word } = stateOf(scan);
  const isToldByScanners = scan.tools.some(({ status }) => status === 'failed');
  const current = scan.tools.find(({ status }) => status === 'running')?.title;
  const isRunning = isUnfinished(scan);
  return (
    <>
      <p className="row wrap">
        <StatusDot tone={tone}>{isRunning ? `${word} ${formatPercent(scan.percentage)}` : word}</StatusDot>
        {current !== undefined && <span className="muted">{current}</span>}
        <span className="muted small">
          <Time value={scan.finished_at ?? scan.created_at} />
          {scan.created_by !== null && ` · ${scan.created_by}`}
        </span>
      </p>
      {isRunning && (
        <ProgressBar
          animate={false}
          stripes={false}
          value={scan.percentage / 100}
          aria-label={t('Scan of the server')}
        />
      )}
      {scan.commit_status?.problem != null && (
        <p className="small err">
          {t('The status of the commit could not be set: {problem}', { problem: t(scan.commit_status.problem) })}
        </p>
      )}
      {scan.detail !== null && !isToldByScanners && (
        <p className={scan.status === 'failed' ? 'err' : 'small muted'}>{t(scan.detail)}</p>
      )}
      {!isRunning && <ScannerNotes tools={scan.tools} />}
    </>
  );
}

/** Asks the server to scan a repository, and says how far it is. */
export const RepositoryScan = observer(function RepositoryScan({ repositoryId }: { repositoryId: string }) {
  const api = useService(API);
  const events = useService(LIVE_EVENTS);
  const toasts = useService(TOASTS);
  const role = useService(SESSION).user?.role;
  const [store] = useState(() => new RepositoryScanStore(api, repositoryId));
  useEffect(() => {
    const reload = () => void store.load();
    reload();
    const stops = [events.on(PROGRESS, reload), events.onReconnect(reload)];
    return () => {
      for (const stop of stops) stop();
      store.dispose();
    };
  }, [store, events]);
  const { latest, error, isRead, isAsking } = store;
  const running = latest !== undefined && isUnfinished(latest.attributes) ? latest : undefined;
  const ask = (work: Promise<void>) => void work.catch((reason: unknown) => toasts.showError(reason));
  return (
    <section className="bp6-card" aria-label={t('Scan by the server')}>
      <div className="row card-head">
        <h2 className="grow">{t('Scan by the server')}</h2>
        {can(role, 'scans.upload') &&
          (running === undefined ? (
            <Button size="small" text={t('Scan now')} loading={isAsking} onClick={() => ask(store.request())} />
          ) : (
            <Button size="small" text={t('Cancel')} loading={isAsking} onClick={() => ask(store.cancel(running._id))} />
          ))}
      </div>
      {error !== undefined && (
        <ErrorState title={t('The scans could not be read')} error={error} onRetry={store.load} />
      )}
      {isRead && latest === undefined && <p className="muted">{t('The server has not scanned it yet.')}</p>}
      {latest !== undefined && <Latest scan={latest.attributes} />}
    </section>
  );
});
