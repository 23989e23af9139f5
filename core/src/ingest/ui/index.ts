import type { ApiClient } from '../../platform/ui/data/api-client.ts';
import { getScan, loadSample, removeSample } from '../api/routes.ts';
import { isScanOver } from './upload-transport.ts';

/** The latest imports of one repository; in a chunk of its own. */
export const loadRecentScans = async () => (await import('./recent-scans.tsx')).RecentScans;

export interface SampleOptions {
  pollMs: number;
  /** Longest wait; the import then goes on without anybody watching. */
  patienceMs: number;
  signal: AbortSignal;
}

const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve) => {
    const timer = setTimeout(resolve, ms);
    signal.addEventListener('abort', () => {
      clearTimeout(timer);
      resolve();
    });
  });

/** Adds the sample application. @returns true once all of its reports are imported. */
export const loadSampleData = async (
  api: ApiClient,
  { pollMs, patienceMs, signal }: SampleOptions,
): Promise<boolean> => {
  const { data } = await api.call(loadSample, { signal });
  const deadline = Date.now() + patienceMs;
  const waiting = new Set(data.scan_ids);
  while (waiting.size > 0 && Date.now() < deadline && !signal.aborted) {
    for (const id of waiting) {
      const scan = await api.call(getScan, { params: { id }, signal });
      if (isScanOver(scan.data.attributes)) waiting.delete(id);
    }
    if (waiting.size > 0) await pause(pollMs, signal);
  }
  return waiting.size === 0;
};

/** Removes the sample application with everything in it. */
export const removeSampleData = async (api: ApiClient, signal: AbortSignal): Promise<void> => {
  await api.call(removeSample, { signal });
};
