import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { commitTo, file, type GitServer, startGitServer } from '../../testing/git-server.ts';

/*
 * One scan of everything over a real clone: the real Bandit, the real ClamAV with a signature of its own, and what the code imports. The inventory
 * is the real `cyclonedx-npm` where BREAKWATER_CYCLONEDX_NPM names one (`npm run soak -- inventory`), else what it wrote of this very lock file;
 * OSV-Scanner, which asks a service, answers as it does.
 */
const RECORDED = new URL(
  '../../../../plugins/scanners/src/server/__fixtures__/reports/cyclonedx/npm_6.0.1.cdx.json',
  import.meta.url,
);
const SIGNATURES = 'Test.Marker:0:*:627265616b77617465722d746573742d6d61726b6572\n';
const PYTHON = 'import subprocess\nsubprocess.call("ls " + input(), shell=True)\n';
const MANIFEST = {
  name: 'shop',
  version: '1.0.0',
  dependencies: { debug: '2.6.9', lodash: '4.17.15', minimist: '0.0.8' },
};
/** Of the first version, as npm wrote them until 2020. */
const LOCK = {
  ...{ name: 'shop', version: '1.0.0', lockfileVersion: 1, requires: true },
  dependencies: {
    debug: { version: '2.6.9', requires: { ms: '2.0.0' } },
    lodash: { version: '4.17.15' },
    minimist: { version: '0.0.8' },
    ms: { version: '2.0.0' },
  },
};

let folder: string;
let git: GitServer;
let server: TestServer;

const inFolder = (name: string): string => path.join(folder, name);
const program = (name: string, lines: readonly string[]): void =>
  writeFileSync(path.join(inFolder('bin'), name), ['#!/bin/sh', ...lines, ''].join('\n'), { mode: 0o755 });

const vulnerability = (name: string, version: string, id: string) => ({
  package: { name, version, ecosystem: 'npm' },
  vulnerabilities: [{ id, summary: `A flaw of ${name}`, aliases: [], database_specific: { severity: 'HIGH' } }],
  groups: [{ ids: [id], aliases: [id], max_severity: '7.4' }],
});
const OSV = {
  results: [
    {
      source: { path: 'package-lock.json', type: 'lockfile' },
      packages: [
        vulnerability('lodash', '4.17.15', 'GHSA-35jh-r3h4-6jhm'),
        vulnerability('minimist', '0.0.8', 'GHSA-xvch-5gv4-984h'),
        vulnerability('ms', '2.0.0', 'GHSA-w9mr-4mfr-499f'),
      ],
    },
  ],
};

/** npm finds itself by starting itself, which takes `sh`, `node` and `npm` of the same path. */
const inventoryProgram = (): void => {
  const real = process.env.BREAKWATER_CYCLONEDX_NPM;
  if (real !== undefined) {
    program('cyclonedx-npm', [`exec '${real}' "$@"`]);
    return;
  }
  writeFileSync(inFolder('inventory.json'), readFileSync(RECORDED));
  program('cyclonedx-npm', [
    '[ "$1" = --version ] && { echo 6.0.1; exit 0; }',
    '[ -e .npmrc ] && { echo "a setting of the repository is there" >&2; exit 1; }',
    '[ "$npm_config_offline$npm_config_ignore_scripts" = truetrue ] || { echo "npm is not held" >&2; exit 1; }',
    `for last; do :; done; cp '${inFolder('inventory.json')}' "$last"`,
  ]);
};

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'breakwater-real-clone-'));
  mkdirSync(inFolder('bin'));
  writeFileSync(inFolder('test.ndb'), SIGNATURES);
  const clamscan = execFileSync('/bin/sh', ['-c', 'command -v clamscan'], { encoding: 'utf8' }).trim();
  program('clamscan', [`exec '${clamscan}' -d '${inFolder('test.ndb')}' "$@"`]);
  writeFileSync(inFolder('osv.json'), JSON.stringify(OSV));
  program('osv-scanner', [
    '[ "$1" = --version ] && { echo "osv-scanner version: 1.9.2"; exit 0; }',
    `while [ "$1" != --output ]; do shift; done; cp '${inFolder('osv.json')}' "$2"; exit 1`,
  ]);
  inventoryProgram();
  git = await startGitServer();
  server = await startTestServer({
    isWorking: true,
    environment: {
      PATH: `${inFolder('bin')}:${process.env.PATH}`,
      BREAKWATER_DATA_DIR: inFolder('data'),
      GIT_BASE_URL: git.url,
    },
  });
});
afterAll(async () => {
  await server.close();
  await git.close();
  rmSync(folder, { recursive: true, force: true });
});

const ended = async (id: string) => {
  for (;;) {
    const { attributes } = (await server.call('GET', `/scan_requests/${id}`, { as: 'admin' })).body.data;
    if (['done', 'failed', 'cancelled'].includes(attributes.status)) return attributes;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const scanShop = async () => {
  const npmrc = `cache=${inFolder('written-by-npm')}\nnode-options=--require=${inFolder('run-by-npm.js')}\n`;
  writeFileSync(inFolder('run-by-npm.js'), `require('fs').writeFileSync(${JSON.stringify(inFolder('ran'))}, '')`);
  const commit = commitTo(git.create('shop.git'), [
    file('.npmrc', npmrc),
    file('package.json', JSON.stringify(MANIFEST)),
    file('package-lock.json', JSON.stringify(LOCK)),
    file(
      'src/index.js',
      "const _ = require('lodash');\nconst debug = require('debug')('shop');\ndebug(_.merge({}, {}));\n",
    ),
    file('tools/report.py', PYTHON),
    file('lib/payload.bin', 'xx breakwater-test-marker xx'),
  ]);
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data: [{ nickname: 'shop', url: `${git.url}/shop.git` }] },
  });
  const repository = made.body.data[0]._id;
  const body = { scan_type: 'all', repositories: [repository] };
  const asked = await server.call('POST', '/request_repo_scan', { as: 'admin', body });
  return { commit, repository, scan: await ended(asked.body.data.scan_requests[0]) };
};

test('one scan of a clone: code, malware, inventory, vulnerable packages, and which of them the code imports', async () => {
  const { commit, repository, scan } = await scanShop();
  expect(scan).toMatchObject({ status: 'done', commit });
  const runs = new Map(scan.tools.map((run: { tool: string }) => [run.tool, run]));
  for (const tool of ['bandit', 'clamav', 'cyclonedx-npm', 'osv-scanner'])
    expect(runs.get(tool), tool).toMatchObject({ status: 'done', detail: null, scan_id: expect.any(String) });

  const { body } = await server.call('GET', `/findings?filters[repository]=${repository}`, { as: 'admin' });
  const findings: Record<string, unknown>[] = body.data.map((one: { attributes: object }) => one.attributes);
  const of = (tool: string) => findings.filter((one) => one.tool === tool);
  expect(new Set(of('bandit').map(({ file_path }) => file_path))).toEqual(new Set(['tools/report.py']));
  expect(of('bandit').map(({ rule_id }) => rule_id)).toContain('B602');
  expect(of('clamav')).toMatchObject([{ file_path: 'lib/payload.bin', type: 'Malware' }]);

  const { data: components } = (
    await server.call('GET', `/sbom-findings?filters[repository]=${repository}`, { as: 'admin' })
  ).body;
  const names = components.map(({ attributes }: { attributes: { name: string; version: string } }) => {
    return `${attributes.name} ${attributes.version}`;
  });
  expect(names.toSorted()).toEqual(['debug 2.6.9', 'lodash 4.17.15', 'minimist 0.0.8', 'ms 2.0.0']);

  const uses = async () => {
    const list = await server.call('GET', `/findings?filters[repository]=${repository}`, { as: 'admin' });
    const rows: Record<string, unknown>[] = list.body.data.map((one: { attributes: object }) => one.attributes);
    return Object.fromEntries(
      rows.filter(({ tool }) => tool === 'osv-scanner').map((one) => [one.component, one.package_use]),
    );
  };
  // uses are computed by a job after the imports
  let found = await uses();
  while (Object.values(found).some((use) => use === null || use === undefined)) {
    await new Promise((resolve) => setTimeout(resolve, 200));
    found = await uses();
  }
  expect(found).toEqual({ lodash: 'imported', minimist: 'not_imported', ms: 'transitive' });
});

test('npm has obeyed nothing of the repository', () => {
  const left = execFileSync('ls', [folder], { encoding: 'utf8' }).trim().split('\n');
  expect(left).not.toContain('ran');
  expect(left).not.toContain('written-by-npm');
});
