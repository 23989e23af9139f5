import { ADMIN, addRepository, setUp } from '../../e2e/harness/api.ts';
import { launchBrowser, newVisitor } from '../../e2e/harness/browser.ts';
import { generatedReport } from '../../e2e/harness/generated-report.ts';
import { listRows, signInOnScreen } from '../../e2e/harness/screens.ts';
import { removeFolder, startServer } from '../../e2e/harness/server.ts';

/** Scrolling through 10,000 findings: frames per second, and how many rows are in the document. Source: experience.md, point 7. */
const RESULTS = 10_000;
const SECONDS = 10;
const LEAST_FRAMES_PER_SECOND = 50;
const MOST_ROWS = 60;

const server = await startServer();
const browser = await launchBrowser();
try {
  const api = await setUp(server);
  await api.upload(await addRepository(api, 'frames'), 'report.json', generatedReport(RESULTS));
  const { page } = await newVisitor(browser, server.url);
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await page.goto('/findings/all');
  await listRows(page).first().waitFor();
  const measured = await page.locator('.ft-scroll').evaluate(
    (element, seconds) =>
      new Promise<{ frames: number; longestMs: number; mostRows: number; reached: number }>((resolve) => {
        const end = performance.now() + seconds * 1000;
        const result = { frames: 0, longestMs: 0, mostRows: 0, reached: 0 };
        let last = performance.now();
        const step = (now: number): void => {
          result.frames += 1;
          result.longestMs = Math.max(result.longestMs, now - last);
          result.mostRows = Math.max(result.mostRows, element.querySelectorAll('tbody tr').length);
          last = now;
          element.scrollBy(0, 60);
          result.reached = element.scrollTop;
          if (now < end) requestAnimationFrame(step);
          else resolve(result);
        };
        requestAnimationFrame(step);
      }),
    SECONDS,
  );
  const framesPerSecond = Math.round(measured.frames / SECONDS);
  process.stdout.write(
    `${JSON.stringify({ soak: 'frames', results: RESULTS, frames_per_s: framesPerSecond, ...measured })}\n`,
  );
  process.exitCode = framesPerSecond >= LEAST_FRAMES_PER_SECOND && measured.mostRows <= MOST_ROWS ? 0 : 1;
} finally {
  await browser.close();
  await server.stop();
  await removeFolder(server.dataDirectory);
}
