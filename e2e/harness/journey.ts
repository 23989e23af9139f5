import type { Browser, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect } from 'vitest';
import { launchBrowser, type Visitor } from './browser.ts';
import { type Seeded, startSeeded } from './installation.ts';

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
  const opened: (() => Promise<unknown>)[] = [];
  let journey: SeededJourney | undefined;
  beforeAll(async () => {
    const browser = await launchBrowser();
    opened.push(() => browser.close());
    const seeded = await startSeeded();
    opened.push(() => seeded.stop());
    await prepare(seeded);
    const visitor = await seeded.visit(browser);
    journey = { seeded, browser, visitor, page: visitor.page };
    onStart(journey);
  });
  afterAll(async () => {
    for (const close of opened) await close();
  });
  afterEach(() => {
    journey?.visitor.assertCalm();
    expect(journey?.seeded.server.errors()).toEqual([]);
  });
};

/** For a file whose tests are one person's steps: after the first failed step the rest fail at once instead of waiting. */
export const stopAfterFailure = (): void => {
  let failedStep: string | undefined;
  beforeEach(({ task, onTestFailed }) => {
    if (failedStep !== undefined) throw new Error(`not reached: "${failedStep}" failed`);
    onTestFailed(() => {
      failedStep ??= task.name;
    });
  });
};

/** `waitFor` for what changes: asserts until it holds, as long as vitest.config.ts says. */
export const eventually = <T>(read: () => T | Promise<T>) => expect.poll(read);
