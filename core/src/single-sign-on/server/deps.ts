import type { DatabaseHandle } from '../../platform/server/database.ts';
import type { AttemptLimiter, PlanLimits } from '../../platform/server/limits.ts';
import type { Vault } from '../../platform/server/vault.ts';
import type { OidcDeps } from './oidc/oidc-provider.ts';
import type { ScimDeps } from './scim/write-users.ts';

/** Sign-ins by single sign-on that one address may begin or end. */
export const SINGLE_SIGN_ON_LIMIT = { name: 'single-sign-on', attempts: 100, perSeconds: 300 } as const;

export interface SingleSignOnDeps extends OidcDeps, Pick<ScimDeps, 'handovers'> {
  database: DatabaseHandle;
  vault: Vault;
  limits: PlanLimits;
  /** By address of the caller. */
  attempts: AttemptLimiter;
  /** How people and providers reach this server: `https://breakwater.example.org`. */
  origin: string;
}
