import { ROLES, type Role } from '@breakwater/core/platform/model/permissions.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, newVisitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { demoReport } from '../harness/reports.ts';
import { signInOnScreen } from '../harness/screens.ts';

/** Issue 17: every address of specification §2, as each role meets it. */

type Outcome = 'shown' | 403 | 404 | { to: string };

/** What people of an organisation see; superadmins work in none and are led to the list of clients. */
const INSIDE = {
  superadmin: { to: '/manage-clients' },
  admin: 'shown',
  cyberoper: 'shown',
  developer: 'shown',
} as const;
const EVERYBODY = { superadmin: 'shown', admin: 'shown', cyberoper: 'shown', developer: 'shown' } as const;
const HOME = {
  superadmin: { to: '/manage-clients' },
  admin: { to: '/' },
  cyberoper: { to: '/' },
  developer: { to: '/' },
};
const SUPERADMIN = { superadmin: 'shown', admin: 403, cyberoper: 403, developer: 403 } as const;
const NOBODY = { superadmin: 404, admin: 404, cyberoper: 404, developer: 404 } as const;

let installation: Installation;
let browser: Browser;
/** Ids in the addresses. */
const ids = { finding: '', client: '' };

const ADDRESSES: readonly [string, Record<Role, Outcome>][] = [
  ['/', INSIDE],
  ['/login', HOME],
  ['/register', HOME],
  ['/forgot-password', HOME],
  ['/verify-register/unknown', EVERYBODY],
  ['/change-password', EVERYBODY],
  ['/settings', EVERYBODY],
  ['/settings/setup-2fa', EVERYBODY],
  ['/settings/tokens', { ...EVERYBODY, superadmin: 403 }],
  ['/feedback', EVERYBODY],
  ['/notifications', EVERYBODY],
  ['/mail', { ...INSIDE, cyberoper: 403, developer: 403 }],
  ['/scm', INSIDE],
  ['/cloud', INSIDE],
  ['/findings', INSIDE],
  ['/findings/all', INSIDE],
  ['/findings/finding-details/{finding}', INSIDE],
  ['/sbom-findings', INSIDE],
  ['/sbom-findings/detail/any', NOBODY],
  ['/Organization', { ...INSIDE, developer: 403 }],
  ['/Repositories', INSIDE],
  ['/manage-repositories', { ...INSIDE, developer: 403 }],
  ['/connector', { superadmin: 403, admin: 403, cyberoper: 403, developer: 403 }],
  ['/connector?source_control=gitlab', { ...EVERYBODY, developer: 403 }],
  ['/connector/tools', { ...EVERYBODY, developer: 403 }],
  ['/connector/providers', { ...EVERYBODY, developer: 403 }],
  ['/help', EVERYBODY],
  ['/partners', EVERYBODY],
  ['/plan-pricings', { superadmin: 'shown', admin: 'shown', cyberoper: 403, developer: 403 }],
  ['/payment/success', { superadmin: { to: '/manage-clients' }, admin: 'shown', cyberoper: 403, developer: 403 }],
  ['/payment/cancel', { superadmin: { to: '/manage-clients' }, admin: 'shown', cyberoper: 403, developer: 403 }],
  ['/terms-conditions', EVERYBODY],
  ['/microsoft-marketplace', HOME],
  ['/manage-clients', SUPERADMIN],
  ['/manage-clients/findings/{client}', SUPERADMIN],
  ['/manage-clients/repositories/{client}', SUPERADMIN],
  ['/manage-clients/findings/finding-details/{client}/{finding}', SUPERADMIN],
  ['/accept-invite', { superadmin: 403, admin: 403, cyberoper: 403, developer: 403 }],
  ['/no/such/page', NOBODY],
];

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  const { server, database } = installation;
  const admin = await setUp(server);
  await admin.upload(await addRepository(admin, 'Juice Shop'), 'grype.json', await demoReport('grype.json'));
  const [client] = await database.query('select id from clients');
  ids.client = String(client?.['id']);
  ids.finding = (await admin.get('/findings')).body.data[0]._id;
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

/** Moves inside the open application, as a link does: no page is loaded anew. */
const go = (page: Page, address: string): Promise<void> =>
  page.evaluate((to) => {
    window.history.pushState(null, '', to);
    window.dispatchEvent(new PopStateEvent('popstate'));
  }, address);

const outcomeAt = async (page: Page, address: string): Promise<Outcome> => {
  const heading = page.getByRole('heading', { level: 1 }).first();
  // another page first, so that its heading tells when the wanted one is there
  const other =
    address === '/settings' ? { at: '/feedback', title: 'Feedback' } : { at: '/settings', title: 'Settings' };
  await go(page, other.at);
  await page.getByRole('heading', { name: other.title, level: 1, exact: true }).waitFor();
  await go(page, address);
  await page.getByRole('heading', { name: other.title, level: 1, exact: true }).waitFor({ state: 'detached' });
  await heading.waitFor();
  const text = await heading.innerText();
  const { pathname } = new URL(page.url());
  if (text === 'Page not found') return 404;
  if (text === 'Error Status: 403') return 403;
  return pathname === address.split('?')[0] ? 'shown' : { to: pathname };
};

test.each(ROLES)('%s', async (role) => {
  const { server, database } = installation;
  const visitor = await newVisitor(browser, server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  // a registration that never was, a payment that this server cannot take, a finding that is not this developer's
  visitor.expectTrouble(/answer: (404 GET .*\/(verify-register|findings)\/|409 POST .*\/client\/plan\/refresh)/);
  const username = role === 'admin' ? ADMIN.username : (await database.addUser(role)).username;
  await signInOnScreen(visitor.page, username, role === 'admin' ? ADMIN.password : PASSWORD);
  const met: [string, Outcome][] = [];
  for (const [pattern] of ADDRESSES) {
    const address = pattern.replace('{finding}', ids.finding).replace('{client}', ids.client);
    met.push([pattern, await outcomeAt(visitor.page, address)]);
  }
  expect(met).toEqual(ADDRESSES.map(([pattern, outcomes]) => [pattern, outcomes[role]]));
  visitor.assertCalm();
  expect(server.errors()).toEqual([]);
  await visitor.context.close();
});
