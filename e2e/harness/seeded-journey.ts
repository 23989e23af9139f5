import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect } from 'vitest';
import { launchBrowser, type Visitor } from './browser.ts';
import { type Seeded, startSeeded } from './seeded.ts';

export interface SeededJourney {
  seeded: Seeded;
  browser: Browser;
  /** The admin, signed in. */
  visitor: Visitor;
  page: Page;
}

/**
 * A journey through 10,000 findings: started before the tests and stopped after them; after each test neither browser nor server
 * has anything to complain of. @param onStart gets what was started. @param prepare changes the findings before anybody signs in.
 */
export const seededJourney = (
  onStart: (journey: SeededJourney) => void,
  prepare: (seeded: Seeded) => Promise<void> = async () => undefined,
): void => {
  let journey: SeededJourney;
  beforeAll(async () => {
    const [seeded, browser] = await Promise.all([startSeeded(), launchBrowser()]);
    await prepare(seeded);
    const visitor = await seeded.visit(browser);
    journey = { seeded, browser, visitor, page: visitor.page };
    onStart(journey);
  });
  afterAll(async () => {
    await journey.browser.close();
    await journey.seeded.stop();
  });
  afterEach(() => {
    journey.visitor.assertCalm();
    expect(journey.seeded.server.errors()).toEqual([]);
  });
};
