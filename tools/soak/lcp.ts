import { ADMIN, addRepository, setUp } from '../../e2e/harness/api.ts';
import { DESKTOP, newVisitor, PHONE, startBrowser } from '../../e2e/harness/browser.ts';
import { demoFiles, demoReport } from '../../e2e/harness/reports.ts';
import { signInOnScreen } from '../../e2e/harness/screens.ts';
import { removeFolder, startServer } from '../../e2e/harness/server.ts';

/**
 * Largest contentful paint with an empty cache, and how many requests and bytes came before it. Source of the limits: design/safety.md.
 * Argument: part of a profile's name.
 */
const [part = ''] = process.argv.slice(2);
const RUNS = 5;
const PAGES = ['/findings', '/'];

interface Profile {
  name: string;
  limitMs: number;
  viewport: { width: number; height: number };
  /** Round trip in milliseconds, bits a second. */
  network: { latency: number; down: number; up: number };
  /** What `processorScore` measures on such a device; undefined: the processor is this machine's. */
  score?: number;
}

/** Middle of what Lighthouse says of fast desktops (1500 to 2000), which its phone is four times slower than. */
const FAST_DESKTOP_SCORE = 1750;

/**
 * The phone is Lighthouse's: slow 4G, and a processor of which four make a fast desktop's. How much slower than this machine's that is
 * depends on the machine. Source: docs/throttling.md of Lighthouse, "Calibrating the CPU slowdown".
 */
const PROFILES: readonly Profile[] = [
  {
    name: 'desktop',
    limitMs: 2500,
    viewport: DESKTOP,
    network: { latency: 40, down: 10_000_000, up: 10_000_000 },
  },
  {
    name: 'slow phone',
    limitMs: 3000,
    viewport: PHONE,
    network: { latency: 150, down: 1_638_400, up: 750_000 },
    score: FAST_DESKTOP_SCORE / 4,
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
const browser = await startBrowser();

/** Lighthouse's measure of a processor: thousands of long texts and of copied lists a second, in tenths, and the mean of both. */
const processorScore = async (): Promise<number> => {
  const context = await browser.newContext();
  const page = await context.newPage();
  const scores: number[] = [];
  for (let run = 0; run < 5; run += 1) {
    scores.push(
      await page.evaluate(() => {
        const tenthsASecond = (work: (time: number) => void): number => {
          const start = performance.now();
          let times = 0;
          for (; performance.now() - start < 500; times += 1) work(times);
          return times / 10 / ((performance.now() - start) / 1000);
        };
        const numbers = () => Array.from({ length: 100_000 }, (_none, at) => at);
        const lists = [numbers(), numbers()] as const;
        const texts = tenthsASecond(() => {
          let text = '';
          for (let at = 0; at < 10_000; at += 1) text += 'a';
          if (text.length === 1) throw new Error('The text was not made.');
        });
        const copies = tenthsASecond((time) => {
          const [from, to] = time % 2 === 0 ? lists : [lists[1], lists[0]];
          for (let at = 0; at < from.length; at += 1) to[at] = from[at] ?? 0;
        });
        return (texts + copies) / 2;
      }),
    );
  }
  await context.close();
  return median(scores);
};

const measure = async (path: string, { viewport, network }: Profile, slowness: number): Promise<Paint> => {
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
  const score = await processorScore();
  for (const profile of PROFILES.filter(({ name }) => name.includes(part))) {
    const slowness = profile.score === undefined ? 1 : Math.max(1, score / profile.score);
    for (const path of PAGES) {
      const paints: Paint[] = [];
      for (let run = 0; run < RUNS; run += 1) paints.push(await measure(path, profile, slowness));
      const lcpMs = median(paints.map((paint) => paint.lcpMs));
      isSlow ||= lcpMs > profile.limitMs;
      const typical = paints.find((paint) => paint.lcpMs === lcpMs);
      const processor = { score: Math.round(score), slowness: Math.round(slowness * 10) / 10 };
      const figures = { soak: 'lcp', profile: profile.name, path, ...processor, limit_ms: profile.limitMs, ...typical };
      process.stdout.write(`${JSON.stringify(figures)}\n`);
    }
  }
  process.exitCode = isSlow ? 1 : 0;
} finally {
  await browser.close();
  await server.stop();
  await removeFolder(server.dataDirectory);
}
