import type { Page, Request } from 'playwright-core';

/** Requests under way, of pages that are watched. */
const underWay = new WeakMap<Page, Set<Request>>();

/** Follows what a page asks for, so that `rest` knows when it asks for nothing more. */
export const watchRequests = (page: Page): void => {
  const requests = new Set<Request>();
  underWay.set(page, requests);
  page.on('request', (request) => {
    // the stream of live events never ends
    if (request.resourceType() !== 'eventsource') requests.add(request);
  });
  page.on('requestfinished', (request) => requests.delete(request));
  page.on('requestfailed', (request) => requests.delete(request));
};

/** As long as a slow machine may take for one page. */
const REST_MS = 120_000;

/** @throws what is not so in time */
const waitFor = async (isSo: () => Promise<boolean> | boolean, missing: () => string): Promise<void> => {
  const deadline = Date.now() + REST_MS;
  while (!(await isSo())) {
    if (Date.now() > deadline) throw new Error(`The page does not rest: ${missing()}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
};

/** The page has nothing to do at the moment. It is asked again and again, as Chromium at times loses a promise that is waited on. */
const waitUntilIdle = async (page: Page): Promise<void> => {
  const isIdle = (isFirst: boolean) =>
    page.evaluate((asks) => {
      if (asks) {
        delete document.documentElement.dataset['idle'];
        const note = () => document.documentElement.setAttribute('data-idle', '');
        // behind all else that waits; `requestIdleCallback` waits for a frame, which a page that stands still may not draw
        void window.scheduler.postTask(note, { priority: 'background' });
      }
      // React keeps a placeholder for 300 ms once it is shown, and the page then asks for its data: its timer is no work that is seen
      return document.documentElement.dataset['idle'] !== undefined && document.querySelector('.sk-rows') === null;
    }, isFirst);
  await isIdle(true);
  await waitFor(
    () => isIdle(false),
    () => 'it is always at work, or shows the place of rows that do not come',
  );
};

/** Waits until a page has done what it had to do, and asks for nothing more: twice in a row, as an answer is work again. */
export const rest = async (page: Page): Promise<void> => {
  const requests = underWay.get(page) ?? new Set();
  for (let quiet = 0; quiet < 2; quiet = requests.size === 0 ? quiet + 1 : 0) {
    await waitFor(
      () => requests.size === 0,
      () => `no answer to ${[...requests].map((one) => one.url()).join(', ')}`,
    );
    await waitUntilIdle(page);
  }
};

/** Something stands above the page, or no page of the application is open yet. */
const needsLoading = async (page: Page): Promise<boolean> =>
  !page.url().startsWith('http') || (await page.locator('.bp6-portal .bp6-overlay-open').count()) > 0;

/**
 * Leads the application to one of its addresses as its own links do, and waits until the page rests. Loading all of it again takes several
 * times as long: that is done only where nothing is open, or a dialog or menu would stay open above the page.
 */
export const visit = async (page: Page, address: string): Promise<void> => {
  if (await needsLoading(page)) await page.goto(address);
  else {
    await page.evaluate((target) => {
      window.history.pushState(null, '', target);
      window.dispatchEvent(new PopStateEvent('popstate', { state: null }));
    }, address);
  }
  await rest(page);
};
