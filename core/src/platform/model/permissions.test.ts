import { expect, test } from 'vitest';
import { can, PERMISSIONS, rolesWith } from './permissions.ts';

/** The table of decisions.md "Roles". A change here is a decision, not a refactoring. */
const EXPECTED: Record<keyof typeof PERMISSIONS, string> = {
  'account.use': 'superadmin admin cyberoper developer',
  'findings.read': 'admin cyberoper developer',
  'findings.request-review': 'admin cyberoper developer',
  'findings.triage': 'admin cyberoper',
  'findings.assign': 'admin cyberoper',
  'findings.fix': 'admin cyberoper developer',
  'findings.correlate': 'admin cyberoper',
  'findings.manage-views': 'admin',
  'repositories.read': 'admin cyberoper developer',
  'repositories.write': 'admin cyberoper',
  'repositories.delete': 'admin',
  'scans.read': 'admin cyberoper developer',
  'scans.upload': 'admin cyberoper developer',
  'scans.manage': 'admin cyberoper',
  'components.read': 'admin cyberoper developer',
  'team.read': 'admin cyberoper developer',
  'team.manage': 'admin',
  'organization.read-all': 'superadmin admin cyberoper',
  'organization.delete': 'admin',
  'connectors.read': 'superadmin admin cyberoper',
  'connectors.write': 'admin',
  'settings.read': 'admin cyberoper',
  'settings.write': 'admin',
  'prioritisation.read': 'superadmin admin cyberoper',
  'tokens.manage': 'superadmin admin',
  'tokens.own': 'admin cyberoper developer',
  'mail.read': 'admin',
  'audit.read': 'superadmin admin',
  'billing.read': 'superadmin admin',
  'billing.write': 'admin',
  'pricing.manage': 'superadmin',
  'feedback.answer': 'superadmin',
  'feedback.write': 'admin cyberoper developer',
  'partners.manage': 'superadmin',
  'clients.manage': 'superadmin',
  'platform.operate': 'superadmin',
  'platform.read': 'superadmin admin',
  'platform.write': 'superadmin',
};

test('each permission belongs to exactly the roles that were decided', () => {
  const permissions = Object.keys(PERMISSIONS) as (keyof typeof PERMISSIONS)[];
  const found = permissions.map((permission) => [permission, rolesWith(permission).join(' ')]);
  expect(Object.fromEntries(found)).toEqual(EXPECTED);
});

test('who is not signed in has no permission', () => {
  expect(can(undefined, 'account.use')).toBe(false);
});
