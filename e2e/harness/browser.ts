import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import { accessibilityIssues } from './accessibility.ts';
import { watchRequests } from './visit.ts';

const SHOTS = path.join(import.meta.dirname, '../screenshots');

export const DESKTOP = { width: 1440, height: 900 };
export const PHONE = { width: 390, height: 844 };

/** A browser of its own, which the caller ends. */
export const startBrowser = (): Promise<Browser> =>
  chromium.launch({
    executablePath: process.env['BREAKWATER_CHROMIUM'] ?? '/usr/bin/chromium',
    args: [
      '--headless',
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });

const startShared = async (): Promise<Browser> => {
  const browser = await startBrowser();
  const closeContexts = async (): Promise<void> => {
    for (const context of browser.contexts()) await context.close();
  };
  return Object.assign(browser, { close: closeContexts });
};

let running: Promise<Browser> | undefined;
let shared: Browser | undefined;

/**
 * The browser of this worker, started by the first journey and ended with the process. Closing it ends what a journey opened in it;
 * visitors share nothing with each other, as in browsers of their own.
 */
export const launchBrowser = async (): Promise<Browser> => {
  const browser = await running?.catch(() => undefined);
  if (browser?.isConnected() === true) return browser;
  running = startShared();
  shared = await running;
  return shared;
};

/** The pages that stand open in the browser of this worker. */
export const openPages = (): Page[] => shared?.contexts().flatMap((context) => context.pages()) ?? [];

export interface Visitor {
  context: BrowserContext;
  page: Page;
  /** What went wrong in the browser so far: console errors, exceptions, failed requests, answers of 400 and above. */
  troubles: string[];
  /** Troubles that match are part of the journey and are not reported. */
  expectTrouble(pattern: RegExp): void;
  /** Those that are no part of the journey. */
  unexpectedTroubles(): string[];
  /** @throws when anything went wrong that the journey did not expect. */
  assertCalm(): void;
}

export interface VisitorOptions {
  viewport?: { width: number; height: number };
  colorScheme?: 'light' | 'dark';
  /** Pixels of the device to one of the page. */
  scale?: number;
  /** What the browser asks for, BCP 47. */
  locale?: string;
}

const watch = (page: Page, troubles: string[]): void => {
  page.on('pageerror', (error) => troubles.push(`exception: ${error.message}`));
  page.on('console', (message) => {
    // The browser repeats every failed answer here without its address; `response` below tells more.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource'))
      troubles.push(`console: ${message.text()}`);
  });
  page.on('requestfailed', (request) => {
    const reason = request.failure()?.errorText ?? '';
    // Leaving a page ends its requests and its event stream.
    if (reason !== 'net::ERR_ABORTED') troubles.push(`request: ${request.method()} ${request.url()} ${reason}`);
  });
  page.on('response', (response) => {
    if (response.status() >= 400)
      troubles.push(`answer: ${response.status()} ${response.request().method()} ${response.url()}`);
  });
};

/** A person with a browser of their own: nothing is shared with other visitors. */
export const newVisitor = async (browser: Browser, baseURL: string, options: VisitorOptions = {}): Promise<Visitor> => {
  const context = await browser.newContext({
    baseURL,
    viewport: options.viewport ?? DESKTOP,
    colorScheme: options.colorScheme ?? 'light',
    reducedMotion: 'reduce',
    deviceScaleFactor: options.scale ?? 1,
    ...(options.locale === undefined ? {} : { locale: options.locale }),
  });
  context.setDefaultTimeout(120_000);
  const page = await context.newPage();
  const troubles: string[] = [];
  const expected: RegExp[] = [];
  watch(page, troubles);
  watchRequests(page);
  const unexpectedTroubles = () => troubles.filter((trouble) => !expected.some((pattern) => pattern.test(trouble)));
  return {
    context,
    page,
    troubles,
    expectTrouble: (pattern) => {
      expected.push(pattern);
    },
    unexpectedTroubles,
    assertCalm: () => expect(unexpectedTroubles()).toEqual([]),
  };
};

/** A picture for people to look at, where they ask for it by BREAKWATER_PICTURES=1; git does not keep it. */
export const takeShot = async (page: Page, name: string): Promise<void> => {
  if (process.env['BREAKWATER_PICTURES'] === undefined) return;
  await mkdir(SHOTS, { recursive: true });
  await page.screenshot({ path: path.join(SHOTS, `${name}.png`), animations: 'disabled' });
};

/** At every size and in both colours: asserts that nothing is wrong for assistive technology, and takes a picture where they are wanted. */
export const lookAt = async (page: Page, name: string): Promise<void> => {
  for (const viewport of [DESKTOP, PHONE]) {
    await page.setViewportSize(viewport);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const issues = await accessibilityIssues(page, colorScheme === 'light' ? 'all' : 'colours');
      if (issues.length > 0) throw new Error(`${name} ${viewport.width} ${colorScheme}: ${JSON.stringify(issues)}`);
      await takeShot(page, `${name}-${viewport.width}-${colorScheme}`);
    }
  }
  await page.setViewportSize(DESKTOP);
  await page.emulateMedia({ colorScheme: 'light' });
};
