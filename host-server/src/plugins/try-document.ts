import { mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { msg } from '@breakwater/core/platform/model/message.ts';
import type { LiveTest } from '@breakwater/core/published-connectors/server/index.ts';
import type { Config } from '../config.ts';
import { runKitProcess } from './kit-process.ts';
import { property } from './property.ts';

const LONGEST_MS = 90_000;
const MEMORY_MB = 256;
const MOST_AT_ONCE = 3;
const BUSY_SECONDS = 10;
/** `CONNECTOR_DRAFT_BASE_URL`: where the operator sends requests of drafts instead. Ids of drafts are anybody's, so the settings of other connectors are none of theirs. */
const DRAFT = 'CONNECTOR_DRAFT';

const UNFINISHED = msg('The connector could not be tried in the time and memory that there are for it.');

const parsed = (output: string): unknown => {
  try {
    return JSON.parse(output);
  } catch {
    return undefined;
  }
};

/** Tries documents with their services, each in a process of its own. @throws too_many_requests */
export const createLiveTest = (config: Pick<Config, 'allowPrivateHosts' | 'providerBaseUrls'>): LiveTest => {
  const baseUrl = config.providerBaseUrls.get(DRAFT)?.href;
  let running = 0;
  return async ({ document, values, sends, report }, signal) => {
    if (running >= MOST_AT_ONCE)
      throw new AppError('too_many_requests', msg('Other connectors are being tried. Try yours again in a moment.'), {
        retryAfterSeconds: BUSY_SECONDS,
      });
    running += 1;
    const folder = await realpath(await mkdtemp(join(tmpdir(), 'breakwater-live-test-')));
    try {
      const { allowPrivateHosts } = config;
      const input = JSON.stringify({ document, values, sends, report, allowPrivateHosts, baseUrl });
      const output = await runKitProcess({
        ...{ entry: 'src/testing/kit/record/try-process.ts', folder, input, signal },
        ...{ memoryMb: MEMORY_MB, longestMs: LONGEST_MS },
      }).catch(() => '');
      signal.throwIfAborted();
      const answer = parsed(output);
      const failed = property(answer, 'failed');
      const tried = property(answer, 'tried');
      if (tried !== undefined) return { tried };
      return { failed: typeof failed === 'string' ? failed : UNFINISHED };
    } finally {
      running -= 1;
      await rm(folder, { recursive: true, force: true });
    }
  };
};
