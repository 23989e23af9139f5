import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ADMIN, setUp } from '../../harness/api.ts';
import { DESKTOP, launchBrowser, newVisitor, PHONE } from '../../harness/browser.ts';
import { type Installation, startInstallation } from '../../harness/installation.ts';
import { signInOnScreen } from '../../harness/screens.ts';
import type { RunningServer } from '../../harness/server.ts';

/**
 * Acceptance point 23: light, dark and system without a flash, visible focus, reduced motion. What axe finds on each screen in both
 * modes is held by accessibility.test.ts.
 */

let installation: Installation;
let server: RunningServer;
let browser: Browser;

beforeAll(async () => {
  [installation, browser] = await Promise.all([startInstallation(), launchBrowser()]);
  ({ server } = installation);
  await setUp(server);
});
afterAll(async () => {
  await browser.close();
  await installation.stop();
});

const CASES = [
  { stored: null, system: 'light', isDark: false },
  { stored: null, system: 'dark', isDark: true },
  { stored: 'light', system: 'dark', isDark: false },
  { stored: 'dark', system: 'light', isDark: true },
] as const;

test.each(CASES)('stored $stored on a $system system: the mode stands before anything is painted', async (one) => {
  const { page, context } = await newVisitor(browser, server.url, { colorScheme: one.system });
  await page.addInitScript((stored) => {
    if (stored !== null) localStorage.setItem('bw-theme', stored);
    // the class at the time of each change of the page, from the first element on
    Object.assign(window, { modes: [] });
    new MutationObserver(() => {
      if (document.body !== null)
        Reflect.get(window, 'modes').push(document.documentElement.classList.contains('bp6-dark'));
    }).observe(document, { childList: true, subtree: true, attributes: true });
  }, one.stored);
  await page.goto('/login');
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  const modes: unknown[] = await page.evaluate(() => Reflect.get(window, 'modes'));
  expect(modes.length).toBeGreaterThan(0);
  expect(new Set(modes)).toEqual(new Set([one.isDark]));
  const background = await page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor);
  expect(background).toBe(one.isDark ? 'rgb(17, 17, 19)' : 'rgb(246, 246, 247)');
  await context.close();
});

test('the keyboard walks the dashboard with a focus that can be seen', async () => {
  const { page, context } = await newVisitor(browser, server.url);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await page.getByRole('heading', { name: 'Where are your findings?' }).waitFor();
  const invisible: string[] = [];
  const reached = new Set<string>();
  for (let step = 0; step < 20; step += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => {
      const element = document.activeElement;
      if (element === null || element === document.body) return undefined;
      const styles = [element, element.parentElement].flatMap((one) => (one === null ? [] : [getComputedStyle(one)]));
      const isSeen = styles.some(
        ({ outlineStyle, outlineWidth, boxShadow }) =>
          (outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none',
      );
      return {
        name: `${element.tagName} ${element.textContent?.trim() || element.getAttribute('aria-label')}`,
        isSeen,
      };
    });
    if (focused === undefined) continue;
    reached.add(focused.name);
    if (!focused.isSeen) invisible.push(focused.name);
  }
  expect(invisible).toEqual([]);
  expect(reached.size).toBeGreaterThan(8);
  await context.close();
});

test('nothing moves for those who asked for less motion', async () => {
  const { page, context } = await newVisitor(browser, server.url);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await page.getByRole('heading', { name: 'Where are your findings?' }).waitFor();
  expect(await page.evaluate(() => matchMedia('(prefers-reduced-motion: reduce)').matches)).toBe(true);
  const moving = await page.locator('body *').evaluateAll((elements) =>
    elements
      .filter((element) => {
        const { transitionDuration, animationDuration, animationName } = getComputedStyle(element);
        const longest = Math.max(...transitionDuration.split(',').map(Number.parseFloat));
        return longest > 0.01 || (animationName !== 'none' && Number.parseFloat(animationDuration) > 0.01);
      })
      .map((element) => element.outerHTML.slice(0, 80)),
  );
  expect(moving).toEqual([]);
  await context.close();
});

// text areas were one line high in the dark mode, and fields of phones too low: colours alone tell the modes apart
test.each([DESKTOP, PHONE])('fields have the same size and font in both modes, at $width px', async (viewport) => {
  const { page, context } = await newVisitor(browser, server.url, { viewport });
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  for (const path of ['/settings/scans', '/settings/single-sign-on', '/Organization']) {
    await page.goto(path);
    await page.locator('textarea').first().waitFor();
    const measured = [];
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.waitForFunction(
        (isDark) => document.documentElement.classList.contains('bp6-dark') === isDark,
        colorScheme === 'dark',
      );
      measured.push(
        await page.locator('input, textarea, select, button').evaluateAll((fields) =>
          fields.map((field) => {
            const { width, height } = field.getBoundingClientRect();
            return [field.id, field.className, width, height, getComputedStyle(field).fontFamily];
          }),
        ),
      );
    }
    expect(measured[1]).toEqual(measured[0]);
  }
  await context.close();
});
