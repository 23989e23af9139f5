import type { TableMapping } from '@breakwater/sdk';
import type { Static } from 'typebox';
import { type ApiClient, addressOf, readError } from '../../platform/ui/data/api-client.ts';
import { ApiError, isAbort, messagesOf } from '../../platform/ui/data/api-error.ts';
import { eventKind, type LiveEvents } from '../../platform/ui/data/live-events.ts';
import { t } from '../../platform/ui/language/translate.ts';
import { getScan, type ScanAttributes, uploadScan } from '../api/routes.ts';

export type Scan = Static<typeof ScanAttributes>;

export interface SendReport {
  repositoryId: string;
  tool: string;
  /** Empty for the default branch. */
  branch: string;
  /** What the report is about; empty where the report says. */
  part: string;
  /** To be imported although a newer report was. */
  acceptsOlder: boolean;
  /** What its columns are, where it is a table of no known tool. */
  mapping: TableMapping | undefined;
  file: File;
  onProgress: (percentage: number) => void;
  signal: AbortSignal;
}

/** Sends a report and answers with the id of its scan. XMLHttpRequest, because fetch does not tell how far an upload is. */
export type ReportSender = (report: SendReport) => Promise<string>;

const unreachable = () =>
  new ApiError({
    status: 0,
    code: 'unreachable',
    messages: [t('The connection broke while the file was sent. Try again.')],
    issues: [],
    requestId: undefined,
    retryAfterSeconds: undefined,
  });

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null;

const scanIdOf = (text: string): string | undefined => {
  const body: unknown = JSON.parse(text);
  const data = isRecord(body) ? body.data : undefined;
  return isRecord(data) && typeof data.scan_id === 'string' ? data.scan_id : undefined;
};

export const sendReport: ReportSender = ({ repositoryId, file, onProgress, signal, ...fields }) =>
  new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const form = new FormData();
    // The server reads the form as it streams in: the tool has to come before the file.
    form.append('tool', fields.tool);
    if (fields.branch !== '') form.append('branch', fields.branch);
    if (fields.part !== '') form.append('part', fields.part);
    if (fields.acceptsOlder) form.append('accept_older', 'true');
    if (fields.mapping !== undefined) form.append('mapping', JSON.stringify(fields.mapping));
    form.append('file', file, file.name);
    request.open('POST', addressOf(uploadScan, { id: repositoryId }, undefined));
    request.setRequestHeader('accept', 'application/json');
    request.upload.onprogress = (event) => {
      if (event.lengthComputable && event.total > 0) onProgress(Math.floor((event.loaded / event.total) * 100));
    };
    request.onerror = () => reject(unreachable());
    request.onabort = () => reject(new DOMException('The upload was given up.', 'AbortError'));
    request.onload = () => {
      if (request.status < 200 || request.status > 299) {
        readError(new Response(request.responseText, { status: request.status })).then(reject, reject);
        return;
      }
      const scanId = scanIdOf(request.responseText);
      if (scanId === undefined) reject(unreachable());
      else resolve(scanId);
    };
    signal.addEventListener('abort', () => request.abort(), { once: true });
    request.send(form);
  });

interface WatchScan {
  api: ApiClient;
  events: LiveEvents;
  scanId: string;
  onScan: (scan: Scan) => void;
  onProgress: (percentage: number) => void;
  onLost: (messages: string[]) => void;
}

const FIRST_POLL_MS = 500;
const LAST_POLL_MS = 4_000;
/** Polls in a row that may fail before the watch gives up: about half a minute of a lost network. */
const MAX_FAILURES = 10;

/** What the report says was imported or is kept, whatever it may close. */
export const isImported = (scan: Scan): boolean => ['done', 'incomplete', 'outdated'].includes(scan.status);
export const isScanOver = (scan: Scan): boolean => isImported(scan) || ['failed', 'cancelled'].includes(scan.status);

/** Follows a scan by live events, and by asking when events do not come through. @returns stops watching. */
export const watchScan = ({ api, events, scanId, onScan, onProgress, onLost }: WatchScan): (() => void) => {
  const abort = new AbortController();
  let timer: ReturnType<typeof setTimeout> | undefined;
  let delayMs = FIRST_POLL_MS;
  let failures = 0;
  const ask = async () => {
    clearTimeout(timer);
    try {
      const { data } = await api.call(getScan, { params: { id: scanId }, signal: abort.signal });
      if (abort.signal.aborted) return;
      failures = 0;
      onScan(data.attributes);
      if (isScanOver(data.attributes)) return;
    } catch (error) {
      if (isAbort(error) || abort.signal.aborted) return;
      failures += 1;
      if (failures >= MAX_FAILURES) return onLost(messagesOf(error));
    }
    clearTimeout(timer);
    timer = setTimeout(ask, delayMs);
    delayMs = Math.min(delayMs * 1.5, LAST_POLL_MS);
  };
  const stops = [
    events.on(SCAN_PROGRESS, (data) => {
      if (data.scan_id === scanId && data.percentage !== undefined) onProgress(data.percentage);
    }),
    events.on(SCAN_COMPLETED, (data) => data.scan_id === scanId && void ask()),
    events.on(SCAN_FAILED, (data) => data.scan_id === scanId && void ask()),
    events.onReconnect(() => void ask()),
  ];
  timer = setTimeout(ask, delayMs);
  return () => {
    abort.abort();
    clearTimeout(timer);
    for (const stop of stops) stop();
  };
};

/** A scan moved on. `percentage` is 0-100. */
interface ScanProgress {
  scan_id: string;
  percentage?: number;
}

export const SCAN_PROGRESS = eventKind<ScanProgress>('scan.progress');
export const SCAN_COMPLETED = eventKind<ScanProgress>('scan.completed');
export const SCAN_FAILED = eventKind<ScanProgress>('scan.failed');
