import { createHash } from 'node:crypto';
import { CompiledQuery, type Generated } from 'kysely';
import { RateLimiterPostgres, RateLimiterRes } from 'rate-limiter-flexible';
import { Type } from 'typebox';
import { AppError } from '../model/app-error.ts';
import { say } from '../model/sentence.ts';
import type { DatabaseHandle, Db } from './database.ts';
import { defineJob } from './jobs/define-job.ts';

/** Attempts of sign-ins and the like; the limiter's own format. */
interface RateLimitsTable {
  key: string;
  points: Generated<number>;
  /** Milliseconds since 1970. */
  expire: number | null;
}

declare module './database.ts' {
  interface Database {
    rate_limits: RateLimitsTable;
  }
}

/** What a plan may limit. */
export type LimitedKind = 'repositories' | 'uploads' | 'members';

/** What a plan allows. Commands ask before they add. The slice billing says it. */
export interface PlanLimits {
  /**
   * What the own transaction has added already counts; `adding` is what it adds besides.
   * @throws plan_limit where `adding` more of `kind` would pass what the client's plan allows
   */
  check(db: Db, request: { clientId: string; kind: LimitedKind; adding: number }): Promise<void>;
  /** How often a month (UTC) models may be asked for fixes and assessments; null: as often as one likes. The asking slice counts. */
  remediationsPerMonth(db: Db, request: { clientId: string }): Promise<number | null>;
}

/** Counts attempts per key, shared by all processes on one database. */
export interface AttemptLimiter {
  /** Counts one attempt before it is evaluated, so that parallel ones cannot slip through. @throws too_many_requests */
  take(key: string): Promise<void>;
  /** Takes one attempt back: it turned out to be right. */
  giveBack(key: string): Promise<void>;
  /** Starts the key afresh. */
  reset(key: string): Promise<void>;
}

export interface AttemptLimiterOptions {
  /** Tells limiters apart in their common table. */
  name: string;
  attempts: number;
  perSeconds: number;
}

/** The keys name people and addresses: only digests are stored. */
const digest = (key: string): string => createHash('sha256').update(key).digest('base64url');

interface LimiterStatement {
  text: string;
  values: readonly unknown[];
}

/** The library names its statements, which belong to a connection, and acts as whoever has logged in: here each is a transaction without a name. */
const storeOf = (database: DatabaseHandle) => ({
  query: ({ text, values }: LimiterStatement) =>
    database.forPlatform(async (db) => {
      const { rows, numAffectedRows } = await db.executeQuery(CompiledQuery.raw(text, [...values]));
      return { rows, rowCount: Number(numAffectedRows ?? rows.length) };
    }),
});

export const createAttemptLimiter = (database: DatabaseHandle, options: AttemptLimiterOptions): AttemptLimiter => {
  const limiter = new RateLimiterPostgres({
    storeClient: storeOf(database),
    storeType: 'client',
    tableName: 'rate_limits',
    tableCreated: true,
    // removeExpiredAttempts does it
    clearExpiredByTimeout: false,
    keyPrefix: options.name,
    points: options.attempts,
    duration: options.perSeconds,
  });
  return {
    take: async (key) => {
      try {
        await limiter.consume(digest(key));
      } catch (error) {
        if (!(error instanceof RateLimiterRes)) throw error;
        const retryAfterSeconds = Math.max(1, Math.ceil(error.msBeforeNext / 1000));
        throw new AppError(
          'too_many_requests',
          say('Too many attempts. Try again in {retryAfterSeconds} seconds.', { retryAfterSeconds }),
          {
            retryAfterSeconds,
          },
        );
      }
    },
    giveBack: async (key) => {
      await limiter.reward(digest(key));
    },
    reset: async (key) => {
      await limiter.delete(digest(key));
    },
  };
};

/** Removes what no longer counts. */
export const removeExpiredAttempts = defineJob({
  name: 'platform.remove-expired-attempts',
  input: Type.Object({}),
  retry: { limit: 5 },
  schedule: { cron: '41 * * * *' },
  run: async ({ database }: { database: DatabaseHandle }) => {
    await database.forPlatform((db) => db.deleteFrom('rate_limits').where('expire', '<', Date.now()).execute());
  },
});
