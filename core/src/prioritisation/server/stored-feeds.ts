import { promisify } from 'node:util';
import { zstdDecompress } from 'node:zlib';
import { Type } from 'typebox';
import { Value } from 'typebox/value';
import { OneOf } from '../../platform/api/envelope.ts';
import { FEED_SOURCES, type FeedSource } from '../model/feed-sources.ts';

/** Runs one statement without parameters: on a transaction of the server, or on a worker's own connection. */
export type RunSql = (text: string) => Promise<{ rows: unknown[] }>;

/** Which file of a source is in use. */
export interface FeedKey {
  source: FeedSource;
  version: number;
  sha256: string;
}

const unpack = promisify(zstdDecompress);

const Keys = Type.Array(Type.Object({ source: OneOf(FEED_SOURCES), version: Type.Number(), sha256: Type.String() }));

/** The files in use, by source; none where the delivered data is. */
export const feedKeys = async (run: RunSql): Promise<FeedKey[]> => {
  const { rows } = await run('select source, version, sha256 from reference_feeds order by source');
  return Value.Parse(Keys, rows);
};

const contentOf = (row: unknown): Buffer => {
  if (typeof row === 'object' && row !== null && 'content' in row && Buffer.isBuffer(row.content)) return row.content;
  throw new Error('A file of reference data is gone');
};

/** The text of a stored file. */
export const readFeed = async (run: RunSql, source: FeedSource): Promise<string> => {
  const { rows } = await run(`select content from reference_feeds where source = '${source}'`);
  return (await unpack(contentOf(rows[0]))).toString('utf8');
};
