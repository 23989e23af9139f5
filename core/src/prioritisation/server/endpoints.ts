import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { can } from '../../platform/model/permissions.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import { listReferenceData, uploadReferenceData } from '../api/routes.ts';
import { FEED_SOURCES, FEED_TITLES, FeedError, type FeedSource } from '../model/feed-sources.ts';
import { enqueueRescores, nextCheck } from './feed-jobs.ts';
import { checkFeed, feedInUse, MAX_PACKED, replaceFeed } from './replace-feed.ts';
import { rescoringOf, rescoringOfAll } from './rescoring-progress.ts';
import { createSettingsEndpoints } from './settings/settings-endpoints.ts';

export interface ReferenceDependencies {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue'>;
  /** Feeds that the operator named. */
  addresses: ReadonlyMap<FeedSource, URL>;
}

interface CheckRow {
  checked_at: Date;
  failure: string | null;
}

const sourceItem = async (db: Db, source: FeedSource, hasFeed: boolean) => {
  const inUse = await feedInUse(db, source);
  const { rows } = await sql<CheckRow>`
    select checked_at, failure from reference_feed_checks where source = ${source}`.execute(db);
  const [check] = rows;
  return {
    _id: source,
    attributes: {
      title: FEED_TITLES[source],
      origin: inUse.origin,
      name: inUse.name,
      data_date: inUse.date,
      model: inUse.model,
      entries: inUse.entries,
      loaded_at: inUse.loadedAt?.toISOString() ?? null,
      has_feed: hasFeed,
      next_check_at: hasFeed ? nextCheck(check).toISOString() : null,
      checked_at: check?.checked_at.toISOString() ?? null,
      failure: check?.failure ?? null,
    },
  };
};

const readFile = async (request: AsyncIterable<unknown>): Promise<Buffer> => {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of request) {
    if (!(piece instanceof Uint8Array)) continue;
    size += piece.length;
    if (size > MAX_PACKED) {
      throw new AppError(
        'payload_too_large',
        `The file is larger than ${MAX_PACKED / 1024 / 1024} MB. Pack it with gzip.`,
      );
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

/** The day and source of public data, its replacement by a file, and how an organisation weighs it. */
export const createReferenceEndpoints = ({ database, jobs, addresses }: ReferenceDependencies): Endpoint[] => [
  callerEndpoint(listReferenceData)(async ({ caller }) => ({
    data: await database.forIdentity(async (db) => {
      const items = [];
      for (const source of FEED_SOURCES) items.push(await sourceItem(db, source, addresses.has(source)));
      return items;
    }),
    meta: {
      rescoring: can(caller.role, 'platform.write')
        ? await rescoringOfAll(database)
        : await rescoringOf(database, caller.clientId),
    },
  })),
  callerEndpoint(uploadReferenceData)(async ({ params, query, request, log }) => {
    const bytes = await readFile(request);
    const feed = await checkFeed(params.source, bytes).catch((error: unknown) => {
      throw error instanceof FeedError ? new AppError('report_malformed', error.message, { cause: error }) : error;
    });
    const isReplaced = await replaceFeed(database, feed, { origin: 'file', name: query.name ?? 'uploaded file' });
    log.info({ source: params.source, date: feed.date, entries: feed.entries, isReplaced }, 'reference data uploaded');
    await enqueueRescores({ database, jobs });
    return { success: true, data: { is_replaced: isReplaced, data_date: feed.date, entries: feed.entries } };
  }),
  ...createSettingsEndpoints(jobs),
];
