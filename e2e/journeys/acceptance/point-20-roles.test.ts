import { OPEN_STATUSES } from '@breakwater/core/findings/model/states.ts';
import type { Role } from '@breakwater/core/platform/model/permissions.ts';
import { toQueryString } from '@breakwater/core/platform/ui/data/api-client.ts';
import type { Browser } from 'playwright-core';
import { expect, test } from 'vitest';
import { type ApiClient, signIn } from '../../harness/api.ts';
import type { Visitor } from '../../harness/browser.ts';
import { PASSWORD } from '../../harness/database.ts';
import type { Seeded } from '../../harness/installation.ts';
import { eventually, seededJourney } from '../../harness/journey.ts';
import { findingPanel, listCount, listRows } from '../../harness/screens.ts';

/**
 * Acceptance point 20: what a role may not do is absent or disabled with a reason; its URL gives 403; numbers count only what that user
 * may open. A superadmin works in no organisation and reads inside one.
 */

const OPEN = { status: [...OPEN_STATUSES], false_positive: 'hide', accepted_risk: 'hide', is_duplicate: 'hide' };

let seeded: Seeded;
let browser: Browser;
const names = new Map<Role, string>();

seededJourney(
  (journey) => {
    ({ seeded, browser } = journey);
  },
  async ({ database, repositoryIds }) => {
    for (const role of ['superadmin', 'admin', 'cyberoper', 'developer'] as const) {
      const { id, username } = await database.addUser(role);
      names.set(role, username);
      if (role === 'developer')
        await database.query('update repositories set owner = $1 where id = any($2)', [id, repositoryIds.slice(0, 3)]);
    }
  },
);

const apiOf = (role: Role): Promise<ApiClient> => signIn(seeded.server, names.get(role) ?? '', PASSWORD);
const visit = (role: Role): Promise<Visitor> =>
  seeded.visit(browser, { username: names.get(role) ?? '', password: PASSWORD });
const totalOf = async (api: ApiClient, path: string, filters: object): Promise<number> => {
  const { status, body } = await api.get(`${path}?${toQueryString({ filters, pagination: { page: 1, pageSize: 1 } })}`);
  expect([path, status]).toEqual([path, 200]);
  return body.meta.pagination.total;
};
const shownIn = async (visitor: Visitor, path: string): Promise<number> => {
  await visitor.page.goto(path);
  await listRows(visitor.page).first().getByRole('link').first().waitFor();
  return Number((await listCount(visitor.page).innerText()).split(/\s/)[0]?.replaceAll(',', ''));
};

test.each(['admin', 'cyberoper', 'developer'] as const)(
  'point 20: chart, list, figure and export count the same for %s: what that person may open',
  async (role) => {
    const api = await apiOf(role);
    const listed = await totalOf(api, '/findings', OPEN);
    const { body: chart } = await api.get(`/findings_by_repo_chart?${toQueryString({ filters: OPEN })}`);
    const drawn = chart.data.series.flatMap(({ data }: { data: number[] }) => data);
    expect(drawn.reduce((sum: number, count: number) => sum + count, 0)).toBe(listed);
    const { body: total } = await api.get(`/total_findings_chart?${toQueryString({ filters: OPEN })}`);
    expect(total.data.total).toBe(listed);
    const { body: csv } = await api.call('POST', `/download_csv_findings?${toQueryString({ filters: OPEN })}`);
    expect(String(csv).trimEnd().split('\r\n').length - 1).toBe(listed);
    const { body: json } = await api.call('POST', `/download_json_findings?${toQueryString({ filters: OPEN })}`);
    expect((typeof json === 'string' ? JSON.parse(json) : json).data).toHaveLength(listed);
    const visitor = await visit(role);
    expect(await shownIn(visitor, '/findings')).toBe(listed);
    await visitor.page.goto('/');
    const figure = visitor.page
      .getByRole('navigation', { name: 'Figures' })
      .getByRole('link', { name: /Open findings/ });
    await eventually(() => figure.innerText()).toContain(listed.toLocaleString('en'));
    const all = await totalOf(seeded.api, '/findings', OPEN);
    expect(role === 'developer' ? listed < all && listed > 0 : listed === all).toBe(true);
    visitor.assertCalm();
    await visitor.context.close();
  },
);

test('point 20: a superadmin reads inside the organisation: the same list, no chart, no export, no act', async () => {
  const api = await apiOf('superadmin');
  const all = await totalOf(seeded.api, '/findings', OPEN);
  expect(await totalOf(api, `/manage-clients/findings/${seeded.clientId}`, OPEN)).toBe(all);
  for (const path of ['/findings', '/findings_by_repo_chart', '/total_findings_chart', '/repositories'])
    expect([path, (await api.get(path)).status]).toEqual([path, 403]);
  for (const path of ['/download_csv_findings', '/download_json_findings'])
    expect([path, (await api.call('POST', path)).status]).toEqual([path, 403]);
  const visitor = await visit('superadmin');
  expect(await shownIn(visitor, `/manage-clients/findings/${seeded.clientId}`)).toBe(all);
  await listRows(visitor.page).first().getByRole('link').first().click();
  await findingPanel(visitor.page).getByText('Read only: the people of this client decide.').waitFor();
  expect(await visitor.page.getByRole('checkbox').count()).toBe(0);
  expect(await visitor.page.getByRole('button', { name: 'Upload reports' }).count()).toBe(0);
  visitor.assertCalm();
  await visitor.context.close();
});

/** Pages that the navigation does not offer to the role, and whose address says 403. */
const FORBIDDEN: Readonly<Record<'admin' | 'cyberoper' | 'developer', readonly string[]>> = {
  admin: ['/manage-clients'],
  cyberoper: ['/manage-clients', '/settings/team', '/settings/audit', '/settings/security'],
  developer: [
    '/manage-clients',
    '/connector/providers',
    '/connector/tools',
    '/settings/due-dates',
    '/settings/team',
    '/settings/audit',
    '/settings/scans',
    '/settings/security',
    '/settings/reference-data',
    '/settings/prioritisation',
  ],
};

test.each(['admin', 'cyberoper', 'developer'] as const)(
  'point 20: what is not for %s is neither offered nor opened by its address',
  async (role) => {
    const visitor = await visit(role);
    const { page } = visitor;
    visitor.expectTrouble(/console: .*PageError/s);
    const rail = page.getByRole('navigation', { name: 'Main' });
    await rail.getByRole('link', { name: 'Dashboard' }).waitFor();
    const offered = await rail
      .locator('a[href]')
      .evaluateAll((links) => links.map((link) => link.getAttribute('href') ?? ''));
    for (const path of FORBIDDEN[role]) {
      expect(offered).not.toContain(path);
      await page.goto(path);
      await page.getByRole('heading', { name: 'Error Status: 403' }).waitFor();
      await page.getByText("You don't have permission for this page.").waitFor();
    }
    for (const path of offered) {
      await page.goto(path);
      await page.locator('h1').first().waitFor();
      expect([path, await page.getByText(/^Error Status/).count()]).toEqual([path, 0]);
    }
    visitor.assertCalm();
    await visitor.context.close();
  },
);

test('point 20: a developer selects what is to be fixed, has no key that decides, and sees who does', async () => {
  const visitor = await visit('developer');
  const { page } = visitor;
  await page.goto('/findings');
  await listRows(page).first().getByRole('link').first().waitFor();
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.keyboard.press('a');
  expect(await page.getByRole('dialog').count()).toBe(0);
  const bar = page.getByRole('toolbar', { name: 'Selected findings' });
  await bar.getByText('1 selected').waitFor();
  await eventually(() => bar.getByRole('button').allInnerTexts()).toEqual([
    expect.stringMatching(/^Select all/),
    'Fix',
    '',
  ]);
  await bar.getByRole('button', { name: 'Drop the selection' }).click();
  await page.keyboard.press('j');
  await page.keyboard.press('Enter');
  const panel = findingPanel(page);
  await panel.getByText('An admin or security operator decides').waitFor();
  expect(await panel.getByRole('button', { name: 'False positive' }).isDisabled()).toBe(true);
  await panel.getByRole('tab', { name: 'Decisions' }).click();
  await panel.getByText('An admin or security operator changes these.').waitFor();
  expect(await panel.getByLabel('Severity').isDisabled()).toBe(true);
  const id = new URL(page.url()).pathname.split('/').at(-1);
  const api = await apiOf('developer');
  expect((await api.call('PUT', `/findings/${id}`, { severity: 'low' })).status).toBe(403);
  const { body } = await seeded.api.get(
    `/findings?${toQueryString({ filters: { repository: [seeded.repositoryIds[10]] }, pagination: { page: 1, pageSize: 1 } })}`,
  );
  const foreign = body.data[0]._id;
  expect((await api.get(`/findings/${foreign}`)).status).toBe(404);
  visitor.expectTrouble(/answer: 404|console: .*PageError/s);
  await page.goto(`/findings/finding-details/${foreign}`);
  await page.getByText('Finding data not found').waitFor();
  visitor.assertCalm();
  await visitor.context.close();
});
