import { ACCOUNT_LIMITS, createAccountsEndpoints, requireProof } from '@breakwater/core/accounts/server/index.ts';
import { createAuditEndpoints } from '@breakwater/core/audit/server/index.ts';
import { handOverFindings, handOverViews } from '@breakwater/core/findings/server/index.ts';
import { type ChannelDeps, createNotificationEndpoints } from '@breakwater/core/notifications/server/index.ts';
import type { GivenProof } from '@breakwater/core/platform/api/proof.ts';
import type { DatabaseHandle, Db } from '@breakwater/core/platform/server/database.ts';
import type { Caller, Endpoint } from '@breakwater/core/platform/server/endpoint.ts';
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
import type { GoogleConfig } from './config.ts';
import { PERSONAL_DATA } from './personal-data.ts';

export interface PeopleParts {
  /** Where attempts are counted. */
  attempts: DatabaseHandle;
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

const secondFactorLimiters = (attempts: DatabaseHandle) => ({
  shortly: createAttemptLimiter(attempts, SECOND_FACTOR_LIMITS.shortly),
  daily: createAttemptLimiter(attempts, SECOND_FACTOR_LIMITS.daily),
});

/** What proves who asks for something that cannot be undone, counted as everywhere. */
export const proofOf = (attempts: DatabaseHandle, vault: Vault) => {
  const oldPassword = createAttemptLimiter(attempts, ACCOUNT_LIMITS.oldPassword);
  const deps = { vault, oldPassword, secondFactor: secondFactorLimiters(attempts) };
  return (db: Db, caller: Caller, given: GivenProof) => requireProof(db, deps, caller, given);
};

/** Sessions, accounts, the team, and what people are told. */
export const createPeopleEndpoints = (parts: PeopleParts): Endpoint[] => {
  const { attempts, database, jobs, keyRing, sendsMail, vault, google, avatarService } = parts;
  const handovers = [handOverRepositories, handOverFindings(jobs), handOverViews, forgetProfile];
  const secondFactor = secondFactorLimiters(attempts);
  const issuerDeps = { gate: parts.egress, allowPrivateHosts: parts.allowPrivateHosts };
  return [
    ...createSessionEndpoints({
      database,
      vault,
      limiters: parts.loginLimiters,
      secondFactor,
      devices: createDocumentSigner(keyRing, 'device'),
      setupCode: setupCodeOf(keyRing),
      signInOptions: { sends_mail: sendsMail },
      mayUsePassword: (user) => database.forClient(user.clientId, (db) => mayUsePassword(db, user)),
      google: google && createGoogle({ ...google, ...issuerDeps }),
      avatars: avatarService && createAvatarService({ gate: parts.egress, address: avatarService }),
      googleAttempts: createAttemptLimiter(attempts, GOOGLE_LIMIT),
    }),
    ...createAccountsEndpoints({
      database,
      limiters: {
        recipient: createAttemptLimiter(attempts, ACCOUNT_LIMITS.recipient),
        address: createAttemptLimiter(attempts, ACCOUNT_LIMITS.address),
        oldPassword: createAttemptLimiter(attempts, ACCOUNT_LIMITS.oldPassword),
      },
      sendsMail,
      vault,
      secondFactor,
      handovers,
      personalData: PERSONAL_DATA,
    }),
    ...createTeamEndpoints({
      database,
      limits: parts.limits,
      invitations: {
        recipient: createAttemptLimiter(attempts, INVITATION_LIMITS.recipient),
        organization: createAttemptLimiter(attempts, INVITATION_LIMITS.organization),
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
      attempts: createAttemptLimiter(attempts, SINGLE_SIGN_ON_LIMIT),
      origin: parts.origin,
      ...issuerDeps,
      proofKeyOf: (text) => proofKeyOf(keyRing, text),
    }),
    ...createNotificationEndpoints(parts.notificationChannels),
    ...createAuditEndpoints({ database }),
  ];
};
