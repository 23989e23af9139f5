import { sql } from 'kysely';
import { AppError } from '../../platform/model/app-error.ts';
import { can } from '../../platform/model/permissions.ts';
import { say } from '../../platform/model/sentence.ts';
import type { DatabaseHandle, Db } from '../../platform/server/database.ts';
import { callerEndpoint, type Endpoint } from '../../platform/server/endpoint.ts';
import type { JobQueue } from '../../platform/server/jobs/define-job.ts';
import { listReferenceData, uploadReferenceData } from '../api/routes.ts';
import { FEED_SOURCES, FEED_TITLES, FeedError, type FeedSource } from '../model/feeds.ts';
import { enqueueRescores, rescoreFindings } from './feed-jobs.ts';
import { feedState, feedSubject } from './feeds/refresh-feed.ts';
import { checkFeed, feedInUse, MAX_PACKED, replaceFeed } from './feeds/replace-feed.ts';
import { createSettingsEndpoints } from './settings/settings-endpoints.ts';

interface Progress {
  is_running: boolean;
  percentage: number;
}

const DONE: Progress = { is_running: false, percentage: 100 };

const shareOf = (done: number, all: number): number =>
  all <= 0 ? 0 : Math.min(99, Math.max(0, Math.floor((done / all) * 100)));

/** How far one organisation's findings are brought to the newest data, by the definitions that were gone through. */
export const rescoringOf = (database: DatabaseHandle, clientId: string): Promise<Progress> =>
  database.forClient(clientId, async (db) => {
    // indexes: primary keys
    const { rows } = await sql<{ isDone: boolean; after: string; last: string }>`
      select coalesce((r.state->>'version')::bigint = newest.version and r.due_at is null, false) as "isDone",
        coalesce(case when (r.state->>'version')::bigint = newest.version then r.state->>'after' end, '0') as after,
        (select coalesce(max(id), 0) from finding_definitions where client_id = ${clientId})::text as last
      from (select max(version) as version from reference_feeds) newest
      left join job_state r on r.client_id = ${clientId} and r.job = ${rescoreFindings.name}
      where newest.version is not null`.execute(db);
    const [row] = rows;
    if (row === undefined || row.isDone) return DONE;
    return { is_running: true, percentage: shareOf(Number(row.after), Number(row.last)) };
  });

/** How many organisations are done. */
export const rescoringOfAll = (database: DatabaseHandle): Promise<Progress> =>
  database.forIdentity(async (db) => {
    const { rows } = await sql<{ done: number; total: number }>`
      select count(*)::integer as total,
        count(*) filter (where (r.state->>'version')::bigint = newest.version and r.due_at is null)::integer as done
      from clients c
      cross join (select max(version) as version from reference_feeds) newest
      left join job_state r on r.client_id = c.id and r.job = ${rescoreFindings.name}
      where newest.version is not null`.execute(db);
    const { done, total } = rows[0] ?? { done: 0, total: 0 };
    return done === total ? DONE : { is_running: true, percentage: shareOf(done, total) };
  });

export interface ReferenceDependencies {
  database: DatabaseHandle;
  jobs: Pick<JobQueue, 'enqueue'>;
  /** Feeds that the operator named. */
  addresses: ReadonlyMap<FeedSource, URL>;
}

const sourceItem = async (db: Db, source: FeedSource, hasFeed: boolean) => {
  const inUse = await feedInUse(db, source);
  const check = await feedState.read(db, feedSubject(source));
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
      next_check_at: hasFeed ? (check?.dueAt ?? new Date()).toISOString() : null,
      checked_at: check?.state.checkedAt ?? null,
      failure: check?.state.failure ?? null,
    },
  };
};

/** Every source of public data, with its day. In `forIdentity`. */
export const readReferenceItems = async (db: Db, addresses: ReadonlyMap<FeedSource, URL>) => {
  const items = [];
  for (const source of FEED_SOURCES) items.push(await sourceItem(db, source, addresses.has(source)));
  return items;
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
        say('The file is larger than {most} MB. Pack it with gzip.', { most: MAX_PACKED / 1024 / 1024 }),
      );
    }
    pieces.push(piece);
  }
  return Buffer.concat(pieces);
};

/** The day and source of public data, its replacement by a file, and how an organisation weighs it. */
export const createReferenceEndpoints = ({ database, jobs, addresses }: ReferenceDependencies): Endpoint[] => [
  callerEndpoint(listReferenceData)(async ({ caller }) => ({
    data: await database.forIdentity((db) => readReferenceItems(db, addresses)),
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
