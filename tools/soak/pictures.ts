import { mkdir, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { withOwnDatabase } from '@breakwater/benchmarks/own-database.ts';
import type pg from 'pg';
import { accessibilityIssues } from '../../e2e/harness/accessibility.ts';
import { ADMIN, type ApiClient, addRepository, setUp } from '../../e2e/harness/api.ts';
import { newVisitor, startBrowser, type Visitor } from '../../e2e/harness/browser.ts';
import { FIRST_PAGE, type PageParameters, type PageVisit, pagesFor } from '../../e2e/harness/every-page.ts';
import { demoFiles, demoReport, generatedReport, longTextReport } from '../../e2e/harness/reports.ts';
import { signInOnScreen } from '../../e2e/harness/screens.ts';
import { ROOT, removeFolder, startServer } from '../../e2e/harness/server.ts';

/**
 * A picture of every page: with no data, with the demo, with many findings; in five windows, light and dark; and contact sheets of them
 * to look through. Fails where a page is wider than its window, keeps people out by axe's rules (serious, critical), or logs an error.
 * Arguments: states to take (all by default). Source of the list: issue "Workbench".
 */
const FOLDER = path.join(ROOT, 'e2e/screenshots/every-page');
const MANY = 12_000;
const SUPERADMIN = { email: 'root@harbour.example', password: 'Tidal-Wave-43!' };
const NOBODY = '00000000-0000-4000-8000-000000000000';

type Page = Visitor['page'];
type Browser = Awaited<ReturnType<typeof startBrowser>>;

interface Look {
  name: string;
  viewport: { width: number; height: number };
  colorScheme: 'light' | 'dark';
  /** Pixels of the device to one of the page. */
  scale?: number;
  /** How many pictures a sheet has side by side, and below each other. */
  sheet: { columns: number; rows: number };
}

const WIDE_PICTURES = { columns: 3, rows: 4 };
const NARROW_PICTURES = { columns: 8, rows: 3 };

const look = (width: number, height: number, colorScheme: Look['colorScheme'], sheet = WIDE_PICTURES): Look => ({
  name: `${width}-${colorScheme}`,
  viewport: { width, height },
  colorScheme,
  sheet,
});

const DESKTOP = [look(1440, 900, 'light'), look(1440, 900, 'dark')];
const WIDE = [look(1920, 1080, 'light'), look(1920, 1080, 'dark')];
const PHONE = [look(390, 844, 'light', NARROW_PICTURES), look(390, 844, 'dark', NARROW_PICTURES)];
/** What a window of 1440 shows at 200 %. */
const ZOOMED: Look = { ...look(720, 450, 'light'), name: 'zoom-200', scale: 2 };

const STATES = ['empty', 'demo', 'many'] as const;
type State = (typeof STATES)[number];

const LOOKS: Readonly<Record<State, readonly Look[]>> = {
  empty: [...DESKTOP.slice(0, 1), ...PHONE.slice(1)],
  demo: [...DESKTOP, ...WIDE, ...PHONE, ZOOMED],
  many: [...DESKTOP.slice(0, 1), ...WIDE.slice(1), ...PHONE, ZOOMED],
};

/** Pages after a return from a provider or from a payment that nobody asked for, and things that an empty installation lacks. */
const EXPECTED = [/answer: 4\d\d .*\/(?:oauth|callback|session|connect|plan\/refresh)/];
const STRANGERS = /answer: 4\d\d /;
const ABSENT = [/answer: 404 /, /console: .*PageError: .*(?:not found|does not exist)/s];

const fill: Readonly<Record<State, (api: ApiClient) => Promise<void>>> = {
  empty: async () => undefined,
  demo: async (api) => {
    const repository = await addRepository(api, 'Juice Shop');
    for (const { name } of await demoFiles()) await api.upload(repository, name, await demoReport(name));
  },
  many: async (api) => {
    await api.upload(await addRepository(api, 'Harbour gateway'), 'many.json', generatedReport(MANY));
    await api.upload(await addRepository(api, 'مرفأ'), 'long.json', longTextReport());
  },
};

const parametersOf = async (owner: pg.ClientBase): Promise<PageParameters> => {
  const { rows } = await owner.query<Record<string, string | null>>(
    `select (select id from clients where organization_name = $1) as client, (select id from repositories limit 1) as repository,
    (select id from findings order by id desc limit 1) as finding, (select id from components order by id limit 1) as component`,
    [ADMIN.organization_name],
  );
  const { client, repository, finding, component } = rows[0] ?? {};
  return {
    clientId: client ?? NOBODY,
    repositoryId: repository ?? NOBODY,
    findingId: finding ?? NOBODY,
    componentId: component ?? NOBODY,
  };
};

const issues: string[] = [];
let pictures = 0;

const lookAt = async (page: Page, visit: PageVisit, folder: string, name: string): Promise<void> => {
  await page.goto(visit.address);
  await page.getByRole('heading', { level: 1 }).first().waitFor();
  await page.waitForLoadState('networkidle');
  await page.screenshot({ path: path.join(folder, `${visit.name}.png`), animations: 'disabled' });
  pictures += 1;
  const wider = await page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
  if (wider > 0) issues.push(`${name} ${visit.page}: ${wider} px wider than the window`);
  for (const issue of await accessibilityIssues(page)) issues.push(`${name} ${visit.page}: ${issue}`);
};

/** One reader's pages in one look. */
const walk = async (
  browser: Browser,
  url: string,
  reader: 'stranger' | 'member' | 'superadmin',
  visits: readonly PageVisit[],
  [state, { name, viewport, colorScheme, scale }]: [State, Look],
): Promise<void> => {
  const visitor = await newVisitor(browser, url, { viewport, colorScheme, ...(scale === undefined ? {} : { scale }) });
  for (const pattern of EXPECTED) visitor.expectTrouble(pattern);
  if (reader === 'stranger') visitor.expectTrouble(STRANGERS);
  if (state === 'empty') for (const pattern of ABSENT) visitor.expectTrouble(pattern);
  if (reader === 'member') await signInOnScreen(visitor.page, ADMIN.username, ADMIN.password);
  if (reader === 'superadmin') await signInOnScreen(visitor.page, SUPERADMIN.email, SUPERADMIN.password);
  const folder = path.join(FOLDER, `${state}-${name}`);
  await mkdir(folder, { recursive: true });
  for (const visit of visits) await lookAt(visitor.page, visit, folder, `${state} ${name}`);
  for (const trouble of visitor.unexpectedTroubles()) issues.push(`${state} ${name} ${reader}: ${trouble}`);
  await visitor.context.close();
};

const SHEET_WIDTH = 1920;

/** Writes sheets of the pictures of a folder beside it. */
const sheetsOf = async (browser: Browser, folder: string, { columns, rows }: Look['sheet']): Promise<void> => {
  const names = (await readdir(folder)).filter((name) => name.endsWith('.png')).sort();
  const size = columns * rows;
  const page = await browser.newPage({ viewport: { width: SHEET_WIDTH, height: 1200 } });
  for (let start = 0; start < names.length; start += size) {
    const cells = names
      .slice(start, start + size)
      .map((name) => `<figure><figcaption>${name}</figcaption><img src="${encodeURIComponent(name)}"></figure>`);
    const html = `<!doctype html><meta charset="utf-8"><style>body{margin:0;display:grid;grid-template-columns:repeat(${columns},1fr);gap:6px;font:12px sans-serif;background:#888}figure{margin:0}img{width:100%}</style>${cells.join('')}`;
    const file = path.join(folder, 'sheet.html');
    await writeFile(file, html);
    await page.goto(`file://${file}`);
    await page.waitForLoadState('networkidle');
    await page.screenshot({ path: `${folder}-sheet-${start / size + 1}.png`, fullPage: true });
    await rm(file);
  }
  await page.close();
};

const chosen = process.argv.slice(2);
const isChosen = (state: State): boolean => chosen.length === 0 || chosen.includes(state);

const isOld = (name: string): boolean => STATES.some((state) => isChosen(state) && name.startsWith(state));
for (const name of await readdir(FOLDER).catch(() => []))
  if (isOld(name)) await rm(path.join(FOLDER, name), { recursive: true });
await withOwnDatabase(async (owner, url) => {
  const server = await startServer({
    environment: {
      DATABASE_URL: url,
      BREAKWATER_SUPERADMIN_EMAIL: SUPERADMIN.email,
      BREAKWATER_SUPERADMIN_PASSWORD: SUPERADMIN.password,
    },
  });
  const browser = await startBrowser();
  try {
    const first = await newVisitor(browser, server.url);
    await mkdir(path.join(FOLDER, 'first'), { recursive: true });
    await lookAt(
      first.page,
      { page: FIRST_PAGE, address: FIRST_PAGE, name: 'setup' },
      path.join(FOLDER, 'first'),
      'first',
    );
    await first.context.close();
    const api = await setUp(server);
    // each state has what those before it have
    for (const state of STATES) {
      await fill[state](api);
      if (!isChosen(state)) continue;
      const parameters = await parametersOf(owner);
      for (const each of LOOKS[state]) {
        for (const reader of ['stranger', 'member', 'superadmin'] as const)
          await walk(browser, server.url, reader, pagesFor(reader, parameters), [state, each]);
        await sheetsOf(browser, path.join(FOLDER, `${state}-${each.name}`), each.sheet);
        process.stdout.write(`${JSON.stringify({ soak: 'pictures', state, look: each.name, pictures, issues })}\n`);
      }
    }
    const logged = server.errors();
    if (logged.length > 0) issues.push(...logged.map((line) => `server: ${line}`));
  } finally {
    await browser.close();
    await server.stop();
    await removeFolder(server.dataDirectory);
  }
});
process.stdout.write(
  `${JSON.stringify({ soak: 'pictures', pictures, issues: issues.length })}\n${issues.join('\n')}\n`,
);
process.exitCode = issues.length > 0 ? 1 : 0;
