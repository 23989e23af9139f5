import { type FakeMarketplace, startFakeMarketplace } from '@breakwater/core/testing/marketplace/marketplace-server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, setUp, signIn } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, takeShot, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation, UNTOUCHED } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';
import { rest } from '../harness/visit.ts';

/** Issue 17: a superadmin keeps the partners and looks after the installation; a plan is bought at the Microsoft Marketplace, activated, changed and cancelled. */

let market: FakeMarketplace;
let installation: Installation;
let browser: Browser;
let visitors: Visitor[];
let superadmin: Page;
let buyer: Page;
let developer: string;

beforeAll(async () => {
  market = await startFakeMarketplace();
  [installation, browser] = await Promise.all([startInstallation(UNTOUCHED, market.environment), launchBrowser()]);
  const { server, database } = installation;
  await setUp(server);
  const { username } = await database.addUser('superadmin');
  ({ username: developer } = await database.addUser('developer'));
  const api = await signIn(server, username, PASSWORD);
  for (const tier of ['team', 'business']) {
    await api.call('POST', '/pricing/create', { tier, title: tier.toUpperCase(), amount_cents: 4900 });
  }
  visitors = await Promise.all([newVisitor(browser, server.url), newVisitor(browser, server.url)]);
  for (const visitor of visitors) visitor.expectTrouble(/answer: 401 GET .*\/session/);
  const [first, second] = visitors;
  if (first === undefined || second === undefined) throw new Error('no visitors');
  superadmin = first.page;
  buyer = second.page;
  await signInOnScreen(superadmin, username, PASSWORD);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
  await market.close();
});
afterEach(() => {
  for (const visitor of visitors) visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
  expect(market.violations).toEqual([]);
});
stopAfterFailure();

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const announce = async (...change: Parameters<FakeMarketplace['begin']>): Promise<void> => {
  const url = `${installation.server.url}/api/v1/microsoft-marketplace/webhook`;
  expect(await market.announce(market.begin(...change), { url })).toBe(200);
};

test('a superadmin adds, changes and deletes partners', async () => {
  await superadmin.goto('/partners');
  await superadmin.getByText('No partner yet').waitFor();
  const partners = [
    ['Acme Security', 'Audits and training for teams that ship every day.', 'https://acme.example/security'],
    ['Bastion', '', ''],
  ] as const;
  for (const [name, description, website] of partners) {
    await superadmin.getByRole('button', { name: 'Add a partner' }).click();
    const dialog = superadmin.getByRole('dialog');
    await dialog.getByLabel('Name', { exact: true }).fill(name);
    await dialog.getByLabel('Description').fill(description);
    await dialog.getByLabel('Website').fill(website);
    await dialog.getByRole('button', { name: 'Add', exact: true }).click();
    await card(superadmin, name).waitFor();
  }
  await superadmin.getByRole('button', { name: 'Change Bastion' }).click();
  const dialog = superadmin.getByRole('dialog');
  await dialog.getByLabel('Kind').selectOption('technology');
  await lookAt(superadmin, 'partner-dialog');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await card(superadmin, 'Bastion').getByText('Technology').waitFor();
  await lookAt(superadmin, 'partners-superadmin');
  await superadmin.getByRole('button', { name: 'Delete Bastion' }).click();
  await superadmin.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
  await card(superadmin, 'Bastion').waitFor({ state: 'detached' });
});

test('a superadmin sees how the installation is, and who looked inside organisations', async () => {
  await superadmin.goto('/platform/health');
  for (const part of ['Database', 'Queue', 'Counts', 'Reference data', 'Mail', 'Scanners'])
    await card(superadmin, part).waitFor();
  await lookAt(superadmin, 'health');
  await superadmin.getByRole('link', { name: 'Access log' }).click();
  await superadmin.getByText('Nobody has looked inside an organisation').waitFor();
  expect(await superadmin.locator('.rail [aria-current="page"]').innerText()).toBe('Health');
  await superadmin.goto('/manage-clients');
  await superadmin.getByRole('link', { name: /open findings of Harbour Works/ }).click();
  await superadmin.waitForURL('**/manage-clients/findings/**');
  await rest(superadmin);
  await superadmin.goto('/platform/access-log');
  await superadmin.getByRole('main').getByText('Harbour Works').first().waitFor();
  await lookAt(superadmin, 'access-log');
});

test('a purchase without its token leads to the first page; with it, it waits for who signs in', async () => {
  await buyer.goto('/microsoft-marketplace');
  await buyer.waitForURL((url) => url.pathname === '/login');
  const { token } = market.buy({ planId: 'team', quantity: 7 });
  const address = `/microsoft-marketplace?token=${encodeURIComponent(token)}`;
  await buyer.goto(address);
  await buyer.waitForURL((url) => url.pathname === '/login');
  await buyer.getByText(/Microsoft Marketplace Subscription On Hold.*You need to login before proceed/).waitFor();
  await takeShot(buyer, 'marketplace-on-hold');

  // a developer may not, and is led back to the sign-in page
  await buyer.getByLabel('Email or username').fill(developer);
  await buyer.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await buyer.getByRole('button', { name: 'Sign in' }).click();
  await buyer.getByText(/Permission Denied!.*valid account role admin/).waitFor();
  await buyer.getByLabel('Email or username').waitFor();
  await buyer.getByLabel('Email or username').fill(ADMIN.username);
  await buyer.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await buyer.getByRole('button', { name: 'Sign in' }).click();
  await buyer.getByRole('button', { name: 'Activate subscription' }).waitFor();
  await buyer.getByText('TEAM', { exact: true }).waitFor();
  await lookAt(buyer, 'marketplace');
  await buyer.getByRole('button', { name: 'Activate subscription' }).click();
  await buyer.getByText('Subscription activated successfully').waitFor();
  await buyer.waitForURL('**/plan-pricings');
  await card(buyer, 'TEAM').getByText('Your plan').waitFor();
  const use = buyer.getByRole('region', { name: 'What you use' });
  await use.getByText('Paid through the Microsoft Marketplace. Active').waitFor();
  await use.getByText('3 of 7').waitFor();
  await lookAt(buyer, 'plans-marketplace');
});

test('what Microsoft announces is followed: another plan, and its end', async () => {
  const [purchase] = market.purchases.values();
  if (purchase === undefined) throw new Error('no purchase');
  await announce(purchase.id, 'ChangePlan', { planId: 'business' });
  await expect
    .poll(
      async () => {
        await buyer.reload();
        await card(buyer, 'TEAM').waitFor();
        return card(buyer, 'BUSINESS').getByText('Your plan').count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  await announce(purchase.id, 'Unsubscribe');
  await expect
    .poll(
      async () => {
        await buyer.reload();
        await card(buyer, 'TEAM').waitFor();
        return card(buyer, 'Free').getByText('Your plan').count();
      },
      { timeout: 60_000 },
    )
    .toBe(1);
  await buyer.goto('/partners');
  await card(buyer, 'Acme Security').getByRole('link', { name: 'acme.example/security' }).waitFor();
  expect(await buyer.getByRole('button', { name: 'Add a partner' }).count()).toBe(0);
});
