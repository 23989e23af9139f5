import { execFile } from 'node:child_process';
import { access, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { COLUMN_KEYS, columnInfo } from '@breakwater/core/findings/model/column-catalogue.ts';
import type { Page } from 'playwright-core';
import type { ApiClient } from './api.ts';

/** One result, as the tool's own output says it. Read without the importers. */
export interface ToolResult {
  path: string;
  line: number | null;
  rule: string;
  severity: string;
  message: string;
}

export interface ScannedTool {
  /** Stored name of the tool. */
  tool: string;
  /** How the screen calls it. */
  label: string;
  /** Runs the real tool over the folder. @returns its report, as it wrote it */
  scan(folder: string): Promise<Buffer<ArrayBuffer>>;
  read(report: Buffer): ToolResult[];
  /** Changes the code so that results move, one is gone and one is new. */
  edit(folder: string): Promise<void>;
}

const run = promisify(execFile);

/** Scanners end with a code when they found something; what they wrote counts. */
const outputOf = async (command: string, args: readonly string[], folder: string): Promise<Buffer<ArrayBuffer>> => {
  const options = { cwd: folder, maxBuffer: 256 * 1024 * 1024 };
  const { stdout } = await run(command, [...args], options).catch((error: { code?: unknown; stdout?: string }) => {
    if (typeof error.code !== 'number' || typeof error.stdout !== 'string') throw error;
    return { stdout: error.stdout };
  });
  return Buffer.from(stdout);
};

/** Where a file is in the folder `code`, which some tools name by its absolute path. */
export const belowCode = (file: string): string => (file.split('/code/').at(-1) ?? file).replace(/^\.\//, '');

/** What Bandit shows of a password is masked before it is stored. */
const withoutPassword = (message: string): string =>
  message.startsWith('Possible hardcoded password') ? message.replace(/'.*'$/, "'********'") : message;

interface BanditResult {
  filename: string;
  line_number: number;
  test_id: string;
  issue_severity: string;
  issue_text: string;
}

const BANDIT: ScannedTool = {
  tool: 'bandit',
  label: 'Bandit',
  scan: (folder) => outputOf('bandit', ['-r', '.', '-f', 'json', '-q'], folder),
  read: (report) =>
    JSON.parse(report.toString('utf8')).results.map((result: BanditResult) => ({
      path: belowCode(result.filename),
      line: result.line_number,
      rule: result.test_id,
      severity: result.issue_severity.toLowerCase(),
      message: withoutPassword(result.issue_text),
    })),
  edit: async (folder) => {
    await putInFront(path.join(folder, 'http/client.py'), '# a\n# b\n# c\n');
    const own = OWN_CODE.map((line) => (line.includes('eval(') ? '    return text' : line));
    await writeFile(path.join(folder, 'own.py'), `${own.join('\n')}\nexec(PASSWORD)\n`);
  },
};

/** Puts lines in front of a file, whose results move. */
const putInFront = async (file: string, lines: string): Promise<void> =>
  writeFile(file, `${lines}${await readFile(file, 'latin1')}`, 'latin1');

/** Signatures of our own, and what they find: ClamAV's database would have to be downloaded. */
const SIGNATURES = ['Harbour.Marker.A', 'Harbour.Marker.B'] as const;
const MARKERS = ['breakwater-test-marker-alpha', 'breakwater-test-marker-bravo'] as const;

const CLAMAV: ScannedTool = {
  tool: 'clamav',
  label: 'ClamAV',
  scan: async (folder) => {
    const database = `${folder}-signatures`;
    await mkdir(database, { recursive: true });
    const lines = SIGNATURES.map((name, place) => `${name}:0:*:${Buffer.from(MARKERS[place] ?? '').toString('hex')}`);
    await writeFile(path.join(database, 'own.ndb'), `${lines.join('\n')}\n`);
    return outputOf('clamscan', ['--recursive', '--allmatch', `--database=${database}`, '.'], folder);
  },
  read: (report) =>
    report
      .toString('utf8')
      .split('\n')
      .filter((line) => line.endsWith(' FOUND'))
      .map((line) => {
        const [file, signature] = line.slice(0, -' FOUND'.length).split(': ');
        const rule = signature ?? '';
        return { path: belowCode(file ?? ''), line: null, rule, severity: 'critical', message: rule };
      }),
  edit: async (folder) => {
    await rm(path.join(folder, 'first.bin'));
    await writeFile(path.join(folder, 'third.bin'), MARKERS[0]);
  },
};

interface ShellcheckComment {
  file: string;
  line: number;
  code: number;
  level: 'error' | 'warning' | 'info' | 'style';
  message: string;
}
const SHELLCHECK_LEVELS = { error: 'high', warning: 'medium', info: 'low', style: 'informational' } as const;
const SHELL = [
  '#!/bin/sh',
  'cd "$1"',
  'for file in *.txt; do echo $file; done',
  'echo `date`',
  'read name',
  'echo "$name"',
];

const SHELLCHECK: ScannedTool = {
  tool: 'shellcheck',
  label: 'ShellCheck',
  scan: async (folder) => {
    const { stdout } = await run('sh', ['-c', 'ls scripts/*'], { cwd: folder });
    return outputOf('shellcheck', ['-f', 'json', ...stdout.trim().split('\n')], folder);
  },
  read: (report) =>
    JSON.parse(report.toString('utf8')).map((comment: ShellcheckComment) => ({
      path: comment.file,
      line: comment.line,
      rule: `SC${comment.code}`,
      severity: SHELLCHECK_LEVELS[comment.level],
      message: comment.message,
    })),
  edit: async (folder) => {
    await putInFront(path.join(folder, 'scripts/zgrep'), '#!/bin/sh\n# a\n');
    const own = SHELL.map((line) => (line === 'read name' ? 'name=$1' : line));
    await writeFile(path.join(folder, 'scripts/own.sh'), `${own.join('\n')}\nlet total=1+1\n`);
  },
};

/** What the own file holds: each but the first two and the heads of functions is a result of Bandit. */
const OWN_CODE = [
  'import subprocess',
  'import pickle',
  'def run(command):',
  '    return subprocess.call(command, shell=True)',
  'def load(data):',
  '    return pickle.loads(data)',
  'def calculate(text):',
  '    return eval(text)',
  "PASSWORD = 'harbour-secret'",
  'def check(value):',
  '    assert value',
];

/** Real code that is on every machine with Bandit: parts of Python's own library. */
const LIBRARY = ['http', 'xmlrpc', 'urllib', 'logging', 'multiprocessing'];
const ODD = 'own dir, with "signs"';

/** Scripts of gzip, which every Debian has. */
const SCRIPTS = ['zgrep', 'zdiff', 'zmore', 'gzexe', 'znew'];

/** A folder with real code, files of our own, and files with the signatures. */
export const makeCode = async (folder: string): Promise<void> => {
  const { stdout } = await run('python3', ['-c', 'import sysconfig; print(sysconfig.get_path("stdlib"))']);
  for (const name of LIBRARY)
    await cp(path.join(stdout.trim(), name), path.join(folder, name), {
      recursive: true,
      filter: (file) => !file.includes('__pycache__'),
    });
  await mkdir(path.join(folder, 'scripts'), { recursive: true });
  for (const name of SCRIPTS) await cp(`/usr/bin/${name}`, path.join(folder, 'scripts', name));
  await writeFile(path.join(folder, 'scripts/own.sh'), `${SHELL.join('\n')}\n`);
  await mkdir(path.join(folder, ODD), { recursive: true });
  await writeFile(path.join(folder, 'own.py'), `${OWN_CODE.join('\n')}\n`);
  await writeFile(path.join(folder, ODD, 'ä=1.py'), 'eval(input())\n');
  await writeFile(path.join(folder, 'first.bin'), `${MARKERS[0]} and ${MARKERS[1]}`);
  await writeFile(path.join(folder, ODD, 'second.bin'), `= ${MARKERS[1]}`);
};

/** Bandit and ClamAV are installed by `npm test`; ShellCheck takes part where the machine has it. */
export const installedTools = async (): Promise<ScannedTool[]> => {
  const hasShellcheck = await access('/usr/bin/shellcheck').then(
    () => true,
    () => false,
  );
  return [BANDIT, CLAMAV, ...(hasShellcheck ? [SHELLCHECK] : [])];
};

/** One line for each result, in an order of its own. A message is one line here, as titles are. */
export const asLines = (results: readonly ToolResult[]): string[] =>
  results
    .map((of) => [of.path, of.line ?? '', of.rule, of.severity, of.message.replace(/\s+/g, ' ')].join(' | '))
    .sort();

interface Listed {
  _id: string;
  attributes: Record<string, string | number | null>;
}

/** Every page of the list of an application, a small page at a time. */
export const listAll = async (api: ApiClient, query: string): Promise<Listed[]> => {
  const rows: Listed[] = [];
  for (let page = 1; ; page += 1) {
    const { body } = await api.get(`/findings?pagination[page]=${page}&pagination[pageSize]=25&${query}`);
    rows.push(...body.data);
    if (rows.length >= body.meta.pagination.total) return rows;
    if (body.data.length === 0) throw new Error(`page ${page} is empty, ${rows.length} rows before it`);
  }
};

/** RFC 4180, read sign by sign. */
export const readCsv = (text: string): string[][] => {
  const rows: string[][] = [];
  let row: string[] = [];
  let cell = '';
  let isQuoted = false;
  const signs = text.replace(/^\ufeff/, '');
  for (let at = 0; at < signs.length; at += 1) {
    const sign = signs[at];
    if (isQuoted && sign === '"' && signs[at + 1] === '"') {
      cell += '"';
      at += 1;
    } else if (sign === '"') isQuoted = !isQuoted;
    else if (!isQuoted && sign === ',') {
      row.push(cell);
      cell = '';
    } else if (!isQuoted && sign === '\r' && signs[at + 1] === '\n') {
      rows.push([...row, cell]);
      row = [];
      cell = '';
      at += 1;
    } else cell += sign;
  }
  return rows;
};

/** Cells with what the list says beside the count of columns that stepped back; a column of which nothing is said is empty in every row. */
const withSaid = (cells: readonly string[], columns: readonly string[], said: string): string[] => {
  const values = said.slice('In every row: '.length).split(' · ');
  return cells.map((text, at) => {
    const key = COLUMN_KEYS.find((one) => one === columns[at]);
    if (text !== 'no such cell' || key === undefined) return text;
    const start = `${columnInfo(key).label} `;
    return values.find((value) => value.startsWith(start))?.slice(start.length) ?? '';
  });
};

/** Cells of all rows of the list on the screen, by the id of the finding: the list is scrolled from its top to its end. */
export const rowsOnScreen = async (page: Page, columns: readonly string[]): Promise<Map<string, string[]>> => {
  const found = new Map<string, string[]>();
  const box = page.locator('.ft-scroll');
  const readSaid = async (): Promise<string> => (await page.getByText(/^In every row: /).allInnerTexts()).join('');
  for (let isEnd = false; !isEnd; ) {
    const said = await readSaid();
    await page.waitForFunction(() => document.querySelector('.ft-row.is-waiting') === null);
    const rows = await page.locator('tr.ft-row').evaluateAll(
      (elements, keys) =>
        elements.map((element) => [
          element.querySelector('[data-finding]')?.getAttribute('data-finding') ?? '',
          // below its title a row repeats the place
          ...keys.map((key) => {
            const cell = element.querySelector(key === 'title' ? 'td.ft-title .ttl' : `td.ft-${key}`);
            return cell?.textContent ?? 'no such cell';
          }),
        ]),
      columns,
    );
    // a column has stepped back meanwhile
    if (said !== (await readSaid())) continue;
    for (const [id = '', ...cells] of rows) found.set(id, withSaid(cells, columns, said));
    isEnd = await box.evaluate((element) => {
      const before = element.scrollTop;
      element.scrollBy(0, element.clientHeight / 2);
      return element.scrollTop === before;
    });
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
  }
  return found;
};
