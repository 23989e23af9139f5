import { sql } from 'kysely';
import { Type } from 'typebox';
import { defineJob, type JobQueue } from '../../platform/server/jobs/define-job.ts';
import { FEED_SOURCES, type FeedSource } from '../model/feeds.ts';
import { feedState, feedSubject, type RefreshDeps, refreshFeed, shownAddress } from './feeds/refresh-feed.ts';
import { rescoreClient } from './rescore.ts';

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
  ofDue: ({ clientId }) => ({ clientId }),
  run: ({ database }: Pick<FeedJobDeps, 'database'>, { data, signal }) =>
    rescoreClient(database, data.clientId, signal),
});

/** Enqueues the scoring of every client where none with the newest data has begun. @returns how many. */
export const enqueueRescores = async ({ database, jobs }: Pick<FeedJobDeps, 'database' | 'jobs'>): Promise<number> => {
  const { rows } = await database.forIdentity((db) =>
    sql<{ clientId: string }>`
      select c.id as "clientId" from clients c
      cross join (select max(version) as version from reference_feeds) newest
      left join job_state r on r.client_id = c.id and r.job = ${rescoreFindings.name}
      where newest.version is not null and coalesce((r.state->>'version')::bigint, 0) < newest.version
      order by c.id limit ${MAX_ENQUEUED}`.execute(db),
  );
  for (const { clientId } of rows) {
    await database.forClient(clientId, (db) => jobs.enqueue(db, rescoreFindings, { clientId }));
  }
  return rows.length;
};

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
  const due = await database.forIdentity(async (db) => {
    const sources: FeedSource[] = [];
    for (const source of FEED_SOURCES) {
      const address = addresses.get(source);
      if (address === undefined) continue;
      const check = await feedState.read(db, feedSubject(source));
      if (check?.isDue !== false || check.state.address !== shownAddress(address)) sources.push(source);
    }
    return sources;
  });
  for (const source of due) {
    await database.forIdentity((db) => jobs.enqueue(db, refreshReferenceData, { source }));
  }
  return due;
};

/** Finds feeds that are due, and clients whose findings have never been scored with the newest data. */
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
