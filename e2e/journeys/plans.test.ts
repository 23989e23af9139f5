import { type FakeStripe, startFakeStripe } from '@breakwater/core/testing/stripe/stripe-server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, test } from 'vitest';
import { ADMIN, type ApiClient, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { PASSWORD } from '../harness/database.ts';
import { type Installation, startInstallation, UNTOUCHED } from '../harness/installation.ts';
import { stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';

/** Issue 17: a superadmin sells plans, an admin buys one, meets its limit and takes a larger one. */

let stripe: FakeStripe;
let installation: Installation;
let browser: Browser;
let visitors: Visitor[];
let seller: Page;
let buyer: Page;
let api: ApiClient;

beforeAll(async () => {
  stripe = await startFakeStripe();
  [installation, browser] = await Promise.all([startInstallation(UNTOUCHED, stripe.environment), launchBrowser()]);
  const { server, database } = installation;
  api = await setUp(server);
  const { username } = await database.addUser('superadmin');
  stripe.sendEventsTo(`${server.url}/api/v1/stripe/webhook`);
  visitors = await Promise.all([newVisitor(browser, server.url), newVisitor(browser, server.url)]);
  for (const visitor of visitors) visitor.expectTrouble(/answer: 401 GET .*\/session/);
  // the refusal of the plan's limit
  visitors[1]?.expectTrouble(/answer: 403 POST .*\/create_repository_with_list/);
  const [first, second] = visitors;
  if (first === undefined || second === undefined) throw new Error('no visitors');
  seller = first.page;
  buyer = second.page;
  await signInOnScreen(seller, username, PASSWORD);
  await signInOnScreen(buyer, ADMIN.username, ADMIN.password);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
  await stripe.close();
});
afterEach(() => {
  for (const visitor of visitors) visitor.assertCalm();
  expect(installation.server.errors()).toEqual([]);
});
stopAfterFailure();

const card = (page: Page, name: string) => page.getByRole('region', { name, exact: true });

const addPlan = async (fields: Record<string, string>, name: string): Promise<void> => {
  await seller.getByRole('button', { name: 'Add a plan' }).click();
  const dialog = seller.getByRole('dialog');
  for (const [label, value] of Object.entries(fields)) await dialog.getByLabel(label, { exact: true }).fill(value);
  await dialog.getByRole('button', { name: 'Add', exact: true }).click();
  await dialog.waitFor({ state: 'detached' });
  await card(seller, name)
    .getByRole('button', { name: `Sell ${name} by Stripe` })
    .click();
  await card(seller, name).getByText('Sold by Stripe').waitFor();
};

test('a superadmin adds plans and sells them', async () => {
  await seller.goto('/plan-pricings');
  await seller.getByRole('heading', { name: 'Plans', exact: true }).waitFor();
  await addPlan({ Tier: 'team', Name: 'Team', 'Price in US dollars': '49', Repositories: '2' }, 'Team');
  await addPlan({ Tier: 'business', Name: 'Business', 'Price in US dollars': '1250', Repositories: '10' }, 'Business');
  await seller.getByText('Yearly', { exact: true }).click();
  await card(seller, 'Team').getByText('$529', { exact: true }).waitFor();
  await card(seller, 'Team').getByText('-10%', { exact: true }).waitFor();
  await card(seller, 'Business').getByText('$13,500', { exact: true }).waitFor();
  await lookAt(seller, 'plans-superadmin');
  await seller.getByRole('button', { name: 'Change Team' }).click();
  await seller.getByRole('dialog').getByLabel('Name', { exact: true }).waitFor();
  await lookAt(seller, 'plan-dialog');
  await seller.getByRole('dialog').getByRole('button', { name: 'Cancel' }).click();
});

test('an admin leaves the checkout: nothing was paid', async () => {
  await buyer.goto('/plan-pricings');
  await card(buyer, 'Free').getByText('Your plan').waitFor();
  await card(buyer, 'Team').getByRole('button', { name: 'Choose Team' }).click();
  await buyer.getByRole('heading', { name: 'Checkout' }).waitFor();
  await buyer.getByRole('link', { name: 'Back' }).click();
  await buyer.waitForURL('**/payment/cancel');
  await buyer.getByText('Nothing was paid', { exact: true }).waitFor();
  await lookAt(buyer, 'payment-cancel');
  await buyer.getByRole('link', { name: 'Go to plans' }).click();
  await card(buyer, 'Free').getByText('Your plan').waitFor();
});

test('the admin buys the plan', async () => {
  await card(buyer, 'Team').getByRole('button', { name: 'Choose Team' }).click();
  await buyer.getByText('$49').waitFor();
  await buyer.getByRole('button', { name: 'Pay' }).click();
  await buyer.waitForURL('**/payment/success');
  await buyer.getByText('Your plan is Team', { exact: true }).waitFor();
  await lookAt(buyer, 'payment-success');
  await buyer.getByRole('link', { name: 'Go to plans' }).click();
  await card(buyer, 'Team').getByText('Your plan').waitFor();
  const use = buyer.getByRole('region', { name: 'What you use' });
  await use.getByText('Paid by visa, ending in 4242').waitFor();
  await use.getByText('0 of 2').waitFor();
  await buyer.getByRole('region', { name: 'Invoices' }).getByRole('link', { name: 'Download' }).waitFor();
});

test('the limit is met: more is refused with use against limit, and nothing is lost', async () => {
  await addRepository(api, 'shop');
  await addRepository(api, 'site');
  await buyer.goto('/manage-repositories?source_control=git');
  await buyer.getByLabel('Clone addresses').fill('https://git.example.com/harbour/third.git');
  await buyer.getByRole('button', { name: 'Import', exact: true }).click();
  const refusal = buyer.getByText('The plan Team allows 2 repositories. This would make it 3.');
  await refusal.waitFor();
  await lookAt(buyer, 'plan-limit-refused');
  await buyer.getByRole('link', { name: 'See the plans' }).click();
  await buyer.waitForURL('**/plan-pricings');
  await buyer.getByRole('region', { name: 'What you use' }).getByText('2 of 2').waitFor();
  await lookAt(buyer, 'plans');
});

test('the admin takes a larger plan, and goes on', async () => {
  await card(buyer, 'Business').getByRole('button', { name: 'Choose Business' }).click();
  await buyer.getByRole('button', { name: 'Confirm' }).click();
  await buyer.waitForURL('**/payment/success');
  await buyer.getByText('Your plan is Business', { exact: true }).waitFor();
  await buyer.goto('/manage-repositories?source_control=git');
  await buyer.getByLabel('Clone addresses').fill('https://git.example.com/harbour/third.git');
  await buyer.getByRole('button', { name: 'Import', exact: true }).click();
  // exact: "0 of 1 repository imported" says that it is under way, and leaving the page would end it
  await buyer.getByText('1 repository imported', { exact: true }).waitFor();
  await buyer.goto('/plan-pricings');
  await buyer.getByRole('region', { name: 'What you use' }).getByText('3 of 10').waitFor();
});

test('the billing form says to whom invoices are written', async () => {
  const form = buyer.getByRole('region', { name: 'Billing' });
  await form.getByLabel('Legal name').fill('Harbour Works AG');
  await form.getByLabel('Address').fill('Pier 9');
  await form.getByRole('button', { name: 'Save' }).click();
  await buyer.getByText('Saved. The next invoice carries it.').waitFor();
  await expect
    .poll(() => [...stripe.account.customers.values()].map(({ name, address }) => [name, address?.line1]))
    .toEqual([['Harbour Works AG', 'Pier 9']]);
});
