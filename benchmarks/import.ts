import os from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { type ApiClient, signIn } from './api-client.ts';
import { generateOpengrep, type ReportShape } from './generate-opengrep.ts';
import { type MeasuredServer, startMeasuredServer } from './measured-server.ts';

/** Seconds that COPY needs for the rows of `findings` into a table with the same columns and all the same indexes, as their owner. */
const measureRawCopy = async (databaseUrl: string): Promise<{ rows: number; seconds: number }> => {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const columns = await client.query<{ list: string }>(
      `select string_agg(quote_ident(column_name), ', ' order by ordinal_position) as list from information_schema.columns
       where table_schema = 'public' and table_name = 'findings' and is_generated = 'NEVER'`,
    );
    const list = columns.rows[0]?.list ?? '';
    const lines: Buffer[] = [];
    await pipeline(client.query(copyTo(`copy findings (${list}) to stdout`)), async (source: AsyncIterable<Buffer>) => {
      for await (const piece of source) lines.push(piece);
    });
    await client.query('create table copied_findings (like findings including all)');
    const start = performance.now();
    const stream = client.query(copyFrom(`copy copied_findings (${list}) from stdin`));
    await pipeline(Readable.from(lines), stream);
    const seconds = (performance.now() - start) / 1000;
    await client.query('drop table copied_findings');
    return { rows: stream.rowCount, seconds };
  } finally {
    await client.end();
  }
};

const SIZES = process.argv[2] === undefined ? [10_000, 50_000] : process.argv.slice(2).map(Number);

const reportOf = (shape: ReportShape): Blob => new Blob([...generateOpengrep(shape)], { type: 'application/json' });
/** Other bytes, equal findings. */
const withOtherHeader = async (report: Blob): Promise<Blob> =>
  new Blob([(await report.text()).replace('"version":"1.93.0"', '"version":"1.94.1"')], { type: 'application/json' });

const row = (name: string, value: string): void => {
  process.stdout.write(`${name.padEnd(52)}${value.padStart(12)}\n`);
};
const perSecond = (count: number, ms: number): number => Math.round((count * 1000) / ms);

interface Case {
  name: string;
  report: Blob;
  /** What became of the results; anything else is an error of the product or of the benchmark. */
  expected: Partial<Awaited<ReturnType<ApiClient['upload']>>['counts']>;
}

const casesOf = async (results: number): Promise<Case[]> => {
  const report = reportOf({ results });
  const percent = Math.floor(results / 100);
  const kept = { new: 0, closed: 0, unchanged: results };
  return [
    { name: 'first', report, expected: { new: results, closed: 0 } },
    { name: 'again', report, expected: kept },
    { name: 'again_other_bytes', report: await withOtherHeader(report), expected: kept },
    { name: 'edited', report: reportOf({ results, isEdited: true }), expected: { new: percent, closed: percent } },
    { name: 'moved', report: reportOf({ results, isEdited: true, shift: 3 }), expected: kept },
    { name: 'moved_20', report: reportOf({ results, isEdited: true, shift: 23 }), expected: kept },
  ];
};

/** The server writes them down a moment after it has answered. */
const phasesOf = async (server: MeasuredServer): Promise<Record<string, number>> => {
  for (;;) {
    const { phases } = await server.measure();
    if (Object.keys(phases).length > 0) return phases;
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

const measureCase = async (
  { server, api, repository }: { server: MeasuredServer; api: ApiClient; repository: string },
  { name, report, expected }: Case,
) => {
  await server.reset();
  const { counts, ms } = await api.upload(repository, 'opengrep', report);
  for (const [key, value] of Object.entries(expected)) {
    if (Object.entries(counts).find(([of]) => of === key)?.[1] !== value)
      throw new Error(`${name}: expected ${JSON.stringify(expected)}, met ${JSON.stringify(counts)}`);
  }
  const { loopP99Ms, loopMaxMs, peakMb } = await server.measure();
  const phases = await phasesOf(server);
  row(`${name}, findings per second`, String(perSecond(counts.total, ms)));
  row('  peak memory of the server', `${Math.round(peakMb)} MB`);
  row('  event loop of the server, p99 and worst', `${loopP99Ms.toFixed(1)}, ${loopMaxMs.toFixed(1)} ms`);
  row('  new, unchanged, closed', `${counts.new}, ${counts.unchanged}, ${counts.closed}`);
  const parts = Object.entries(phases).map(([part, spent]) => `${part} ${spent}`);
  process.stdout.write(
    `  ms: ${parts.join(', ')}; upload and the rest ${Math.round(ms - sum(Object.values(phases)))}\n`,
  );
  return { perSecond: perSecond(counts.total, ms), peakMb: Math.round(peakMb), loopP99Ms };
};

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const measureSize = async (results: number): Promise<void> => {
  const server = await startMeasuredServer();
  try {
    const api = await signIn(server.url);
    // a server at work has its thread and plans warm
    await api.upload(await api.addRepository('warm-up'), 'opengrep', reportOf({ results: 200 }));
    const repository = await api.addRepository('measured');
    process.stdout.write(`\n${results} results\n`);
    const figures: Record<string, number> = {};
    let copyRate = 0;
    for (const one of await casesOf(results)) {
      const measured = await measureCase({ server, api, repository }, one);
      figures[`${one.name}_per_s`] = measured.perSecond;
      figures[`${one.name}_peak_mb`] = measured.peakMb;
      figures.loop_p99_ms = Math.max(figures.loop_p99_ms ?? 0, Number(measured.loopP99Ms.toFixed(1)));
      if (copyRate === 0) {
        // at once, so that both meet the same load of the machine
        const copy = await measureRawCopy(server.databaseUrl);
        copyRate = Math.round(copy.rows / copy.seconds);
        row('raw COPY into the same indexes, rows per second', String(copyRate));
        row('first import / raw COPY', (measured.perSecond / copyRate).toFixed(2));
        figures.copy_per_s = copyRate;
        figures.copy_ratio = Number((measured.perSecond / copyRate).toFixed(3));
      }
    }
    const load = Number((os.loadavg()[0] ?? 0).toFixed(1));
    process.stdout.write(`${JSON.stringify({ bench: 'import', results, ...figures, load })}\n`);
  } finally {
    await server.stop();
  }
};

for (const results of SIZES) await measureSize(results);
