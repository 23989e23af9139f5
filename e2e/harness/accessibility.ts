import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type axe from 'axe-core';
import type { Page } from 'playwright-core';

/** axe's rules about colours up to level AA. */
const COLOUR_RULES = ['color-contrast', 'link-in-text-block'];

/**
 * Chromium at times collects the promise that the page is waited on by, while axe is still at work; that says nothing of the page. Not
 * always it says so: then there is no answer at all, where one takes seconds.
 */
const LOST_PROMISE = /promise was (?:garbage )?collected|axe is already running/i;
const ANALYSES = 5;
const ANSWER_MS = 45_000;

/** @throws an error that counts as a lost promise */
const answered = async <T>(work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('The promise was collected: no answer.')), ANSWER_MS);
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
};

let source: Promise<string> | undefined;

/** axe stays in a page until another one is loaded: its 650 kB are sent and compiled once for all looks at it. */
const load = async (page: Page): Promise<void> => {
  if (await page.evaluate(() => 'axe' in window)) return;
  source ??= readFile(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');
  await page.evaluate(`${await source};0`);
};

/** One that is still at work refuses to begin again: the next look gets another. */
const dropAxe = (page: Page): Promise<void> => page.evaluate(() => void Reflect.deleteProperty(window, 'axe'));

/** What it finds is kept in the page and asked for, since Chromium may collect the promise of a run that takes seconds. */
const analyze = async (page: Page, rules: readonly string[] | undefined): Promise<string[]> => {
  await load(page);
  await page.evaluate((runOnly) => {
    const look: Window['axeLook'] = {};
    window.axeLook = look;
    const options = { resultTypes: ['violations' as const], ...(runOnly && { runOnly: [...runOnly] }) };
    window.axe.run(document, options).then(
      ({ violations }) => {
        look.issues = violations
          .filter(({ impact }) => impact === 'serious' || impact === 'critical')
          .map(({ id, nodes }) => `${id}: ${nodes.map(({ target }) => target.join(' ')).join(', ')}`);
      },
      (error: unknown) => {
        look.error = String(error);
      },
    );
  }, rules);
  const isOver = (): boolean => window.axeLook?.issues !== undefined || window.axeLook?.error !== undefined;
  await page.waitForFunction(isOver, undefined, { polling: 50, timeout: 0 });
  const { issues, error } = await page.evaluate(() => window.axeLook ?? {});
  if (issues === undefined) throw new Error(error ?? 'The page was left while axe looked at it.');
  return issues;
};

declare global {
  interface Window {
    axe: typeof axe;
    axeLook?: { issues?: string[]; error?: string };
  }
}

/**
 * Violations that keep people out: serious and critical ones, each with the elements. The application has no frames that hold anything of
 * its own, so axe runs in the page alone. `colours`: contrast and the like alone, for a page that was looked at in another colour mode.
 */
export const accessibilityIssues = async (page: Page, rules: 'all' | 'colours' = 'all'): Promise<string[]> => {
  for (let left = ANALYSES - 1; ; left -= 1) {
    try {
      return await answered(analyze(page, rules === 'all' ? undefined : COLOUR_RULES));
    } catch (error) {
      if (left === 0 || !(error instanceof Error && LOST_PROMISE.test(error.message))) throw error;
      await dropAxe(page);
    }
  }
};
