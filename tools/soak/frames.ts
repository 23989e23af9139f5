import { ADMIN, addRepository, setUp } from '../../e2e/harness/api.ts';
import { newVisitor, startBrowser, type Visitor } from '../../e2e/harness/browser.ts';
import { generatedReport } from '../../e2e/harness/reports.ts';
import { listRows, signInOnScreen } from '../../e2e/harness/screens.ts';
import { removeFolder, startServer } from '../../e2e/harness/server.ts';

/**
 * Scrolling through findings, at reading speed and from the first to the last: frames per second, and how many rows are in the document.
 * Argument: number of findings. Source: experience.md, point 7.
 */
const RESULTS = Number(process.argv[2] ?? 100_000);
const SECONDS = 10;
const LEAST_FRAMES_PER_SECOND = 50;
const MOST_ROWS = 60;
const READING_PX = 60;

interface Scrolled {
  frames: number;
  longestMs: number;
  mostRows: number;
  /** Pixels. */
  reached: number;
}

/** Scrolls from the start by so many pixels a frame; without them by what brings it through the whole list. */
const scrolling = (page: Visitor['page'], pixels: number | undefined): Promise<Scrolled> =>
  page.locator('.ft-scroll').evaluate(
    (element, { seconds, by }) =>
      new Promise<Scrolled>((resolve) => {
        element.scrollTo(0, 0);
        const end = performance.now() + seconds * 1000;
        const step = by ?? (element.scrollHeight - element.clientHeight) / (seconds * 60);
        const result = { frames: 0, longestMs: 0, mostRows: 0, reached: 0 };
        let last = performance.now();
        const draw = (now: number): void => {
          result.frames += 1;
          result.longestMs = Math.max(result.longestMs, Math.round(now - last));
          result.mostRows = Math.max(result.mostRows, element.querySelectorAll('tbody tr').length);
          last = now;
          element.scrollBy(0, step);
          result.reached = Math.max(result.reached, Math.round(element.scrollTop));
          if (now < end) requestAnimationFrame(draw);
          else resolve(result);
        };
        requestAnimationFrame(draw);
      }),
    { seconds: SECONDS, by: pixels },
  );

const server = await startServer();
const browser = await startBrowser();
try {
  const api = await setUp(server);
  await api.upload(await addRepository(api, 'frames'), 'report.json', generatedReport(RESULTS));
  const { page } = await newVisitor(browser, server.url);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await page.goto('/findings/all');
  await listRows(page).first().waitFor();
  let isSlow = false;
  for (const [speed, pixels] of [
    ['reading', READING_PX],
    ['through the list', undefined],
  ] as const) {
    const measured = await scrolling(page, pixels);
    const framesPerSecond = Math.round(measured.frames / SECONDS);
    isSlow ||= framesPerSecond < LEAST_FRAMES_PER_SECOND || measured.mostRows > MOST_ROWS;
    const line = { soak: 'frames', results: RESULTS, speed, frames_per_s: framesPerSecond, ...measured };
    process.stdout.write(`${JSON.stringify(line)}\n`);
  }
  process.exitCode = isSlow ? 1 : 0;
} finally {
  await browser.close();
  await server.stop();
  await removeFolder(server.dataDirectory);
}
