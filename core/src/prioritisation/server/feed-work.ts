import { sql } from 'kysely';
import type { DatabaseHandle } from '../../platform/server/database.ts';
import type { JobQueue } from '../../platform/server/jobs.ts';
import { type Sweep, startSweep } from '../../platform/server/sweep.ts';
import { FEED_JOB, RESCORE_JOB } from '../model/feed-jobs.ts';
import { FEED_SOURCES, type FeedSource } from '../model/feed-sources.ts';
import { type RefreshDeps, refreshFeed, shownAddress } from './refresh-feed.ts';
import { rescoreClient } from './rescore.ts';
import { startSettingsWork, sweepSettings } from './settings/settings-work.ts';

const EVERY_HOURS = 24;
const AFTER_FAILURE_HOURS = 1;
const SWEEP_EVERY_MS = 60_000;
const MAX_AT_ONCE = 200;

export interface FeedWorkDeps extends RefreshDeps {
  jobs: Pick<JobQueue, 'enqueue' | 'work'>;
}

/** Orders the scoring of every client whose findings have not been brought to the newest data. @returns how many. */
export const sweepRescores = async (database: DatabaseHandle, jobs: Pick<JobQueue, 'enqueue'>): Promise<number> => {
  const { rows } = await database.forIdentity((db) =>
    sql<{ clientId: string }>`
      select c.id as "clientId" from clients c
      cross join (select max(version) as version from reference_feeds) newest
      left join rescores r on r.client_id = c.id
      where newest.version is not null and (r.version is null or r.version < newest.version or r.finished_at is null)
      order by c.id limit ${MAX_AT_ONCE}`.execute(db),
  );
  for (const { clientId } of rows) {
    await database.forClient(clientId, (db) => jobs.enqueue(db, RESCORE_JOB, { clientId }, { singletonKey: clientId }));
  }
  return rows.length;
};

/** When a feed is asked next; one that was never asked is due. */
export const nextCheck = (last: { checked_at: Date; failure: string | null } | undefined): Date =>
  last === undefined
    ? new Date()
    : new Date(last.checked_at.getTime() + (last.failure === null ? EVERY_HOURS : AFTER_FAILURE_HOURS) * 3_600_000);

/** Orders every feed that is due: daily, an hour after a failure, at once where its address is new. @returns which. */
export const sweepFeeds = async (
  deps: Pick<FeedWorkDeps, 'database' | 'addresses' | 'jobs'>,
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
    await database.forIdentity((db) => jobs.enqueue(db, FEED_JOB, { source }, { singletonKey: source }));
  }
  return due;
};

/** Takes the jobs of feeds and of scoring, and looks every minute for what is due. */
export const startFeedWork = async (deps: FeedWorkDeps): Promise<Sweep> => {
  const { database, jobs } = deps;
  await jobs.work<{ source: FeedSource }>(
    FEED_JOB,
    async ({ data, signal }) => {
      await refreshFeed(deps, data.source, signal);
      await sweepRescores(database, jobs);
    },
    { concurrency: 1 },
  );
  await jobs.work<{ clientId: string }>(
    RESCORE_JOB,
    ({ data, signal }) => rescoreClient(database, data.clientId, signal),
    {
      concurrency: 1,
    },
  );
  await startSettingsWork(deps);
  const sweep = async (): Promise<void> => {
    try {
      await sweepSettings(database, jobs);
      await sweepFeeds(deps);
      await sweepRescores(database, jobs);
    } catch (error) {
      deps.log.warn({ err: error }, 'sweep of feeds');
    }
  };
  return startSweep(sweep, SWEEP_EVERY_MS);
};
