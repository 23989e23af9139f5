import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom, to as copyTo } from 'pg-copy-streams';

/** Seconds that COPY needs for the rows of `findings` into a table with the same columns and all the same indexes, as their owner. */
export const measureRawCopy = async (databaseUrl: string): Promise<{ rows: number; seconds: number }> => {
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
