import { OPEN_STATUSES } from '@breakwater/core/findings/model/states.ts';
import { toQueryString } from '@breakwater/core/platform/ui/data/api-client.ts';
import type { Page } from 'playwright-core';
import { expect, test } from 'vitest';
import { signIn } from '../../harness/api.ts';
import { PASSWORD } from '../../harness/database.ts';
import type { Seeded } from '../../harness/installation.ts';
import { seededJourney } from '../../harness/journey.ts';
import { listCount } from '../../harness/screens.ts';

/** Acceptance point 21: every chart segment leads to the list with the same filter and the same number; every chart has a table view. */

const CARDS = [
  'Found over time',
  'By severity',
  'OWASP Top 10, 2025',
  'SLSA threats',
  'CI/CD risks',
  'Supply chain',
  'Repositories',
  'Remediation',
  'Age of the backlog',
  'Past target',
  'Mean time to fix',
];

let seeded: Seeded;
let page: Page;
let developer: { id: string; username: string };

seededJourney(
  (journey) => {
    ({ seeded, page } = journey);
  },
  async (seeded) => {
    // The seed knows no places in the supply chain.
    await seeded.database.query(
      `update finding_definitions set slsa_threats = array[chr(65 + (id % 8)::integer)], owasp_cicd = array['CICD-SEC-' || (1 + id % 10)],
       owasp_2021 = 'A0' || (1 + id % 9) || ':2021' where id % 3 > 0`,
    );
    developer = await seeded.database.addUser('developer');
    await seeded.database.query('update repositories set owner = $1 where id = any($2)', [
      developer.id,
      seeded.repositoryIds.slice(0, 2),
    ]);
  },
);

const card = (name: string) => page.getByRole('region', { name, exact: true });

const openDashboard = async (): Promise<void> => {
  await page.goto('/');
  for (const name of CARDS) await card(name).getByRole('button', { name: 'Table', exact: true }).click();
  for (const name of CARDS) await card(name).locator('td').first().waitFor();
};

test('each chart has a table, whose numbers lead to a list that counts the same', async () => {
  await openDashboard();
  const links: { name: string; figure: string; href: string }[] = [];
  for (const name of CARDS) {
    const link = card(name).locator('td a').last();
    links.push({ name, figure: await link.innerText(), href: (await link.getAttribute('href')) ?? '' });
  }
  const issues: string[] = [];
  for (const { name, figure, href } of links) {
    await page.goto(href);
    const hasFigure = listCount(page).filter({ hasText: new RegExp(`(^|\\D)${figure}(\\D|$)`) });
    await hasFigure.waitFor({ timeout: 120_000 }).catch(async () => {
      issues.push(`${name}: ${figure} on the chart, "${await listCount(page).innerText()}" at ${href}`);
    });
  }
  expect(issues).toEqual([]);
});

test('what the week found leads to a list that counts the same', async () => {
  await page.goto('/');
  const found = page.getByRole('region', { name: 'Since last week' }).getByRole('link', { name: /New findings/ });
  const figure = (await found.innerText()).trim();
  await found.click();
  await page.waitForURL(/found_gt=/);
  await listCount(page)
    .filter({ hasText: new RegExp(`(^|\\D)${figure}(\\D|$)`) })
    .waitFor();
});

test('a bar is a link too, and a chart says what it is to those who do not see it', async () => {
  await page.goto('/');
  const bars = card('By severity').locator('[aria-busy="false"] svg path[fill]:not([fill="none"])');
  await bars.first().waitFor();
  await expect
    .poll(() => card('OWASP Top 10, 2025').locator('[aria-label*="The table view holds the numbers"]').count(), {
      timeout: 120_000,
    })
    .toBeGreaterThan(0);
  const critical = page.getByRole('navigation', { name: 'Figures' }).getByRole('link', { name: /Critical/ });
  const figure = (await critical.locator('.f').innerText()).trim();
  await bars.first().click();
  await page.waitForURL(/severity=critical/);
  await listCount(page).filter({ hasText: figure }).waitFor();
});

test('the span and the edition are switched, and the keyboard reaches every segment by the table', async () => {
  await openDashboard();
  await page.getByLabel('Period').selectOption('12m');
  await page.waitForURL(/period=12m/);
  await expect
    .poll(() => card('Found over time').locator('tbody tr').last().innerText(), { timeout: 120_000 })
    .toMatch(/2025/);
  await card('OWASP Top 10, 2025').getByLabel('Edition').selectOption('2021');
  const table = card('OWASP Top 10, 2021');
  await table.getByText('A01:2021 Broken Access Control').waitFor();
  const link = table.locator('td a').first();
  const figure = await link.innerText();
  await link.focus();
  await page.keyboard.press('Enter');
  await page.waitForURL(/owasp=A0/);
  await listCount(page).filter({ hasText: figure }).waitFor();
});

interface Chart {
  series: { name: string; data: number[] }[];
  segments: (Record<string, unknown> | null)[][];
}

test.each(['admin', 'developer'] as const)(
  'every segment of every chart counts what the list does, for %s',
  async (role) => {
    const api = role === 'admin' ? seeded.api : await signIn(seeded.server, developer.username, PASSWORD);
    const filters = {
      status: [...OPEN_STATUSES],
      false_positive: 'hide',
      accepted_risk: 'hide',
      is_duplicate: 'hide',
    };
    const issues: unknown[] = [];
    let checked = 0;
    for (const path of [
      '/findings_by_repo_chart?',
      '/findings_by_owner_chart?',
      '/supply_chain_chart?',
      '/owasp_chart?',
      '/owasp_chart?edition=2021&',
      '/slsa_threats_chart?',
      '/owasp_cicd_chart?',
      '/found_findings_chart?period=12w&',
      '/backlog_age_chart?',
      '/overdue_chart?',
      '/time_to_fix_chart?',
    ]) {
      const chart: Chart = (await api.get(`${path}${toQueryString({ filters })}`)).body.data;
      for (const [s, row] of chart.segments.entries()) {
        for (const [l, segment] of row.entries()) {
          if (segment === null) continue;
          const query = { filters: { ...filters, ...segment }, pagination: { page: 1, pageSize: 1 } };
          const { body } = await api.get(`/findings?${toQueryString(query)}`);
          const listed = body.meta?.pagination.total;
          checked += 1;
          if (listed !== chart.series[s]?.data[l])
            issues.push({ path, segment, listed, drawn: chart.series[s]?.data[l] });
        }
      }
    }
    expect(issues).toEqual([]);
    expect(checked).toBeGreaterThan(100);
  },
  240_000,
);
