import { ACCOUNT_LIMITS, createAccountsEndpoints } from '@breakwater/core/accounts/server/index.ts';
import { createAuditEndpoints } from '@breakwater/core/audit/server/index.ts';
import { handOverFindings, handOverViews } from '@breakwater/core/findings/server/index.ts';
import { type ChannelDeps, createNotificationEndpoints } from '@breakwater/core/notifications/server/index.ts';
import type { DatabaseHandle } from '@breakwater/core/platform/server/database.ts';
import type { Endpoint } from '@breakwater/core/platform/server/endpoint.ts';
import type { JobQueue } from '@breakwater/core/platform/server/jobs/define-job.ts';
import {
  createDocumentSigner,
  type KeyRing,
  proofKeyOf,
  setupCodeOf,
} from '@breakwater/core/platform/server/key-ring.ts';
import { createAttemptLimiter, type PlanLimits } from '@breakwater/core/platform/server/limits.ts';
import type { Vault } from '@breakwater/core/platform/server/vault.ts';
import { handOverRepositories } from '@breakwater/core/repositories/server/index.ts';
import {
  createAvatarService,
  createGoogle,
  createSessionEndpoints,
  forgetProfile,
  GOOGLE_LIMIT,
  type LoginLimiters,
  SECOND_FACTOR_LIMITS,
} from '@breakwater/core/session/server/index.ts';
import {
  createSingleSignOnEndpoints,
  mayUsePassword,
  SINGLE_SIGN_ON_LIMIT,
} from '@breakwater/core/single-sign-on/server/index.ts';
import { createTeamEndpoints, INVITATION_LIMITS } from '@breakwater/core/team/server/index.ts';
import type { EgressGate } from '@breakwater/sdk/host';
import type pg from 'pg';
import type { GoogleConfig } from './config.ts';

export interface PeopleParts {
  pool: pg.Pool;
  database: DatabaseHandle;
  jobs: JobQueue;
  keyRing: KeyRing;
  limits: PlanLimits;
  loginLimiters: LoginLimiters;
  vault: Vault;
  /** Whether a mail server is configured. */
  sendsMail: boolean;
  /** By which identity providers are asked. */
  egress: EgressGate;
  allowPrivateHosts: boolean;
  /** How people reach this server. */
  origin: string;
  /** Nothing where people do not sign in by Google. */
  google: GoogleConfig | undefined;
  /** Channels in which an organisation is told what happens. */
  notificationChannels: ChannelDeps;
  /** Address of the service that has pictures of people; nothing where none is asked. */
  avatarService: URL | undefined;
}

/** Sessions, accounts, the team, and what people are told. */
export const createPeopleEndpoints = (parts: PeopleParts): Endpoint[] => {
  const { pool, database, jobs, keyRing, sendsMail, vault, google, avatarService } = parts;
  const handovers = [handOverRepositories, handOverFindings(jobs), handOverViews, forgetProfile];
  const issuerDeps = { gate: parts.egress, allowPrivateHosts: parts.allowPrivateHosts };
  return [
    ...createSessionEndpoints({
      database,
      vault,
      limiters: parts.loginLimiters,
      secondFactor: {
        shortly: createAttemptLimiter(pool, SECOND_FACTOR_LIMITS.shortly),
        daily: createAttemptLimiter(pool, SECOND_FACTOR_LIMITS.daily),
      },
      devices: createDocumentSigner(keyRing, 'device'),
      setupCode: setupCodeOf(keyRing),
      signInOptions: { sends_mail: sendsMail },
      mayUsePassword: (user) => database.forClient(user.clientId, (db) => mayUsePassword(db, user)),
      google: google && createGoogle({ ...google, ...issuerDeps }),
      avatars: avatarService && createAvatarService({ gate: parts.egress, address: avatarService }),
      googleAttempts: createAttemptLimiter(pool, GOOGLE_LIMIT),
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
      invitations: {
        recipient: createAttemptLimiter(pool, INVITATION_LIMITS.recipient),
        organization: createAttemptLimiter(pool, INVITATION_LIMITS.organization),
      },
      sendsMail,
      vault,
      handovers,
    }),
    ...createSingleSignOnEndpoints({
      database,
      vault,
      limits: parts.limits,
      handovers,
      attempts: createAttemptLimiter(pool, SINGLE_SIGN_ON_LIMIT),
      origin: parts.origin,
      ...issuerDeps,
      proofKeyOf: (text) => proofKeyOf(keyRing, text),
    }),
    ...createNotificationEndpoints(parts.notificationChannels),
    ...createAuditEndpoints({ database }),
  ];
};
