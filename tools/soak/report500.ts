import { createWriteStream, openAsBlob } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ApiClient, signIn } from '../../benchmarks/api-client.ts';
import { generateOpengrep } from '../../benchmarks/generate-opengrep.ts';
import { type Measurement, startMeasuredServer } from '../../benchmarks/measured-server.ts';
import { generateReport, RECIPES } from '../../benchmarks/report-recipes.ts';

/**
 * A report of about 500 MB, uploaded and imported, while the server answers everybody else. Arguments: tool (`opengrep`, `sarif`,
 * `trivy`, `grype`) and number of results.
 */
const [tool = 'opengrep', wanted] = process.argv.slice(2);
/** Results that make about 500 MB. */
const RESULTS: Record<string, number> = { opengrep: 350_000, sarif: 1_600_000, trivy: 275_000, grype: 200_000 };
const MAX_LOOP_P99_MS = 100;
const MAX_HEALTH_MS = 1_000;
/** What the server process may grow by, its threads included: a constant and a part of the report's size. */
const maxGrowthMb = (reportMb: number): number => 600 + reportMb;
const MINUTES = 60;

const results = Number(wanted ?? RESULTS[tool]);
if (!Number.isSafeInteger(results) || results < 1) throw new Error(`How many results of ${tool}?`);

const textOf = (): Iterable<string> => {
  if (tool === 'opengrep') return generateOpengrep({ results });
  const recipe = RECIPES.find((one) => one.tool === tool);
  if (recipe === undefined) throw new Error(`There is no recipe for ${tool}`);
  return generateReport(recipe, results);
};

/** Asks for /healthz four times a second until it is told to stop. */
const watchHealth = (url: string): { stop: () => Promise<{ asked: number; failed: number; worstMs: number }> } => {
  const seen = { asked: 0, failed: 0, worstMs: 0 };
  let isOn = true;
  const watching = (async () => {
    while (isOn) {
      const start = performance.now();
      const isOk = await fetch(`${url}/healthz`).then(
        async (response) => (await response.text()) !== '' && response.ok,
        () => false,
      );
      seen.asked += 1;
      if (!isOk) seen.failed += 1;
      seen.worstMs = Math.max(seen.worstMs, performance.now() - start);
      await sleep(250);
    }
  })();
  return {
    stop: async () => {
      isOn = false;
      await watching;
      return seen;
    },
  };
};

interface Scan {
  status: string;
  percentage: number;
  counts: { total: number; new: number };
  detail: string | null;
}

const readScan = async (api: ApiClient, id: string): Promise<Scan> => {
  const answer = JSON.parse(JSON.stringify(await api.get(`/scans/${id}`)));
  return answer.data.attributes;
};

const waitFor = async (api: ApiClient, id: string): Promise<Scan> => {
  const end = Date.now() + MINUTES * 60_000;
  for (let shown = -10; Date.now() < end; await sleep(1_000)) {
    const scan = await readScan(api, id);
    if (scan.status === 'done' || scan.status === 'failed' || scan.status === 'cancelled') return scan;
    if (scan.percentage >= shown + 10) {
      shown = scan.percentage;
      process.stdout.write(`  ${scan.status} ${scan.percentage} %\n`);
    }
  }
  throw new Error(`The import did not end within ${MINUTES} minutes`);
};

const faults: string[] = [];
const row = (name: string, value: string, isGood: boolean): void => {
  process.stdout.write(`${name.padEnd(52)}${value.padStart(14)}  ${isGood ? 'ok' : 'FAILED'}\n`);
  if (!isGood) faults.push(name);
};
const rowOf = (phase: string, { loopP99Ms, loopMaxMs }: Measurement): void =>
  row(
    `event loop p99 (worst) while it ${phase}`,
    `${loopP99Ms.toFixed(1)} (${loopMaxMs.toFixed(0)}) ms`,
    loopP99Ms < MAX_LOOP_P99_MS,
  );

const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-report-'));
const file = path.join(folder, 'report.json');
await pipeline(Readable.from(textOf()), createWriteStream(file));
const sizeMb = (await stat(file)).size / 1e6;
const server = await startMeasuredServer();
try {
  const api = await signIn(server.url);
  await api.upload(
    await api.addRepository('warm-up'),
    'opengrep',
    new Blob([...generateOpengrep({ results: 200 })], { type: 'application/json' }),
  );
  const repository = await api.addRepository('large');
  await server.reset();
  const before = (await server.measure()).peakMb;
  const health = watchHealth(server.url);
  const start = performance.now();
  const id = await api.send(repository, tool, await openAsBlob(file, { type: 'application/json' }));
  const uploadedMs = performance.now() - start;
  const upload = await server.measure();
  await server.reset();
  const scan = await waitFor(api, id);
  const importMs = performance.now() - start - uploadedMs;
  const imported = await server.measure();
  const answers = await health.stop();
  const peakMb = Math.max(upload.peakMb, imported.peakMb);
  const grownMb = peakMb - before;
  process.stdout.write(`${tool}: ${results} results, ${sizeMb.toFixed(0)} MB\n`);
  row('uploaded', `${(uploadedMs / 1000).toFixed(1)} s`, true);
  row('imported', `${(importMs / 1000).toFixed(1)} s`, scan.status === 'done');
  row('results in the scan', String(scan.counts.total), scan.counts.total === results);
  rowOf('is uploaded', upload);
  rowOf('is imported', imported);
  const { asked, failed, worstMs } = answers;
  row(`slowest of ${asked} answers of /healthz`, `${worstMs.toFixed(0)} ms`, failed === 0 && worstMs < MAX_HEALTH_MS);
  row(`peak memory of the server, ${before.toFixed(0)} MB before`, `${peakMb.toFixed(0)} MB`, true);
  row('grown by', `${grownMb.toFixed(0)} MB`, grownMb < maxGrowthMb(sizeMb));
  if (scan.detail !== null) process.stdout.write(`${scan.detail}\n`);
  const summary = {
    ...{ soak: 'report500', tool, results, report_mb: Math.round(sizeMb) },
    ...{ upload_s: Math.round(uploadedMs / 1000), import_s: Math.round(importMs / 1000) },
    loop_p99_ms: Number(Math.max(upload.loopP99Ms, imported.loopP99Ms).toFixed(1)),
    ...{ healthz_worst_ms: Math.round(worstMs), healthz_failed: failed },
    ...{ peak_mb: Math.round(peakMb), grown_mb: Math.round(grownMb) },
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  process.exitCode = faults.length === 0 ? 0 : 1;
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
