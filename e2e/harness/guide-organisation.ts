import { pierWatchFiles } from '@breakwater/core/testing/connectors/pier-watch-files.ts';
import type { Page } from 'playwright-core';
import { closeByEscape, look, openBy, type Seen } from './guide.ts';
import { addVisitor, type GuideWalk, SUPERADMIN_ACCOUNT } from './guide-world.ts';
import { listRows, signInOnScreen } from './screens.ts';
import { visit } from './visit.ts';

/** Walks through the sections of the user guide that are about the organisation and the installation. */

export const walkRepositories: GuideWalk = async ({ admin: { page } }, seen) => {
  await page.goto('/Repositories');
  await look(page, seen);
  for (const name of ['shop', 'Juice Shop']) {
    await visit(page, '/Repositories');
    await page.getByRole('link', { name, exact: true }).first().click();
    await page.getByRole('region', { name: 'Settings' }).waitFor();
    await page.getByRole('region', { name: 'Trend' }).locator('figure svg').first().waitFor();
    await look(page, seen, name === 'shop' ? undefined : { name: 'repository' });
  }
  for (const address of ['/manage-repositories?source_control=gitea', '/settings/scans', '/connector/scanners']) {
    await visit(page, address);
    await look(page, seen);
  }
};

const publish = async (page: Page, seen: Seen, button: string, version: string): Promise<void> => {
  const { document, fixtures } = await pierWatchFiles();
  await page.getByRole('button', { name: button }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).waitFor();
  await look(page, seen);
  const files = { 'connector.json': { ...document, version }, 'conformance.json': fixtures };
  for (const [name, content] of Object.entries(files)) {
    const buffer = Buffer.from(JSON.stringify(content));
    await page.getByLabel(name, { exact: true }).setInputFiles({ name, mimeType: 'application/json', buffer });
  }
  await page.getByRole('dialog').getByRole('button', { name: 'Publish', exact: true }).click();
  await page.getByText(`Version ${version}`).waitFor();
};

const walkPublished = async (page: Page, seen: Seen): Promise<void> => {
  await visit(page, '/connector/published');
  await publish(page, seen, 'Publish a connector', '1.0.0');
  await look(page, seen);
  await page.getByRole('button', { name: 'Add: Pier Watch' }).click();
  await page.getByRole('button', { name: 'Approve and add' }).waitFor();
  await look(page, seen);
  await page.getByRole('button', { name: 'Approve and add' }).click();
  await page.getByText('In your catalogue').waitFor();
  await publish(page, seen, 'New version: Pier Watch', '1.1.0');
  await look(page, seen);
  await page.getByRole('link', { name: 'Build a connector' }).click();
  await page.getByRole('region', { name: 'Test with the service' }).waitFor();
  await look(page, seen);
};

export const walkConnectors: GuideWalk = async ({ admin: { page } }, seen) => {
  await visit(page, '/connector/providers');
  await look(page, seen, { name: 'connectors' });
  for (const address of ['/connector?source_control=gitea', '/connector?source_control=github']) {
    await visit(page, address);
    await look(page, seen);
  }
  await walkPublished(page, seen);
};

export const walkComponents: GuideWalk = async ({ admin: { page } }, seen) => {
  await visit(page, '/sbom-findings?search=jsonwebtoken');
  await look(page, seen);
  await openBy(page, page.getByRole('button', { name: 'Export', exact: true }));
  await look(page, seen);
  await closeByEscape(page);
  await page
    .getByRole('link', { name: /jsonwebtoken/ })
    .first()
    .click();
  await page.waitForURL(/\/sbom-findings\/[0-9a-f-]{36}/);
  await look(page, seen, { name: 'component' });
  for (const address of ['/settings/license-policy', '/settings/newest-versions']) {
    await visit(page, address);
    await look(page, seen);
  }
};

export const walkDashboard: GuideWalk = async ({ admin: { page } }, seen) => {
  await visit(page, '/');
  await page.locator('[_echarts_instance_]').first().waitFor();
  await look(page, seen, { name: 'dashboard' });
  await page.getByRole('button', { name: 'Arrange' }).click();
  await look(page, seen);
};

export const walkFrameworks: GuideWalk = async ({ admin: { page } }, seen) => {
  await page.goto('/frameworks');
  await look(page, seen);
  await visit(page, '/frameworks/pci-dss-4');
  await page.getByRole('row', { name: /^6\.2\.4/ }).waitFor();
  await look(page, seen, { name: 'framework' });
};

export const walkPriorities: GuideWalk = async ({ admin: { page } }, seen) => {
  for (const address of ['/settings/prioritisation', '/settings/due-dates', '/settings/reference-data']) {
    await visit(page, address);
    await look(page, seen);
  }
};

export const walkTeam: GuideWalk = async ({ admin: { page } }, seen) => {
  await visit(page, '/settings/team');
  await look(page, seen, { name: 'team' });
  await page.getByRole('button', { name: 'Invite' }).click();
  await page.getByRole('dialog').getByLabel('Email').waitFor();
  await look(page, seen);
  await page.goto('/settings/setup-2fa');
  await look(page, seen);
  await page.getByRole('button', { name: 'Set up two-factor' }).click();
  await page.getByLabel('Code', { exact: true }).waitFor();
  await look(page, seen);
  for (const page_ of ['security', 'single-sign-on', 'sessions', 'audit', 'tokens']) {
    await page.goto(`/settings/${page_}`);
    await look(page, seen);
  }
};

export const walkNotifications: GuideWalk = async ({ admin: { page } }, seen) => {
  for (const address of ['/notifications', '/settings/notifications']) {
    await visit(page, address);
    await look(page, seen);
  }
};

export const walkPlans: GuideWalk = async ({ admin: { page } }, seen) => {
  await visit(page, '/plan-pricings');
  await look(page, seen);
};

export const walkLeaving: GuideWalk = async ({ admin: { page } }, seen) => {
  for (const [address, button, name] of [
    ['/settings/profile', 'Delete my account…', 'delete-account'],
    ['/organization', 'Delete the organisation…', 'delete-organisation'],
  ] as const) {
    await page.goto(address);
    await look(page, seen);
    await page.getByRole('button', { name: button }).click();
    await page.getByRole('dialog').getByLabel('Password', { exact: true }).waitFor();
    await look(page, seen, { name, of: page.getByRole('dialog') });
  }
};

export const walkClients: GuideWalk = async (world, seen) => {
  const { page } = await addVisitor(world);
  await signInOnScreen(page, SUPERADMIN_ACCOUNT.name, SUPERADMIN_ACCOUNT.password);
  await page.waitForURL('**/manage-clients');
  await look(page, seen);
  await page.getByRole('link', { name: /open findings of Harbour Works/ }).click();
  await listRows(page).first().waitFor();
  await look(page, seen, { name: 'client' });
  await page.getByRole('navigation', { name: 'Of this client' }).getByRole('link', { name: 'Overview' }).click();
  await page.getByRole('button', { name: 'Put on trial' }).waitFor();
  await look(page, seen);
};

export const walkInstallation: GuideWalk = async ({ visitors }, seen) => {
  const page = visitors.at(-1)?.page;
  if (page === undefined) throw new Error('The superadmin is the last who came.');
  await visit(page, '/platform/health');
  await look(page, seen, { name: 'health' });
  await page.getByRole('link', { name: 'Access log' }).click();
  await page.waitForURL('**/platform/access-log');
  await look(page, seen);
  for (const address of ['/settings/reference-data', '/partners', '/plan-pricings', '/connector/providers']) {
    await visit(page, address);
    await look(page, seen);
  }
};
