import { afterEach } from 'vitest';
import { openPages } from './harness/browser.ts';

/** As much of a page as tells where its visitor stood. */
const MOST_TEXT = 1500;
const ANSWER_MS = 5000;

const textOf = async (page: ReturnType<typeof openPages>[number]): Promise<string> => {
  const silent = new Promise<string>((resolve) => setTimeout(() => resolve('(it does not answer)'), ANSWER_MS).unref());
  const read = page.evaluate(() => document.body.innerText).catch((error: unknown) => `(closed: ${String(error)})`);
  return Promise.race([read, silent]);
};

// what a failed step waited for is told by its error; what was there instead is added to it, so that every report of the run has both
afterEach(async ({ task }) => {
  const [error] = task.result?.errors ?? [];
  if (error === undefined || error.message.startsWith('not reached')) return;
  for (const page of openPages()) {
    const text = (await textOf(page)).replaceAll(/\s+/g, ' ').slice(0, MOST_TEXT);
    const shown = `\n${page.url()} showed: ${text}`;
    error.message += shown;
    if (error.stack !== undefined) error.stack += shown;
  }
});
