import { ADMIN, addRepository, setUp } from '../../e2e/harness/api.ts';
import { DESKTOP, launchBrowser, newVisitor, PHONE } from '../../e2e/harness/browser.ts';
import { demoFiles, demoReport } from '../../e2e/harness/reports.ts';
import { signInOnScreen } from '../../e2e/harness/screens.ts';
import { removeFolder, startServer } from '../../e2e/harness/server.ts';

/** Largest contentful paint with an empty cache, and how many requests and bytes came before it. Source of the limits: design/safety.md. */
const RUNS = 5;
const PAGES = ['/findings', '/'];

interface Profile {
  name: string;
  limitMs: number;
  viewport: { width: number; height: number };
  /** Round trip in milliseconds, bits a second. */
  network: { latency: number; down: number; up: number };
  /** How many times slower than this machine's the processor is. */
  slowness: number;
}

/** The phone is Lighthouse's slow 4G. */
const PROFILES: readonly Profile[] = [
  {
    name: 'desktop',
    limitMs: 2500,
    viewport: DESKTOP,
    network: { latency: 40, down: 10_000_000, up: 10_000_000 },
    slowness: 1,
  },
  {
    name: 'slow phone',
    limitMs: 3000,
    viewport: PHONE,
    network: { latency: 150, down: 1_638_400, up: 750_000 },
    slowness: 4,
  },
];

interface Paint {
  lcpMs: number;
  firstPaintMs: number;
  element: string;
  requests: number;
  kilobytes: number;
  /** When the last script and the last answer of the API before it came. */
  lastScriptMs: number;
  lastAnswerMs: number;
}

const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const server = await startServer();
const browser = await launchBrowser();

const measure = async (path: string, { viewport, network, slowness }: Profile): Promise<Paint> => {
  const { page, context } = await newVisitor(browser, server.url, { viewport });
  await signInOnScreen(page, ADMIN.username, ADMIN.password);
  await page.goto('about:blank');
  const devtools = await context.newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.clearBrowserCache');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: network.latency,
    downloadThroughput: network.down / 8,
    uploadThroughput: network.up / 8,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: slowness });
  await page.goto(path);
  await page.waitForTimeout(9000);
  const paint = await page.evaluate(
    () =>
      new Promise<Paint>((resolve) => {
        new PerformanceObserver((list) => {
          const last = list.getEntries().at(-1);
          const lcpMs = Math.round(last?.startTime ?? 0);
          const element = last !== undefined && 'element' in last ? last.element : undefined;
          const before = performance
            .getEntriesByType('resource')
            .filter((entry) => entry instanceof PerformanceResourceTiming)
            .filter((entry) => entry.responseEnd <= lcpMs);
          const latest = (isWanted: (name: string) => boolean) =>
            Math.round(Math.max(0, ...before.filter(({ name }) => isWanted(name)).map((entry) => entry.responseEnd)));
          resolve({
            lcpMs,
            firstPaintMs: Math.round(performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0),
            element: element instanceof Element ? `${element.tagName} ${element.textContent?.slice(0, 40)}` : '',
            requests: before.length,
            kilobytes: Math.round(before.reduce((sum, entry) => sum + entry.transferSize, 0) / 1024),
            lastScriptMs: latest((name) => name.endsWith('.js')),
            lastAnswerMs: latest((name) => name.includes('/api/')),
          });
        }).observe({ type: 'largest-contentful-paint', buffered: true });
      }),
  );
  await context.close();
  return paint;
};

try {
  const api = await setUp(server);
  const repository = await addRepository(api, 'Juice Shop');
  for (const { name } of await demoFiles()) await api.upload(repository, name, await demoReport(name));
  let isSlow = false;
  for (const profile of PROFILES) {
    for (const path of PAGES) {
      const paints: Paint[] = [];
      for (let run = 0; run < RUNS; run += 1) paints.push(await measure(path, profile));
      const lcpMs = median(paints.map((paint) => paint.lcpMs));
      isSlow ||= lcpMs > profile.limitMs;
      const typical = paints.find((paint) => paint.lcpMs === lcpMs);
      const figures = { soak: 'lcp', profile: profile.name, path, limit_ms: profile.limitMs, ...typical };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
    }
  }
  process.exitCode = isSlow ? 1 : 0;
} finally {
  await browser.close();
  await server.stop();
  await removeFolder(server.dataDirectory);
}
