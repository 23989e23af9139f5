import { type PackageServer, packageBody, startPackageServer } from '@breakwater/core/testing/package-server.ts';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, addRepository, setUp } from '../harness/api.ts';
import { launchBrowser, lookAt, newVisitor, type Visitor } from '../harness/browser.ts';
import { type Installation, startInstallation } from '../harness/installation.ts';
import { eventually, stopAfterFailure } from '../harness/journey.ts';
import { signInOnScreen } from '../harness/screens.ts';
import { visit } from '../harness/visit.ts';

let service: PackageServer;
let installation: Installation;
let browser: Browser;
let visitor: Visitor;
let page: Page;

const USED = ['lodash@4.17.20', 'express@4.17.1', '%40babel/core@7.24.0', 'left-pad@1.3.0', '%40acme/checkout@2.1.0'];

/** What deps.dev says of the public ones (November 2026, shortened). */
const PUBLISHED: Record<string, Record<string, string>> = {
  lodash: { '4.17.20': '2020-08-13T16:53:54Z', '4.17.21': '2021-02-20T15:42:16Z' },
  express: {
    '4.17.1': '2019-05-26T04:25:34Z',
    '4.21.2': '2024-12-05T22:28:30Z',
    '5.0.0-beta.3': '2024-03-25T00:00:00Z',
  },
  '@babel/core': { '7.24.0': '2024-02-28T11:35:11Z' },
};

const inventory = JSON.stringify({
  ...{ bomFormat: 'CycloneDX', specVersion: '1.6', version: 1 },
  components: USED.map((one) => {
    const [, scope, name, version] = /^(?:%40(\w+)\/)?([\w-]+)@(.+)$/.exec(one) ?? [];
    const group = scope === undefined ? {} : { group: `@${scope}` };
    return {
      type: 'library',
      'bom-ref': one,
      ...group,
      name,
      version,
      purl: `pkg:npm/${one}`,
      licenses: [{ license: { id: 'MIT' } }],
    };
  }),
});

stopAfterFailure();

beforeAll(async () => {
  service = await startPackageServer();
  for (const [name, versions] of Object.entries(PUBLISHED)) {
    service.reply(`npm ${name}`, { body: packageBody('npm', name, versions) });
  }
  installation = await startInstallation(undefined, { DEPS_DEV_BASE_URL: service.address.href });
  browser = await launchBrowser();
  const api = await setUp(installation.server);
  await api.upload(await addRepository(api, 'shop'), 'bom.json', new TextEncoder().encode(inventory));
  visitor = await newVisitor(browser, installation.server.url);
  visitor.expectTrouble(/answer: 401 GET .*\/session/);
  await signInOnScreen(visitor.page, ADMIN.username, ADMIN.password);
  ({ page } = visitor);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
  await service.close();
});

test('an inventory shows no ages, and nobody is asked, until an admin turns it on', async () => {
  await visit(page, '/sbom-findings?search=lodash');
  await page.getByText('1 component').waitFor();
  expect(await page.getByText('Newest version').count()).toBe(0);
  expect(service.questions).toEqual([]);
  await page.getByRole('link', { name: 'lodash' }).click();
  await page.getByRole('link', { name: 'Look up newest versions' }).click();
  await page.getByText(service.address.host).waitFor();
});

test('with the private packages named, the public ones are looked up', async () => {
  await page.getByText('Look up newest versions').click();
  await page.getByLabel('Names that are never sent').fill('@acme/*\ncom.acme:*');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByText('Saved. The inventories are looked up now').waitFor();
  await lookAt(page, 'newest-versions-settings');
  await eventually(() => service.asked()).toEqual(['npm @babel/core', 'npm express', 'npm left-pad', 'npm lodash']);
});

test('the list and the page of a component show age and newest version', async () => {
  // answers are stored after the questions were counted
  await eventually(() =>
    installation.database.query('select digest from component_releases where newest_version is not null'),
  ).toHaveLength(3);
  await page.goto('/sbom-findings?sort_field=released_on');
  await page.getByText('5 components').waitFor();
  await page.getByText('4.17.21').first().waitFor();
  expect(await page.getByText('4.21.2').count()).toBeGreaterThan(0);
  await lookAt(page, 'newest-versions-list');
  await page.getByRole('link', { name: 'express' }).click();
  await page
    .getByText(/^Released \d+ years ago$/)
    .first()
    .waitFor();
  await page.getByText(/according to 127\.0\.0\.1/).waitFor();
  await lookAt(page, 'newest-versions-component');
  visitor.assertCalm();
});
