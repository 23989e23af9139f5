import { sql } from 'kysely';
import { Type } from 'typebox';
import { defineJob, type JobQueue } from '../../platform/server/jobs/define-job.ts';
import { FEED_SOURCES, type FeedSource } from '../model/feeds.ts';
import { type RefreshDeps, refreshFeed, shownAddress } from './feeds/refresh-feed.ts';
import { rescoreClient } from './rescore.ts';

const EVERY_HOURS = 24;
const AFTER_FAILURE_HOURS = 1;
const MAX_ENQUEUED = 200;

export interface FeedJobDeps extends RefreshDeps {
  jobs: Pick<JobQueue, 'enqueue'>;
}

/** Scores the findings of one client with the newest data. */
export const rescoreFindings = defineJob({
  name: 'reference.rescore',
  input: Type.Object({ clientId: Type.String() }),
  key: ({ clientId }) => clientId,
  retry: { limit: 5 },
  run: ({ database }: Pick<FeedJobDeps, 'database'>, { data, signal }) =>
    rescoreClient(database, data.clientId, signal),
});

/** Enqueues the scoring of every client whose findings have not been brought to the newest data. @returns how many. */
export const enqueueRescores = async ({ database, jobs }: Pick<FeedJobDeps, 'database' | 'jobs'>): Promise<number> => {
  const { rows } = await database.forIdentity((db) =>
    sql<{ clientId: string }>`
      select c.id as "clientId" from clients c
      cross join (select max(version) as version from reference_feeds) newest
      left join rescores r on r.client_id = c.id
      where newest.version is not null and (r.version is null or r.version < newest.version or r.finished_at is null)
      order by c.id limit ${MAX_ENQUEUED}`.execute(db),
  );
  for (const { clientId } of rows) {
    await database.forClient(clientId, (db) => jobs.enqueue(db, rescoreFindings, { clientId }));
  }
  return rows.length;
};

/** When a feed is asked next; one that was never asked is due. */
export const nextCheck = (last: { checked_at: Date; failure: string | null } | undefined): Date =>
  last === undefined
    ? new Date()
    : new Date(last.checked_at.getTime() + (last.failure === null ? EVERY_HOURS : AFTER_FAILURE_HOURS) * 3_600_000);

/** Asks one feed, and has findings scored with what it brings. */
export const refreshReferenceData = defineJob({
  name: 'reference.refresh',
  input: Type.Object({ source: Type.Enum(FEED_SOURCES) }),
  key: ({ source }) => source,
  retry: { limit: 5 },
  run: async (deps: FeedJobDeps, { data, signal }) => {
    await refreshFeed(deps, data.source, signal);
    await enqueueRescores(deps);
  },
});

/** Enqueues every feed that is due: daily, an hour after a failure, at once where its address is new. @returns which. */
export const enqueueDueFeeds = async (
  deps: Pick<FeedJobDeps, 'database' | 'addresses' | 'jobs'>,
): Promise<FeedSource[]> => {
  const { database, addresses, jobs } = deps;
  const { rows } = await database.forIdentity((db) =>
    sql<{ source: FeedSource; address: string; isFresh: boolean }>`
      select source, address,
        checked_at > now() - make_interval(hours => case when failure is null then ${EVERY_HOURS}::integer else ${AFTER_FAILURE_HOURS}::integer end)
          as "isFresh"
      from reference_feed_checks`.execute(db),
  );
  const due = FEED_SOURCES.filter((source) => {
    const address = addresses.get(source);
    if (address === undefined) return false;
    const check = rows.find((row) => row.source === source);
    return check?.isFresh !== true || check.address !== shownAddress(address);
  });
  for (const source of due) {
    await database.forIdentity((db) => jobs.enqueue(db, refreshReferenceData, { source }));
  }
  return due;
};

/** Finds feeds that are due, and clients whose findings are not scored with the newest data. */
export const findDueFeeds = defineJob({
  name: 'reference.due',
  input: Type.Object({}),
  retry: { limit: 0 },
  schedule: { everySeconds: 60 },
  run: async (deps: FeedJobDeps) => {
    await enqueueDueFeeds(deps);
    await enqueueRescores(deps);
  },
});
