import { msg } from './message.ts';

/** Roles of a user, most powerful first. Source: specification §6. */
export const ROLES = ['superadmin', 'admin', 'cyberoper', 'developer'] as const;
export type Role = (typeof ROLES)[number];

/** How screens name a role. */
export const ROLE_LABELS: Record<Role, string> = {
  superadmin: msg('Superadmin'),
  admin: msg('Admin'),
  cyberoper: msg('Security operator'),
  developer: msg('Developer'),
};

/** The same inside of a sentence, where English writes them small. */
export const ROLE_IN_SENTENCE: Record<Role, string> = {
  superadmin: msg('superadmin'),
  admin: msg('admin'),
  cyberoper: msg('security operator'),
  developer: msg('developer'),
};

/** Every permission that a route, screen, job or notice may ask for, with what it allows. */
export const PERMISSIONS = {
  'account.use': "One's own session, columns and live events; the organisation's name; reference lists",
  'findings.read': 'Findings with their groups, charts, exports, jobs, own and shared saved filters',
  'findings.request-review': 'Ask for a decision, or propose a verdict',
  'findings.triage': 'Verdict, status, severity, owner and tags, one by one or in bulk',
  'findings.assign': 'Send findings to developers',
  'findings.fix': 'Generate and edit fixes, open pull requests, issues and tickets for them',
  'findings.correlate': 'Join and split findings of several tools',
  'findings.manage-views': 'Change, delete and stop sharing views that others share',
  'repositories.read': 'List of repositories',
  'repositories.write': 'Create repositories, load and remove sample data',
  'repositories.delete': 'Delete a repository with all that belongs to it',
  'scans.read': 'Scans, imports and their results',
  'scans.upload': 'Upload a report; request and cancel a scan',
  'scans.manage': 'Download a stored report, undo an import, keep mappings of columns',
  'components.read': 'Components, SBOM and VEX exports',
  'team.read': 'Developers of the organisation',
  'team.manage': 'Invite, change and remove people, and write them notices',
  'organization.read-all': 'Not only what is assigned to them or lies in repositories they own',
  'organization.delete': 'Export the whole organisation, and delete it',
  'connectors.read': 'Connectors, their state and history; settings of the organisation that connectors need',
  'connectors.write': 'Configure, check, synchronise, switch and remove connectors',
  'settings.read': 'Pages of due dates, prioritisation and licence policy',
  'settings.write': 'Change due dates, prioritisation, licence policy and the organisation itself',
  'prioritisation.read': 'Weights of the priority and their history',
  'tokens.manage': 'API tokens for machines; the list of what people hold, to revoke it',
  'tokens.own': 'Personal API tokens',
  'audit.read': 'The audit log: who did what, when and from where',
  'mail.read': 'The outbox: mails of the organisation that wait, were sent or failed',
  'billing.read': "The organisation's plan, what is used of it, its subscription and invoices",
  'billing.write': 'Choose and buy a plan, and say to whom invoices are written',
  'pricing.manage': 'Create, change and delete plans, and link them to the payment provider',
  'clients.manage': 'All organisations, their trials, and reading inside one (each access is logged)',
  'feedback.answer': 'Read the feedback of all organisations and say what becomes of it',
  'feedback.write': "Post feedback, vote and see the organisation's board",
  'partners.manage': 'Add, change and delete partners',
  'platform.operate':
    'How the installation is: database, queue, counts, scanners, feeds; who looked inside organisations',
  'platform.read': 'Reference data of the installation',
  'platform.write': 'Replace reference data, switch connectors for all organisations',
} as const satisfies Record<string, string>;
export type Permission = keyof typeof PERMISSIONS;

/** What an API token may be made for, with what it allows. Routes name them in `access.apiToken`. */
export const TOKEN_SCOPES = {
  upload: msg('Upload reports and follow their import'),
  scan: msg('Request scans of repositories and follow them'),
  read: msg('Read findings, scans and the list of repositories'),
  scim: msg('Provision people and groups by SCIM'),
} as const satisfies Record<string, string>;
export type TokenScope = keyof typeof TOKEN_SCOPES;

/** How a list names them. */
export const TOKEN_SCOPE_LABELS: Record<TokenScope, string> = {
  upload: msg('Upload'),
  scan: msg('Scan'),
  read: msg('Read data'),
  scim: 'SCIM',
};

/** Scopes of pipelines and of people. Who makes one for people and groups has to manage them. */
export const PIPELINE_SCOPES = ['upload', 'scan', 'read'] as const satisfies readonly TokenScope[];

const isTokenScope = (name: string): name is TokenScope => Object.hasOwn(TOKEN_SCOPES, name);

export const TOKEN_SCOPE_NAMES: readonly TokenScope[] = Object.keys(TOKEN_SCOPES).filter(isTokenScope);

const DEVELOPER = [
  'account.use',
  'findings.read',
  'findings.request-review',
  'findings.fix',
  'repositories.read',
  'scans.read',
  'scans.upload',
  'components.read',
  'team.read',
  'tokens.own',
  'feedback.write',
] as const satisfies readonly Permission[];

const CYBEROPER = [
  ...DEVELOPER,
  'organization.read-all',
  'findings.triage',
  'findings.assign',
  'findings.correlate',
  'repositories.write',
  'scans.manage',
  'connectors.read',
  'settings.read',
  'prioritisation.read',
] as const satisfies readonly Permission[];

const ADMIN = [
  ...CYBEROPER,
  'findings.manage-views',
  'repositories.delete',
  'connectors.write',
  'settings.write',
  'organization.delete',
  'team.manage',
  'tokens.manage',
  'mail.read',
  'audit.read',
  'billing.read',
  'billing.write',
  'platform.read',
] as const satisfies readonly Permission[];

/** A superadmin administers the platform and works in no organisation. */
const SUPERADMIN = [
  'account.use',
  'organization.read-all',
  'connectors.read',
  'prioritisation.read',
  'tokens.manage',
  'audit.read',
  'billing.read',
  'pricing.manage',
  'feedback.answer',
  'partners.manage',
  'clients.manage',
  'platform.operate',
  'platform.read',
  'platform.write',
] as const satisfies readonly Permission[];

/** Which role has which permission: the only place that says so. Source: decisions.md "Roles". */
const GRANTS: Record<Role, ReadonlySet<Permission>> = {
  superadmin: new Set<Permission>(SUPERADMIN),
  admin: new Set<Permission>(ADMIN),
  cyberoper: new Set<Permission>(CYBEROPER),
  developer: new Set<Permission>(DEVELOPER),
};

/** Whether a role has a permission. Nobody signed in has none. */
export const can = (role: Role | undefined, permission: Permission): boolean =>
  role !== undefined && GRANTS[role].has(permission);

/** Every role that has a permission, most powerful first. */
export const rolesWith = (permission: Permission): Role[] => ROLES.filter((role) => can(role, permission));
