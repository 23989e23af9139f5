import { createExportEndpoints } from '@breakwater/core/findings/server/index.ts';
import { createDatabase, type DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type { Endpoint, FileAnswer } from '@breakwater/core/platform/server/endpoint.ts';
import { createAppPool } from '@breakwater/host-server/postgres/pool.ts';
import type pg from 'pg';
import { withOwnDatabase } from './own-database.ts';
import { seedFindings } from './seed.ts';

const FINDINGS = Number(process.argv[2] ?? 200_000);

interface ExportCase {
  name: string;
  path: string;
  query: object;
  /** Fewer than all rows: then the lines of the JSON tell how many. */
  isFiltered?: true;
}

const TABLE = ['priority', 'severity', 'title', 'file_path', 'signals', 'tool', 'type', 'status', 'first_seen'];
const CASES: readonly ExportCase[] = [
  { name: 'CSV, nine columns', path: '/download_csv_findings', query: { fields: TABLE } },
  {
    name: 'CSV with description and code',
    path: '/download_csv_findings',
    query: { fields: [...TABLE, 'description', 'scanner_report_code'] },
  },
  { name: 'JSON, nine columns', path: '/download_json_findings', query: { fields: TABLE } },
  { name: 'JSON, whole rows', path: '/download_json_findings', query: {} },
  { name: 'JSON, by CVSS', path: '/download_json_findings', query: { sort_field: 'cvssv3_score' } },
  {
    name: 'JSON, open and searched',
    path: '/download_json_findings',
    query: { filters: { status: ['enriched'] }, search: 'input' },
    isFiltered: true,
  },
  { name: 'SARIF 2.1.0', path: '/download_sarif_findings', query: {} },
];

/** The rows of a list as PostgreSQL alone writes them: no transport, no JavaScript. */
const RAW = `copy (
  select f.id, x.title, f.severity, f.priority, f.type, f.category, f.tool, f.status, f.verdict, r.nickname, p.path, l.start_line,
    x.rule_id, x.cwe, x.cve, x.component, f.cvss, f.epss, f.kev, f.language, f.tags, f.date, f.first_seen
  from findings f
  join finding_definitions x on x.client_id = f.client_id and x.id = f.definition_id
  join repositories r on r.client_id = f.client_id and r.id = f.repository_id
  left join finding_files p on p.client_id = f.client_id and p.id = f.file_id
  left join finding_locations l on l.client_id = f.client_id and l.finding_id = f.id
  where f.client_id = '%s' order by f.priority desc, f.id desc) to '/dev/null'`;

const endpointOf = (endpoints: readonly Endpoint[], of: ExportCase): Endpoint => {
  const found = endpoints.find(({ route }) => route.path === of.path);
  if (found === undefined) throw new Error(`There is no route ${of.path}`);
  return found;
};

interface Measured {
  seconds: number;
  cpuSeconds: number;
  megabytes: number;
  rows: number;
  peakMegabytes: number;
}

const isFile = (value: unknown): value is FileAnswer & { content: AsyncIterable<Uint8Array> } =>
  typeof value === 'object' && value !== null && 'content' in value;

const linesIn = (piece: Uint8Array): number => {
  let lines = 0;
  for (let at = piece.indexOf(10); at !== -1; at = piece.indexOf(10, at + 1)) lines += 1;
  return lines;
};

/** Takes a whole export as a download would; what it holds of memory is looked at on the way. */
const measure = async (endpoints: readonly Endpoint[], clientId: string, of: ExportCase): Promise<Measured> => {
  globalThis.gc?.();
  const before = process.memoryUsage();
  const start = performance.now();
  const cpu = process.cpuUsage();
  const caller = { clientId, userId: clientId, role: 'admin' };
  const answer = await endpointOf(endpoints, of).handle({
    caller,
    query: of.query,
    signal: new AbortController().signal,
  });
  if (!isFile(answer)) throw new Error('No file');
  let bytes = 0;
  let rows = 0;
  let peak = 0;
  for await (const piece of answer.content) {
    bytes += piece.length;
    // looking at each sign would take longer than the export
    if (of.isFiltered) rows += linesIn(piece);
    const now = process.memoryUsage();
    peak = Math.max(peak, now.heapUsed + now.external - before.heapUsed - before.external);
  }
  const used = process.cpuUsage(cpu);
  return {
    seconds: (performance.now() - start) / 1000,
    cpuSeconds: (used.user + used.system) / 1e6,
    megabytes: bytes / 1e6,
    rows: of.isFiltered ? rows - 2 : FINDINGS,
    peakMegabytes: peak / 1e6,
  };
};

const cell = (value: string | number, width: number): string => String(value).padStart(width);
const print = (line: string): void => void process.stdout.write(`${line}\n`);

const rawSeconds = async (owner: pg.Client, clientId: string): Promise<number> => {
  const statement = RAW.replace('%s', clientId);
  await owner.query(statement);
  const start = performance.now();
  await owner.query(statement);
  return (performance.now() - start) / 1000;
};

const run = async (owner: pg.Client, url: string): Promise<void> => {
  const { clientId } = await seedFindings(owner, { findings: FINDINGS });
  const database: DatabaseHandle = createDatabase(createAppPool(url));
  const endpoints = createExportEndpoints({ database });
  const raw = await rawSeconds(owner, clientId);
  print(`raw COPY of the same rows: ${raw.toFixed(2)} s, ${Math.round(FINDINGS / raw)} rows/s`);
  print(
    `${'export'.padEnd(34)}${cell('rows', 10)}${cell('s', 8)}${cell('rows/s', 9)}${cell('to COPY', 9)}${cell('CPU s', 8)}${cell('MB', 8)}${cell('peak MB', 9)}`,
  );
  const figures: Record<string, unknown> = {};
  for (const of of CASES) {
    const { seconds, cpuSeconds, megabytes, rows, peakMegabytes } = await measure(endpoints, clientId, of);
    const perSecond = Math.round(rows / seconds);
    print(
      `${of.name.padEnd(34)}${cell(rows, 10)}${cell(seconds.toFixed(1), 8)}${cell(perSecond, 9)}${cell((seconds / raw).toFixed(2), 9)}${cell(cpuSeconds.toFixed(1), 8)}${cell(megabytes.toFixed(0), 8)}${cell(peakMegabytes.toFixed(0), 9)}`,
    );
    figures[of.name] = {
      rows_per_s: perSecond,
      ratio_to_copy: Number((seconds / raw).toFixed(2)),
      peak_mb: Math.round(peakMegabytes),
    };
  }
  await database.close();
  print(JSON.stringify({ bench: 'export', findings: FINDINGS, raw_copy_s: Number(raw.toFixed(2)), exports: figures }));
};

await withOwnDatabase(run);
