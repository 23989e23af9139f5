import { ConnectorError } from '@breakwater/sdk';
import type { EgressGate } from '@breakwater/sdk/host';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import { sayEnglish } from '../../../platform/model/translator.ts';
import type { DatabaseHandle } from '../../../platform/server/database.ts';
import { defineJobState } from '../../../platform/server/jobs/job-state.ts';
import { FEED_TITLES, FeedError, type FeedSource } from '../../model/feeds.ts';
import { fetchFeed, type Known } from './fetch-feed.ts';
import { type CheckedFeed, checkFeed, type FeedInUse, feedInUse, replaceFeed } from './replace-feed.ts';

export interface RefreshDeps {
  database: DatabaseHandle;
  gate: EgressGate;
  log: Logger;
  /** Addresses that the operator set; a source without one keeps what it has. */
  addresses: ReadonlyMap<FeedSource, URL>;
}

/** A feed does not lose half its entries in a day: such a file is cut off. */
const LEAST_SHARE = 0.5;

/** Without the query, which may hold a key. */
export const shownAddress = (url: URL): string => `${url.origin}${url.pathname}`;

/** What came of asking a feed last. `job_state.due_at` says when it is asked next. */
export const feedState = defineJobState(
  'reference.refresh',
  Type.Object({
    address: Type.String(),
    checkedAt: Type.String(),
    /** Why nothing was replaced. */
    failure: Type.Union([Type.String(), Type.Null()]),
    etag: Type.Union([Type.String(), Type.Null()], { default: null }),
    lastModified: Type.Union([Type.String(), Type.Null()], { default: null }),
  }),
);

/** Feeds are the same for every client. */
export const feedSubject = (source: FeedSource) => ({ clientId: null, key: source });

const EVERY_HOURS = 24;
const AFTER_FAILURE_HOURS = 1;

const readKnown = (database: DatabaseHandle, source: FeedSource, name: string): Promise<Known | undefined> =>
  database.forIdentity(async (db) => {
    const check = await feedState.read(db, feedSubject(source));
    const inUse = await feedInUse(db, source);
    // what somebody uploaded since is replaced again, even where the feed did not change
    return inUse.origin === 'feed' && inUse.name === name && check?.state.address === name ? check.state : undefined;
  });

interface Check {
  source: FeedSource;
  address: string;
  failure: string | null;
  /** Nothing: as before. */
  known?: Known;
}

const writeCheck = (database: DatabaseHandle, { source, address, failure, known }: Check): Promise<void> =>
  database.forIdentity((db) =>
    feedState.schedule(db, feedSubject(source), {
      inSeconds: (failure === null ? EVERY_HOURS : AFTER_FAILURE_HOURS) * 3600,
      change: {
        ...{ address, failure, checkedAt: new Date().toISOString() },
        ...(known === undefined ? {} : { etag: known.etag, lastModified: known.lastModified }),
      },
    }),
  );

const refuseStale = (next: CheckedFeed, inUse: FeedInUse): void => {
  if (next.date < inUse.date)
    throw new FeedError(
      sayEnglish('It is of {date}, older than the data in use ({newest}).', { date: next.date, newest: inUse.date }),
    );
  if (inUse.origin === 'feed' && next.entries < inUse.entries * LEAST_SHARE) {
    throw new FeedError(
      sayEnglish('It holds {entries} entries, and the data in use {known}: it seems to be cut off.', {
        entries: next.entries,
        known: inUse.entries,
      }),
    );
  }
};

const reasonOf = (error: unknown): string => {
  if (error instanceof FeedError || error instanceof ConnectorError) return error.message;
  const code = error instanceof Error && 'code' in error && typeof error.code === 'string' ? ` (${error.code})` : '';
  return sayEnglish('The feed could not be read{code}.', { code });
};

/** Asks one feed and replaces the data where it has a newer file. A failure is kept with its reason and changes nothing. @returns whether data was replaced. */
export const refreshFeed = async (deps: RefreshDeps, source: FeedSource, signal: AbortSignal): Promise<boolean> => {
  const { database, gate, log } = deps;
  const address = deps.addresses.get(source);
  if (address === undefined) return false;
  const name = shownAddress(address);
  try {
    const setting = `${source.toUpperCase()}_FEED_URL`;
    const known = await readKnown(database, source, name);
    const answer = await fetchFeed({ gate, address, setting, known, signal });
    if (!answer.isNew) {
      await writeCheck(database, { source, address: name, failure: null });
      return false;
    }
    const next = await checkFeed(source, answer.bytes);
    refuseStale(next, await database.forIdentity((db) => feedInUse(db, source)));
    const isReplaced = await replaceFeed(database, next, { origin: 'feed', name });
    await writeCheck(database, { source, address: name, failure: null, known: answer });
    if (isReplaced) log.info({ source, date: next.date, entries: next.entries }, 'reference data replaced');
    return isReplaced;
  } catch (error) {
    if (signal.aborted) throw error;
    const failure = reasonOf(error);
    await writeCheck(database, { source, address: name, failure });
    log.warn({ source, address: name, failure, err: error }, `${FEED_TITLES[source]} feed changes nothing`);
    return false;
  }
};
