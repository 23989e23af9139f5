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
 * A report of about 500 MB, uploaded and imported, while the server answers everybody else and people of the same organisation decide
 * about findings of the same and of another repository. Arguments: tool (`opengrep`, `sarif`,
 * `trivy`, `grype`) and number of results.
 */
const [tool = 'opengrep', wanted] = process.argv.slice(2);
/** Results that make about 500 MB. */
const RESULTS: Record<string, number> = { opengrep: 350_000, sarif: 1_600_000, trivy: 275_000, grype: 200_000 };
const MAX_LOOP_P99_MS = 100;
const MAX_HEALTH_MS = 1_000;
const MAX_VERDICT_P95_MS = 300;
/** Findings that are decided about, in each of the two repositories. */
const DECIDED = 200;
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

const idsOf = async (api: ApiClient, repository: string): Promise<string[]> => {
  const path = `/findings?filters[repository][0]=${repository}&pagination[pageSize]=100`;
  const answer = JSON.parse(JSON.stringify(await api.get(path)));
  return answer.data.map((item: { _id: string }) => item._id);
};

/** Turns the false-positive switch of one finding after the other until it is told to stop. @returns milliseconds of each. */
const watchVerdicts = (api: ApiClient, ids: readonly string[]): { stop: () => Promise<number[]> } => {
  const spent: number[] = [];
  let isOn = true;
  const watching = (async () => {
    for (let turn = 0; isOn && ids.length > 0; turn += 1) {
      const start = performance.now();
      await api.put(`/findings/${ids[turn % ids.length]}/toggle_false_positive`, {});
      spent.push(performance.now() - start);
      await sleep(250);
    }
  })();
  return {
    stop: async () => {
      isOn = false;
      await watching;
      return spent;
    },
  };
};

const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * share))] ?? 0;

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
    if (['done', 'incomplete', 'outdated', 'failed', 'cancelled'].includes(scan.status)) return scan;
    if (scan.percentage >= shown + 10) {
      shown = scan.percentage;
      process.stdout.write(`  ${scan.status} ${scan.percentage} %\n`);
    }
  }
  throw new Error(`The import did not end within ${MINUTES} minutes`);
};

const issues: string[] = [];
const row = (name: string, value: string, isGood: boolean): void => {
  process.stdout.write(`${name.padEnd(52)}${value.padStart(14)}  ${isGood ? 'ok' : 'FAILED'}\n`);
  if (!isGood) issues.push(name);
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
  const small = new Blob([...generateOpengrep({ results: DECIDED })], { type: 'application/json' });
  const neighbour = await api.addRepository('neighbour');
  const repository = await api.addRepository('large');
  // of another tool than the large report, so that it changes none of them
  const otherTool = tool === 'opengrep' ? 'bandit' : 'opengrep';
  const otherReport = RECIPES.find((one) => one.tool === otherTool);
  if (otherReport === undefined) throw new Error(`There is no recipe for ${otherTool}`);
  await api.upload(neighbour, 'opengrep', small);
  await api.upload(repository, otherTool, new Blob([...generateReport(otherReport, DECIDED)]));
  const decided = { same: await idsOf(api, repository), other: await idsOf(api, neighbour) };
  await server.reset();
  const before = (await server.measure()).peakMb;
  const health = watchHealth(server.url);
  const start = performance.now();
  const id = await api.send(repository, tool, await openAsBlob(file, { type: 'application/json' }));
  const uploadedMs = performance.now() - start;
  const upload = await server.measure();
  await server.reset();
  const verdicts = { same: watchVerdicts(api, decided.same), other: watchVerdicts(api, decided.other) };
  const scan = await waitFor(api, id);
  const importMs = performance.now() - start - uploadedMs;
  const imported = await server.measure();
  const answers = await health.stop();
  const [same, other] = [await verdicts.same.stop(), await verdicts.other.stop()];
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
  for (const [where, spent] of [
    ['the same', same],
    ['another', other],
  ] as const) {
    const [p95, worst] = [quantile(spent, 0.95), quantile(spent, 1)];
    const name = `p95 (worst) of ${spent.length} verdicts in ${where} repository`;
    row(name, `${p95.toFixed(0)} (${worst.toFixed(0)}) ms`, spent.length > 0 && p95 <= MAX_VERDICT_P95_MS);
  }
  row(`peak memory of the server, ${before.toFixed(0)} MB before`, `${peakMb.toFixed(0)} MB`, true);
  row('grown by', `${grownMb.toFixed(0)} MB`, grownMb < maxGrowthMb(sizeMb));
  if (scan.detail !== null) process.stdout.write(`${scan.detail}\n`);
  const summary = {
    ...{ soak: 'report500', tool, results, report_mb: Math.round(sizeMb) },
    ...{ upload_s: Math.round(uploadedMs / 1000), import_s: Math.round(importMs / 1000) },
    loop_p99_ms: Number(Math.max(upload.loopP99Ms, imported.loopP99Ms).toFixed(1)),
    verdict_p95_ms: Math.round(Math.max(quantile(same, 0.95), quantile(other, 0.95))),
    ...{ healthz_worst_ms: Math.round(worstMs), healthz_failed: failed },
    ...{ peak_mb: Math.round(peakMb), grown_mb: Math.round(grownMb) },
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
  process.exitCode = issues.length === 0 ? 0 : 1;
} finally {
  await server.stop();
  await rm(folder, { recursive: true, force: true });
}
