import { execFile } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import { generateReport, RECIPES, type Recipe } from './report-recipes.ts';

/**
 * Parsing alone, each tool at two sizes; from a process that has not parsed before, and after a small report of the same tool, as
 * in a server at work. Arguments: names of tools; all without.
 */
const SIZES = [10_000, 50_000];
const WARM_UP = 2_000;
const TARGETS: Record<string, number> = { opengrep: 60_000, sarif: 60_000, trivy: 60_000, grype: 40_000 };

interface Measured {
  findings: number;
  components: number;
  unreadable: number;
  wallMs: number;
  cpuMs: number;
  grownBytes: number;
  bytes: number;
}

const run = promisify(execFile);
const worker = path.join(import.meta.dirname, 'parse-process.ts');

const cells = (values: readonly (string | number)[]): string =>
  values.map((value, n) => (n === 0 ? String(value).padEnd(24) : String(value).padStart(12))).join('');
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const write = (recipe: Recipe, count: number, to: string): Promise<void> =>
  pipeline(Readable.from(generateReport(recipe, count)), createWriteStream(to));

const wanted = process.argv.slice(2);
const folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-parse-'));
const file = path.join(folder, 'report');
const small = path.join(folder, 'small');
const load = (os.loadavg()[0] ?? 0).toFixed(1);
const summary: Record<string, { per_cpu_s: number; per_s: number; memory_mb: number }> = {};

const measure = async (tool: string, from: 'cold' | 'warm', size: number, warmUp: readonly string[]) => {
  const { stdout } = await run(process.execPath, [worker, tool, file, ...warmUp]);
  const measured: Measured = JSON.parse(stdout);
  const records = measured.findings + measured.components;
  const megabytes = measured.bytes / 1e6;
  const perSecond = Math.round((records * 1000) / measured.wallMs);
  const perCpuSecond = Math.round((records * 1000) / measured.cpuMs);
  const grown = Math.round(measured.grownBytes / 1e6);
  print(
    cells([
      ...[tool, from, size, megabytes.toFixed(1), measured.findings, measured.components, measured.unreadable],
      ...[perSecond, perCpuSecond, ((megabytes * 1000) / measured.cpuMs).toFixed(0), grown],
      (measured.grownBytes / measured.bytes).toFixed(2),
    ]),
  );
  summary[`${tool} ${size} ${from}`] = { per_cpu_s: perCpuSecond, per_s: perSecond, memory_mb: grown };
};

print(`load average ${load} on ${os.availableParallelism()} processors`);
print(
  cells([
    'tool',
    'process',
    'results',
    'MB',
    'findings',
    'components',
    'unreadable',
    'per s',
    'per CPU s',
    'MB/CPU s',
    '+MB',
    '/report',
  ]),
);
try {
  for (const recipe of RECIPES.filter(({ tool }) => wanted.length === 0 || wanted.includes(tool))) {
    await write(recipe, WARM_UP, small);
    for (const size of SIZES) {
      await write(recipe, size, file);
      await measure(recipe.tool, 'cold', size, []);
      await measure(recipe.tool, 'warm', size, [small]);
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}
print(JSON.stringify({ bench: 'parse', load, targets_per_s: TARGETS, measured: summary }));
