import os from 'node:os';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';
import { signIn } from './api-client.ts';
import { generateOpengrep, type ReportShape } from './generate-opengrep.ts';
import { startMeasuredServer } from './measured-server.ts';

const RESULTS = Number(process.argv[2] ?? 50_000);

const reportOf = (shape: ReportShape): Blob => new Blob([...generateOpengrep(shape)], { type: 'application/json' });

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

const row = (name: string, value: string): void => {
  process.stdout.write(`${name.padEnd(44)}${value.padStart(16)}\n`);
};
const perSecond = (count: number, ms: number): number => Math.round((count * 1000) / ms);

const server = await startMeasuredServer();
try {
  const api = await signIn(server.url);
  // a server at work has its thread and plans warm
  await api.upload(await api.addRepository('warm-up'), 'opengrep', reportOf({ results: 200 }));
  const repository = await api.addRepository('measured');
  const report = reportOf({ results: RESULTS });
  await server.reset();
  const first = await api.upload(repository, 'opengrep', report);
  const measured = await server.measure();
  // at once, so that both meet the same load of the machine
  const copy = await measureRawCopy(server.databaseUrl);
  const again = await api.upload(repository, 'opengrep', report);
  const moved = await api.upload(repository, 'opengrep', reportOf({ results: RESULTS, shift: 3 }));
  const edited = await api.upload(repository, 'opengrep', reportOf({ results: RESULTS, shift: 3, isEdited: true }));
  const changed = Math.floor(RESULTS / 100);
  if (edited.counts.new !== changed || edited.counts.closed !== changed) {
    throw new Error(`Wrong counts after the edit: ${JSON.stringify(edited.counts)}`);
  }
  if (first.counts.new !== RESULTS || again.counts.new + moved.counts.new + moved.counts.closed !== 0) {
    throw new Error(`Wrong counts: ${JSON.stringify([first.counts, again.counts, moved.counts])}`);
  }
  const rate = perSecond(first.counts.total, first.ms);
  const copyRate = Math.round(copy.rows / copy.seconds);
  row('report', `${(report.size / 1e6).toFixed(1)} MB`);
  row('results', String(RESULTS));
  row('import, upload to done', `${(first.ms / 1000).toFixed(2)} s`);
  row('findings per second', String(rate));
  row('raw COPY into the same indexes, rows per second', String(copyRate));
  row('import / raw COPY', (rate / copyRate).toFixed(2));
  row('the same report again, per second', String(perSecond(RESULTS, again.ms)));
  row('every line moved, per second', String(perSecond(RESULTS, moved.ms)));
  row('1 % gone, 1 % new, 5 % moved, per second', String(perSecond(RESULTS, edited.ms)));
  row('load average when it ended', (os.loadavg()[0] ?? 0).toFixed(1));
  row('event loop of the server, p99', `${measured.loopP99Ms.toFixed(1)} ms`);
  row('event loop of the server, worst', `${measured.loopMaxMs.toFixed(1)} ms`);
  row('peak memory of the server', `${Math.round(measured.peakMb)} MB`);
  const summary = {
    bench: 'import',
    results: RESULTS,
    findings_per_s: rate,
    copy_per_s: copyRate,
    copy_ratio: Number((rate / copyRate).toFixed(3)),
    again_per_s: perSecond(RESULTS, again.ms),
    moved_per_s: perSecond(RESULTS, moved.ms),
    edited_per_s: perSecond(RESULTS, edited.ms),
    load: Number((os.loadavg()[0] ?? 0).toFixed(1)),
    loop_p99_ms: Number(measured.loopP99Ms.toFixed(1)),
    peak_mb: Math.round(measured.peakMb),
  };
  process.stdout.write(`${JSON.stringify(summary)}\n`);
} finally {
  await server.stop();
}
