import { INVITED_ROLES, type InvitedRole } from '../../team/model/roles.ts';

export { INVITED_ROLES, type InvitedRole };

export const PROTOCOLS = ['oidc', 'saml'] as const;
export type Protocol = (typeof PROTOCOLS)[number];

/** Who belongs to the group has the role. */
export interface RoleRule {
  group: string;
  role: InvitedRole;
}

/** How long a sign-in may take at the identity provider, in seconds. */
export const SIGN_IN_SECONDS = 600;

/** Domains, rules and certificates that one organisation may name. */
export const MAXIMUM = { domains: 50, rules: 100, certificates: 5 } as const;

/**
 * The most powerful role that the groups give. Names of groups are compared exactly.
 * @returns nothing without rules: roles are given by hand then.
 */
export const roleOf = (
  groups: readonly string[],
  rules: readonly RoleRule[],
  defaultRole: InvitedRole,
): InvitedRole | undefined => {
  if (rules.length === 0) return undefined;
  const given = new Set(rules.filter(({ group }) => groups.includes(group)).map(({ role }) => role));
  return INVITED_ROLES.find((role) => given.has(role)) ?? defaultRole;
};

/** Addresses of this server that an identity provider asks for. */
export interface ServiceAddresses {
  redirectUri: string;
  entityId: string;
  acsUrl: string;
}

/** @param origin such as `https://breakwater.example.org` */
export const serviceAddresses = (origin: string, clientId: string): ServiceAddresses => {
  const entityId = `${origin}/api/v1/single-sign-on/saml/${clientId}`;
  return {
    redirectUri: `${origin}/login/single-sign-on/${clientId}`,
    entityId,
    acsUrl: `${entityId}/acs`,
  };
};
