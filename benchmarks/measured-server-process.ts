import { monitorEventLoopDelay } from 'node:perf_hooks';
import { readConfig } from '@breakwater/host-server/config.ts';
import { createLogger } from '@breakwater/host-server/logger.ts';
import { findRunningPostgres } from '@breakwater/host-server/postgres/running.ts';
import { startServer } from '@breakwater/host-server/server.ts';
import { ADMIN, type ServerAnswer, type ServerRequest } from './measured-server.ts';

const MEGABYTE = 1024 * 1024;
const folder = process.argv[2] ?? '';
const config = readConfig(
  {
    PORT: '0',
    BREAKWATER_DATA_DIR: folder,
    BREAKWATER_ADMIN_EMAIL: ADMIN.email,
    BREAKWATER_ADMIN_PASSWORD: ADMIN.password,
  },
  folder,
);
let phases: Record<string, number> = {};
const isTimed = (line: unknown): line is { phases: Record<string, number> } =>
  typeof line === 'object' && line !== null && 'phases' in line;
/** Reads what the server writes down of each import. */
const log = createLogger('info', {
  write: (text: string): void => {
    const line: unknown = JSON.parse(text);
    if (isTimed(line)) phases = line.phases;
    if (/"level":[56]0/.test(text)) process.stderr.write(text);
  },
});
const server = await startServer({ config, role: 'all', log });
const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
let peak = 0;
setInterval(() => {
  peak = Math.max(peak, process.memoryUsage.rss());
}, 20).unref();

const answer = (message: ServerAnswer): void => {
  process.send?.(message);
};

process.on('message', (request: ServerRequest) => {
  if (request === 'reset') {
    phases = {};
    delay.reset();
    peak = process.memoryUsage.rss();
    answer({ reset: true });
  } else if (request === 'measure') {
    // the histogram counts its own resolution too
    const own = 5;
    const loopP99Ms = Math.max(0, delay.percentile(99) / 1e6 - own);
    answer({ measurement: { loopP99Ms, loopMaxMs: delay.max / 1e6 - own, peakMb: peak / MEGABYTE, phases } });
  } else {
    void server.stop().then(() => process.exit(0));
  }
});
answer({ ready: { url: server.url, databaseUrl: (await findRunningPostgres(folder)) ?? '' } });
