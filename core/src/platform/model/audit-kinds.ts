import { msg } from './message.ts';
/** Every kind of entry of the audit log, with what a list calls it. What stands before the dot groups them. */
export const AUDIT_KINDS = {
  'sign-in.succeeded': msg('Signed in'),
  'sign-in.failed': msg('Sign-in failed'),
  'sign-in.ended': msg('Signed out'),
  'sign-in.revoked': msg('Sessions ended'),
  'account.created': msg('Organisation registered'),
  'account.changed': msg('Profile changed'),
  'account.password-changed': msg('Password changed'),
  'account.password-reset': msg('Password reset'),
  'account.exported': msg('Own data downloaded'),
  'account.deleted': msg('Account deleted'),
  'account.two-factor-enabled': msg('Two-factor enabled'),
  'account.two-factor-disabled': msg('Two-factor disabled'),
  'team.invited': msg('Person invited'),
  'team.joined': msg('Invitation accepted'),
  'team.changed': msg('Role changed'),
  'team.removed': msg('Person removed'),
  'team.synchronized': msg('Person changed by the identity provider'),
  'findings.decided': msg('Findings changed in bulk'),
  'findings.assessed': msg('Findings shown to a model'),
  'findings.undone': msg('Change of findings undone'),
  'connector.configured': msg('Connector configured'),
  'connector.authorized': msg('Connector authorised'),
  'connector.switched': msg('Connector switched on or off'),
  'connector.released': msg('Connector released from quarantine'),
  'connector.removed': msg('Connector removed'),
  'connector.tested': msg('Draft of a connector tested'),
  'connector.published': msg('Connector published'),
  'connector.unpublished': msg('Connector unpublished'),
  'connector.added': msg('Published connector added'),
  'connector.dropped': msg('Published connector taken out'),
  'connector.settings-changed': msg('Settings of a repository changed at its provider'),
  'token.made': msg('API token made'),
  'token.revoked': msg('API token revoked'),
  'settings.changed': msg('Settings changed'),
  'billing.plan-changed': msg('Plan changed'),
  'billing.checkout-opened': msg('Checkout opened'),
  'billing.subscription-activated': msg('Subscription of the marketplace activated'),
  'data.exported': msg('Data exported'),
  'data.removed': msg('Data removed'),
  'superadmin.read': msg('Read by a superadmin'),
  'superadmin.changed': msg('Platform changed by a superadmin'),
} as const satisfies Record<string, string>;
export type AuditKind = keyof typeof AUDIT_KINDS;

const isAuditKind = (name: string): name is AuditKind => Object.hasOwn(AUDIT_KINDS, name);

export const AUDIT_KIND_NAMES: readonly AuditKind[] = Object.keys(AUDIT_KINDS).filter(isAuditKind);

/** Groups of kinds by what stands before the dot, as a filter offers them. */
export const AUDIT_GROUPS = [
  { id: 'sign-in', label: msg('Sign-in') },
  { id: 'account', label: msg('Accounts') },
  { id: 'team', label: msg('Team') },
  { id: 'findings', label: msg('Findings') },
  { id: 'connector', label: msg('Connectors') },
  { id: 'token', label: msg('API tokens') },
  { id: 'settings', label: msg('Settings') },
  { id: 'billing', label: msg('Billing') },
  { id: 'data', label: msg('Data') },
  { id: 'superadmin', label: msg('Superadmins') },
] as const;
export type AuditGroup = (typeof AUDIT_GROUPS)[number]['id'];

/** What a list calls a kind; one of a later release by its name. */
export const auditLabel = (kind: string): string => (isAuditKind(kind) ? AUDIT_KINDS[kind] : kind);

/** Who acts: a person, a machine with a token, a superadmin from outside, who runs the installation, or the product itself. */
export const ACTOR_TYPES = ['person', 'token', 'superadmin', 'operator', 'system'] as const;
export type ActorType = (typeof ACTOR_TYPES)[number];
