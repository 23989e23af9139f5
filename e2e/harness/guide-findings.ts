import { closeByEscape, look, openBy } from './guide.ts';
import { addColleagues, addShop, addVisitor, DEVELOPER, DEVELOPER_ACCOUNT, type GuideWalk } from './guide-world.ts';
import { demoFiles } from './reports.ts';
import { dropFiles, findingPanel, finishUpload, listRows, setUpOnScreen, signInOnScreen } from './screens.ts';
import { rest, visit } from './visit.ts';

/** Walks through the sections of the user guide that are about findings. */

export const walkStart: GuideWalk = async ({ admin: { page } }, seen) => {
  await page.goto('/');
  await page.waitForURL('**/setup');
  await look(page, seen);
  await setUpOnScreen(page);
  await page.getByRole('heading', { name: 'Where are your findings?' }).waitFor();
  await look(page, seen, { name: 'first-start' });
  for (const menu of ['Colour mode', /Account of/]) {
    await openBy(page, page.getByRole('button', { name: menu }));
    await look(page, seen);
    await closeByEscape(page);
  }
  // the browser keeps what the first page asked for before anybody was signed in: pages are loaded anew
  for (const address of ['/settings', '/settings/profile', '/help']) {
    await page.goto(address);
    await look(page, seen);
  }
};

export const walkImport: GuideWalk = async (world, seen) => {
  const { page } = world.admin;
  await visit(page, '/');
  const files = (await demoFiles()).map(({ file }) => file);
  await dropFiles(page, page.locator('.dropzone').first(), files);
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Application').fill('Juice Shop');
  // closes the list of applications
  await page.keyboard.press('Tab');
  await dialog.getByRole('button', { name: 'Upload 5 reports' }).waitFor();
  await look(page, seen, { name: 'import' });
  await finishUpload(page, 'Juice Shop', files.length);
  await look(page, seen);
  await dialog.getByRole('button', { name: 'Show findings' }).click();
  await listRows(page).first().waitFor();
  await look(page, seen);
  await visit(page, '/Repositories');
  await look(page, seen);
  await page.getByRole('button', { name: 'Imports of Juice Shop' }).click();
  await page.getByRole('list', { name: 'Imports', exact: true }).waitFor();
  await look(page, seen);
  for (const address of ['/settings', '/connector/tools?open=miscellaneous/plexalyzer', '/settings/tokens']) {
    await visit(page, address);
    await look(page, seen);
  }
  await addColleagues(world);
};

export const walkFind: GuideWalk = async ({ admin: { page } }, seen) => {
  const openList = async (address = '/findings') => {
    await page.goto(address);
    await listRows(page).first().waitFor();
  };
  await openList();
  await look(page, seen, { name: 'list' });
  for (const name of ['Filter by Severity', 'All filters', 'Columns', 'Export']) {
    await openBy(page, page.getByRole('button', { name, exact: true }));
    await look(page, seen);
    await closeByEscape(page);
  }
  await openList('/findings?severity=critical');
  await openBy(page, page.getByRole('button', { name: 'Views', exact: true }));
  await page.getByLabel('Save what the list shows now').fill('Critical first');
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Delete the view Critical first' }).waitFor();
  await look(page, seen);
  await page.getByRole('button', { name: 'Delete the view Critical first' }).click();
  await page.getByRole('button', { name: 'Views', exact: true }).waitFor();
  await page.goto('/findings?group=fix');
  const groups = page.getByRole('list', { name: 'Findings by fix' });
  await groups.getByRole('button').first().click();
  await page
    .getByRole('list', { name: /^Findings of Upgrade stdlib/ })
    .getByRole('link')
    .first()
    .waitFor();
  await look(page, seen, { name: 'groups' });
  await openList();
  await page.keyboard.press('?');
  await page.getByRole('dialog', { name: 'Keys' }).waitFor();
  await look(page, seen);
  await closeByEscape(page);
};

export const walkDecide: GuideWalk = async ({ admin: { page } }, seen) => {
  await page.goto('/findings?search=routes%2Flogin.ts');
  await listRows(page).first().getByRole('link').first().click();
  const panel = findingPanel(page);
  await panel.getByRole('heading', { name: 'Why this score' }).waitFor();
  await panel.getByRole('button', { name: 'Assign' }).waitFor();
  await look(page, seen, { name: 'finding' });
  for (const tab of ['Decisions', 'Other results', 'History']) {
    await panel.getByRole('tab', { name: tab }).click();
    await look(page, seen);
  }
  await openBy(page, panel.getByRole('button', { name: 'Verdict' }));
  await look(page, seen);
  await closeByEscape(page);
  await panel.getByRole('button', { name: 'False positive' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reason').fill('The sample is never reached from outside.');
  await look(page, seen);
  await dialog.getByRole('button', { name: 'Mark false positive' }).click();
  await page.getByText('1 marked false positive').waitFor();
  await look(page, seen);
  await page.getByRole('button', { name: 'Undo', exact: true }).click();
  await rest(page);
  await page.goto('/findings');
  await listRows(page).first().getByRole('checkbox').check();
  await look(page, seen);
  await page.getByRole('toolbar', { name: 'Selected findings' }).getByRole('button', { name: 'Assign' }).click();
  await page.getByRole('dialog').getByRole('option', { name: DEVELOPER }).click();
  await look(page, seen);
  await page.getByRole('dialog').getByRole('button', { name: 'Assign', exact: true }).click();
  await page.getByRole('dialog').waitFor({ state: 'hidden' });
};

export const walkFix: GuideWalk = async (world, seen) => {
  const { page } = world.admin;
  await addShop(world);
  await page.goto('/findings?search=Flask');
  await listRows(page).getByRole('link', { name: 'Flask leaks session cookies' }).click();
  const panel = findingPanel(page);
  await panel.getByRole('tab', { name: 'Fix' }).click();
  await panel.getByRole('button', { name: 'Generate fix' }).waitFor();
  await look(page, seen);
  await panel.getByRole('button', { name: 'Generate fix' }).click();
  await panel.getByText('+flask==2.3.2').waitFor();
  await look(page, seen, { name: 'fix' });
  await panel.getByRole('link', { name: 'Review and edit the patch' }).click();
  await page.getByLabel('requirements.txt after the patch').waitFor();
  await look(page, seen, { name: 'patch' });
  await page.getByLabel('Title', { exact: true }).fill('Upgrade Flask');
  await page.getByRole('button', { name: 'Drop my changes' }).waitFor();
  await look(page, seen);
  await page.getByRole('button', { name: 'Save', exact: true }).click();
  await page.getByRole('button', { name: 'Drop my changes' }).waitFor({ state: 'detached' });
  await page.getByRole('button', { name: 'Open pull request' }).click();
  await page.getByRole('link', { name: 'Open pull request 1' }).waitFor();
  await look(page, seen);
  await page.goto('/findings');
  await listRows(page).first().getByRole('checkbox').check();
  await look(page, seen);
  await page.getByRole('toolbar', { name: 'Selected findings' }).getByRole('button', { name: 'Fix' }).click();
  await page.getByRole('dialog').getByRole('list', { name: 'Repositories' }).waitFor();
  await look(page, seen);
  for (const address of ['/settings/ai', '/connector/providers']) {
    await page.goto(address);
    await look(page, seen);
  }
};

export const walkDeveloper: GuideWalk = async (world, seen) => {
  const { page } = await addVisitor(world);
  await page.goto('/login');
  await look(page, seen);
  await signInOnScreen(page, DEVELOPER_ACCOUNT.name, DEVELOPER_ACCOUNT.password);
  await look(page, seen);
  await visit(page, '/notifications');
  await look(page, seen);
  await page.getByRole('link', { name: 'A finding was assigned to you' }).click();
  await findingPanel(page).getByRole('heading', { name: 'Why this score' }).waitFor();
  await look(page, seen);
  await findingPanel(page).getByRole('button', { name: 'Propose a verdict' }).click();
  await page.getByRole('dialog').getByLabel('Proposed verdict').waitFor();
  await look(page, seen);
};
