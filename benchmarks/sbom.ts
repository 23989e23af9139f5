import os from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { signIn } from './api-client.ts';
import { startMeasuredServer } from './measured-server.ts';

/**
 * A large inventory, from upload to export: what each step takes, beside what the database alone needs to write and to read the same rows.
 * `npm run bench -- sbom [components]`.
 */
const COMPONENTS = Number(process.argv[2] ?? 50_000);
const VULNERABLE_EVERY = 10;
const SHARED_EVERY = 10;
const SAMPLES = 9;
const LICENSES = ['MIT', 'Apache-2.0', 'BSD-3-Clause', 'ISC', 'LGPL-2.1-only', 'MIT OR GPL-3.0-only'];

const purlOf = (n: number): string => `pkg:npm/part-${n}@1.${n % 50}.0`;

/** Every part is needed by another before it, as in a real tree; the first hundred are what the application names itself. */
function* generateInventory(every: number): Generator<string> {
  const parts = Array.from({ length: Math.floor(COMPONENTS / every) }, (_, index) => index * every);
  yield '{"bomFormat":"CycloneDX","specVersion":"1.6","version":1,';
  yield '"metadata":{"component":{"type":"application","bom-ref":"root","name":"bench"}},"components":[';
  for (const [index, n] of parts.entries()) {
    const licenses = [{ expression: LICENSES[n % LICENSES.length] }];
    const part = {
      type: 'library',
      'bom-ref': purlOf(n),
      name: `part-${n}`,
      version: `1.${n % 50}.0`,
      purl: purlOf(n),
      licenses,
    };
    yield `${index === 0 ? '' : ','}${JSON.stringify(part)}`;
  }
  yield '],"dependencies":[';
  yield JSON.stringify({ ref: 'root', dependsOn: parts.slice(0, 100).map(purlOf) });
  for (const index of parts.keys()) {
    const needs = [index * 3 + 1, index * 3 + 2, index * 3 + 3, index + 1].flatMap((at) => parts[at] ?? []);
    yield `,${JSON.stringify({ ref: purlOf(parts[index] ?? 0), dependsOn: [...new Set(needs)].map(purlOf) })}`;
  }
  yield '],"vulnerabilities":[';
  const affected = parts.filter((_, index) => index % VULNERABLE_EVERY === 0);
  for (const [index, n] of affected.entries()) {
    const ratings = [{ severity: 'high', method: 'CVSSv31', score: 7.5 }];
    const entry = {
      id: `CVE-2026-${10_000 + n}`,
      ratings,
      description: `Fault of part ${n}`,
      affects: [{ ref: purlOf(n) }],
    };
    yield `${index === 0 ? '' : ','}${JSON.stringify(entry)}`;
  }
  yield ']}';
}

const report = (every = 1): Blob => new Blob([...generateInventory(every)], { type: 'application/json' });

/** Seconds that COPY needs to read, and to write with all indexes, the rows of the inventory, as their owner. */
const measureRaw = async (client: pg.Client): Promise<{ readMs: number; writeMs: number }> => {
  let [readMs, writeMs] = [0, 0];
  for (const table of ['components', 'component_edges']) {
    const columns = await client.query<{ list: string }>(
      `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list from information_schema.columns
       where table_schema = 'public' and table_name = $1 and is_generated = 'NEVER'`,
      [table],
    );
    const list = columns.rows[0]?.list ?? '';
    const lines: Buffer[] = [];
    const readStart = performance.now();
    await pipeline(client.query(copyTo(`copy ${table} (${list}) to stdout`)), async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) lines.push(piece);
    });
    readMs += performance.now() - readStart;
    await client.query(`create table copied (like ${table} including all)`);
    const writeStart = performance.now();
    await pipeline(Readable.from(lines), client.query(copyFrom(`copy copied (${list}) from stdin`)));
    writeMs += performance.now() - writeStart;
    await client.query('drop table copied');
  }
  return { readMs, writeMs };
};

const timed = async (work: () => Promise<unknown>): Promise<number> => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

const median = async (work: () => Promise<unknown>): Promise<number> => {
  const times: number[] = [];
  await work();
  for (let sample = 0; sample < SAMPLES; sample += 1) times.push(await timed(work));
  return times.sort((a, b) => a - b)[Math.floor(SAMPLES / 2)] ?? 0;
};

const row = (name: string, value: string): void => {
  process.stdout.write(`${name.padEnd(52)}${value.padStart(14)}\n`);
};

const server = await startMeasuredServer();
const owner = new pg.Client({ connectionString: server.databaseUrl });
try {
  await owner.connect();
  const api = await signIn(server.url);
  await api.upload(await api.addRepository('shared'), 'cyclonedx', report(SHARED_EVERY));
  const repository = await api.addRepository('measured');
  await server.reset();
  const imported = await api.upload(repository, 'cyclonedx', report());
  const { peakMb: importPeakMb } = await server.measure();
  const again = await api.upload(repository, 'cyclonedx', report());
  const deepest = await owner.query<{ id: string }>(
    `select id from components where repository_id = $1 and name = 'part-' || ($2::integer - 1) / 10 * 10`,
    [repository, COMPONENTS],
  );
  const middle = await owner.query<{ id: string }>(
    `select id from components where repository_id = $1 and name = 'part-150'`,
    [repository],
  );
  const pages: Record<string, string> = {
    'list, first page': '/sbom-findings?pagination[pageSize]=50',
    'list, last page': `/sbom-findings?pagination[pageSize]=50&pagination[page]=${Math.floor(COMPONENTS / 50)}`,
    'list by findings': '/sbom-findings?sort_field=findings&sort=desc',
    'list, with findings only': '/sbom-findings?filters[vulnerable]=only',
    'list, searched': '/sbom-findings?search=part-4999',
    'values of the filters': '/filter/sbom-findings',
    'page of a component at the edge of the tree': `/sbom-findings/${deepest.rows[0]?.id}`,
    'page of a component in the middle': `/sbom-findings/${middle.rows[0]?.id}`,
  };
  const ms: Record<string, number> = {};
  // at once after the import: nothing has gathered statistics yet
  for (const [name, path] of Object.entries(pages)) ms[name] = await median(() => api.get(path));
  const exports: Record<string, string> = {
    'CycloneDX 1.6': `/repositories/${repository}/sbom?format=cyclonedx`,
    'SPDX 2.3': `/repositories/${repository}/sbom?format=spdx`,
    VEX: `/repositories/${repository}/vex`,
  };
  const peaks: Record<string, number> = {};
  for (const [name, path] of Object.entries(exports)) {
    await server.reset();
    ms[name] = await timed(() => api.get(path));
    peaks[name] = Math.round((await server.measure()).peakMb);
  }
  const raw = await measureRaw(owner);
  row('components', String(COMPONENTS));
  row('import, upload to done', `${(imported.ms / 1000).toFixed(2)} s`);
  row('the same inventory again', `${(again.ms / 1000).toFixed(2)} s`);
  row('raw COPY of components and edges into their indexes', `${(raw.writeMs / 1000).toFixed(2)} s`);
  row('import / raw COPY', (imported.ms / raw.writeMs).toFixed(1));
  row('peak memory of the server at the import', `${Math.round(importPeakMb)} MB`);
  for (const name of Object.keys(pages)) row(name, `${(ms[name] ?? 0).toFixed(0)} ms`);
  row('raw read of components and edges', `${raw.readMs.toFixed(0)} ms`);
  for (const name of Object.keys(exports)) {
    row(`export ${name}`, `${(ms[name] ?? 0).toFixed(0)} ms`);
    row(`export ${name} / raw read`, ((ms[name] ?? 0) / raw.readMs).toFixed(1));
    row(`peak memory of the server at ${name}`, `${peaks[name]} MB`);
  }
  const rounded = Object.fromEntries(Object.entries(ms).map(([name, value]) => [name, Math.round(value)]));
  const summary = {
    ...{
      bench: 'sbom',
      components: COMPONENTS,
      import_ms: Math.round(imported.ms),
      again_ms: Math.round(again.ms),
      copy_ms: Math.round(raw.writeMs),
    },
    ...{ read_ms: Math.round(raw.readMs), ms: rounded, peak_mb: { import: Math.round(importPeakMb), ...peaks } },
    load: Number((os.loadavg()[0] ?? 0).toFixed(1)),
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
} finally {
  await owner.end();
  await server.stop();
}
