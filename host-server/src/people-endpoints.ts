import { ACCOUNT_LIMITS, createAccountsEndpoints } from '@breakwater/core/accounts/server/index.ts';
import { handOverFindings } from '@breakwater/core/findings/server/index.ts';
import { createNotificationEndpoints } from '@breakwater/core/notifications/server/index.ts';
import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type { Endpoint } from '@breakwater/core/platform/server/endpoint.ts';
import type { JobQueue } from '@breakwater/core/platform/server/jobs/define-job.ts';
import { createDocumentSigner, type KeyRing, setupCodeOf } from '@breakwater/core/platform/server/key-ring.ts';
import { createAttemptLimiter, type PlanLimits } from '@breakwater/core/platform/server/limits.ts';
import { handOverRepositories } from '@breakwater/core/repositories/server/index.ts';
import { createSessionEndpoints, type LoginLimiters } from '@breakwater/core/session/server/index.ts';
import { createTeamEndpoints } from '@breakwater/core/team/server/index.ts';
import type pg from 'pg';

export interface PeopleParts {
  pool: pg.Pool;
  database: DatabaseHandle;
  jobs: JobQueue;
  keyRing: KeyRing;
  limits: PlanLimits;
  loginLimiters: LoginLimiters;
  /** Whether a mail server is configured. */
  sendsMail: boolean;
}

/** Sessions, accounts, the team, and what people are told. */
export const createPeopleEndpoints = (parts: PeopleParts): Endpoint[] => {
  const { pool, database, jobs, keyRing, sendsMail } = parts;
  return [
    ...createSessionEndpoints({
      database,
      limiters: parts.loginLimiters,
      devices: createDocumentSigner(keyRing, 'device'),
      setupCode: setupCodeOf(keyRing),
    }),
    ...createAccountsEndpoints({
      database,
      limiters: {
        recipient: createAttemptLimiter(pool, ACCOUNT_LIMITS.recipient),
        address: createAttemptLimiter(pool, ACCOUNT_LIMITS.address),
        oldPassword: createAttemptLimiter(pool, ACCOUNT_LIMITS.oldPassword),
      },
      sendsMail,
    }),
    ...createTeamEndpoints({
      database,
      limits: parts.limits,
      sendsMail,
      handovers: [handOverRepositories, handOverFindings(jobs)],
    }),
    ...createNotificationEndpoints(),
  ];
};
