import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { gunzip, zstdCompress } from 'node:zlib';
import { sql } from 'kysely';
import { msg } from '../../../platform/model/message.ts';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { DatabaseHandle, Db } from '../../../platform/server/database.ts';
import { FeedError, type FeedSource } from '../../model/feeds.ts';
import { parseKev } from '../../model/kev-file.ts';
import { deliveredData, parseEpss } from './reference-data.ts';

/** A file as it came, packed. The real ones have 3 MB. */
export const MAX_PACKED = 64 * 1024 * 1024;
const MAX_UNPACKED = 128 * 1024 * 1024;

/** A file that was read whole and may replace what is in use. */
export interface CheckedFeed {
  source: FeedSource;
  bytes: Buffer;
  date: string;
  model: string | undefined;
  entries: number;
}

const unpackGzip = promisify(gunzip);
const pack = promisify(zstdCompress);

const unpacked = async (bytes: Buffer): Promise<Buffer> => {
  if (bytes.length === 0) throw new FeedError(msg('The file is empty.'));
  if (bytes[0] !== 0x1f || bytes[1] !== 0x8b) return bytes;
  try {
    return await unpackGzip(bytes, { maxOutputLength: MAX_UNPACKED });
  } catch (error) {
    const isTooLarge = error instanceof Error && 'code' in error && error.code === 'ERR_BUFFER_TOO_LARGE';
    throw new FeedError(
      isTooLarge
        ? sayEnglish('Unpacked it is larger than {most} MB.', { most: MAX_UNPACKED / 1024 / 1024 })
        : msg('It cannot be unpacked: the file is not whole, or not gzip.'),
    );
  }
};

/** Unpacks a file and reads all of it. @throws FeedError that says why it cannot be used. */
export const checkFeed = async (source: FeedSource, packed: Buffer): Promise<CheckedFeed> => {
  const bytes = await unpacked(packed);
  const text = bytes.toString('utf8');
  if (source === 'epss') {
    const { date, model, size } = await parseEpss(text);
    return { source, bytes, date, model, entries: size };
  }
  const { date, entries } = parseKev(text);
  return { source, bytes, date, model: undefined, entries: entries.size };
};

/** What is in use of one source. */
export interface FeedInUse {
  origin: 'delivered' | 'feed' | 'file';
  name: string;
  date: string;
  model: string | null;
  entries: number;
  loadedAt: Date | null;
  sha256: string;
}

interface StoredFeed {
  origin: 'feed' | 'file';
  name: string;
  data_date: string;
  model: string | null;
  entries: number;
  loaded_at: Date;
  sha256: string;
}

/** The data of a source that findings are scored with. */
export const feedInUse = async (db: Db, source: FeedSource): Promise<FeedInUse> => {
  const { rows } = await sql<StoredFeed>`
    select origin, name, data_date, model, entries, loaded_at, sha256 from reference_feeds where source = ${source}`.execute(
    db,
  );
  const [row] = rows;
  if (row !== undefined) return { ...row, date: row.data_date, loadedAt: row.loaded_at };
  const { epss, kev } = await deliveredData();
  const delivered = { origin: 'delivered', loadedAt: null, sha256: '' } as const;
  return source === 'epss'
    ? { ...delivered, name: 'epss-kev-subset.csv', date: epss.date, model: epss.model ?? null, entries: epss.size }
    : { ...delivered, name: 'kev.json', date: kev.date, model: null, entries: kev.entries.size };
};

/** Puts a checked file in the place of what is in use, at once and for all. @returns false where it is the same file. */
export const replaceFeed = async (
  database: DatabaseHandle,
  feed: CheckedFeed,
  from: { origin: 'feed' | 'file'; name: string },
): Promise<boolean> => {
  const sha256 = createHash('sha256').update(feed.bytes).digest('hex');
  const content = await pack(feed.bytes);
  return database.forIdentity(async (db) => {
    // versions grow in the order of their commits
    await sql`lock table reference_feeds in share row exclusive mode`.execute(db);
    const stored = await sql`
      insert into reference_feeds as t (source, version, origin, name, data_date, model, entries, sha256, content)
      select ${feed.source}::text, coalesce(max(version), 0) + 1, ${from.origin}::text, ${from.name}::text, ${feed.date}::text, ${feed.model ?? null}::text,
        ${feed.entries}::integer, ${sha256}, ${content}::bytea from reference_feeds
      on conflict (source) do update
      set version = excluded.version, origin = excluded.origin, name = excluded.name, data_date = excluded.data_date,
        model = excluded.model, entries = excluded.entries, sha256 = excluded.sha256, content = excluded.content, loaded_at = now()
      where t.sha256 <> excluded.sha256`.execute(db);
    return (stored.numAffectedRows ?? 0n) > 0n;
  });
};
