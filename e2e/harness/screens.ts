import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Locator, Page } from 'playwright-core';
import { ADMIN } from './api.ts';

/** What a person does on the screens, in words of the screens. Nothing here asserts. */

export const setUpOnScreen = async (page: Page): Promise<void> => {
  await page.goto('/');
  await page.waitForURL('**/setup');
  await page.getByLabel('Organisation').fill(ADMIN.organization_name);
  await page.getByLabel('Email').fill(ADMIN.email);
  await page.getByLabel('Username').fill(ADMIN.username);
  await page.getByLabel('Password', { exact: true }).fill(ADMIN.password);
  await page.getByLabel('Repeat password').fill(ADMIN.password);
  await page.getByRole('button', { name: 'Create organisation' }).click();
  await page.waitForURL((url) => url.pathname === '/');
};

export const signInOnScreen = async (page: Page, name: string, password: string): Promise<void> => {
  await page.goto('/login');
  await page.getByLabel('Email or username').fill(name);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL((url) => !url.pathname.startsWith('/login'));
};

/** Lets texts fall onto a place of the page as files, as a person drags them in. */
export const dropTexts = async (
  page: Page,
  target: Locator,
  files: readonly { name: string; text: string }[],
): Promise<void> => {
  const dataTransfer = await page.evaluateHandle((items) => {
    const transfer = new DataTransfer();
    for (const { name, text } of items) transfer.items.add(new File([text], name, { type: 'application/json' }));
    return transfer;
  }, files);
  for (const type of ['dragenter', 'dragover', 'drop']) await target.dispatchEvent(type, { dataTransfer });
};

/** The same with files of the disk. */
export const dropFiles = async (page: Page, target: Locator, files: readonly string[]): Promise<void> => {
  const texts = await Promise.all(
    files.map(async (file) => ({ name: path.basename(file), text: await readFile(file, 'utf8') })),
  );
  await dropTexts(page, target, texts);
};

/** Fills in the open upload dialog and waits until every report is imported. */
export const finishUpload = async (page: Page, application: string, reports: number): Promise<Locator> => {
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Application').fill(application);
  await dialog.getByRole('button', { name: `Upload ${reports} reports` }).click();
  await dialog.getByText(`Reports of ${application} imported`).waitFor({ timeout: 120_000 });
  return dialog;
};

/** The sentence beside the chips: "108 findings". */
export const listCount = (page: Page): Locator => page.locator('.fcount');

/** The rows of the list that are in the document, top first. */
export const listRows = (page: Page): Locator => page.locator('tr.ft-row:not(.is-waiting)');

/** The open finding beside the list. */
export const findingPanel = (page: Page): Locator => page.getByRole('complementary', { name: 'Finding' });

/** Id of the finding whose row has the focus. */
export const focusedFinding = (page: Page): Promise<string | null> =>
  page.evaluate(() => document.activeElement?.getAttribute('data-finding') ?? null);
