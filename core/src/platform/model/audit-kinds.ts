/** Every kind of entry of the audit log, with what a list calls it. What stands before the dot groups them. */
export const AUDIT_KINDS = {
  'sign-in.succeeded': 'Signed in',
  'sign-in.failed': 'Sign-in failed',
  'sign-in.ended': 'Signed out',
  'sign-in.revoked': 'Sessions ended',
  'account.created': 'Organisation registered',
  'account.changed': 'Profile changed',
  'account.password-changed': 'Password changed',
  'account.password-reset': 'Password reset',
  'account.two-factor-enabled': 'Two-factor enabled',
  'account.two-factor-disabled': 'Two-factor disabled',
  'team.invited': 'Person invited',
  'team.joined': 'Invitation accepted',
  'team.changed': 'Role changed',
  'team.removed': 'Person removed',
  'team.synchronized': 'Person changed by the identity provider',
  'findings.decided': 'Findings changed in bulk',
  'findings.assessed': 'Findings shown to a model',
  'findings.undone': 'Change of findings undone',
  'connector.configured': 'Connector configured',
  'connector.authorized': 'Connector authorised',
  'connector.switched': 'Connector switched on or off',
  'connector.released': 'Connector released from quarantine',
  'connector.removed': 'Connector removed',
  'connector.settings-changed': 'Settings of a repository changed at its provider',
  'token.made': 'API token made',
  'token.revoked': 'API token revoked',
  'settings.changed': 'Settings changed',
  'billing.plan-changed': 'Plan changed',
  'billing.checkout-opened': 'Checkout opened',
  'data.exported': 'Data exported',
  'data.removed': 'Data removed',
  'superadmin.read': 'Read by a superadmin',
  'superadmin.changed': 'Platform changed by a superadmin',
} as const satisfies Record<string, string>;
export type AuditKind = keyof typeof AUDIT_KINDS;

const isAuditKind = (name: string): name is AuditKind => Object.hasOwn(AUDIT_KINDS, name);

export const AUDIT_KIND_NAMES: readonly AuditKind[] = Object.keys(AUDIT_KINDS).filter(isAuditKind);

/** Groups of kinds by what stands before the dot, as a filter offers them. */
export const AUDIT_GROUPS = [
  { id: 'sign-in', label: 'Sign-in' },
  { id: 'account', label: 'Accounts' },
  { id: 'team', label: 'Team' },
  { id: 'findings', label: 'Findings' },
  { id: 'connector', label: 'Connectors' },
  { id: 'token', label: 'API tokens' },
  { id: 'settings', label: 'Settings' },
  { id: 'billing', label: 'Billing' },
  { id: 'data', label: 'Data' },
  { id: 'superadmin', label: 'Superadmins' },
] as const;
export type AuditGroup = (typeof AUDIT_GROUPS)[number]['id'];

/** What a list calls a kind; one of a later release by its name. */
export const auditLabel = (kind: string): string => (isAuditKind(kind) ? AUDIT_KINDS[kind] : kind);

/** Who acts: a person, a machine with a token, a superadmin from outside, who runs the installation, or the product itself. */
export const ACTOR_TYPES = ['person', 'token', 'superadmin', 'operator', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];
