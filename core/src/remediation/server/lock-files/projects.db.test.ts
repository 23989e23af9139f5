import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { gunzipSync } from 'node:zlib';
import { SERVICE } from '@breakwater/host-server/container.ts';
import semver from 'semver';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeGitea } from '../../../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { type ConnectorScene, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';

const run = promisify(execFile);
const TOKEN = 'gitea-token-1';
const REPORTS = new URL('../../../../../plugins/scanners/src/server/__fixtures__/reports/', import.meta.url);

/** What npm's advisories say of the two packages. */
const ADVISORIES = [
  { cve: 'CVE-2020-15084', ghsa: 'GHSA-6g6m-m6h5-w9gf', name: 'express-jwt', affected: '<=5.3.3', fixed: '6.0.0' },
  { cve: 'CVE-2015-9235', ghsa: 'GHSA-c7hr-j4mj-j2w6', name: 'jsonwebtoken', affected: '<4.2.2', fixed: '4.2.2' },
  { cve: 'CVE-2022-23539', ghsa: 'GHSA-8cf7-32gw-wr33', name: 'jsonwebtoken', affected: '<=8.5.1', fixed: '9.0.0' },
  { cve: 'CVE-2022-23540', ghsa: 'GHSA-qwph-4952-7xr6', name: 'jsonwebtoken', affected: '<=8.5.1', fixed: '9.0.0' },
];
const PRESENT: Readonly<Record<string, string>> = { 'express-jwt': '0.1.3', jsonwebtoken: '0.4.0' };

const GO_SUM = [
  'golang.org/x/text v0.3.5 h1:i6eZZ+zk0SOf0xgBpEpPD18qWcJda6q1sxt3S0kzyUQ=',
  'golang.org/x/text v0.3.5/go.mod h1:5Zoc/QRtKVWzQhOtBMvqHzDpF6irO9z98xDceosuGiQ=',
  'golang.org/x/tools v0.0.0-20180917221912-90fa682c2a6e/go.mod h1:n7NCudcB/nEzxVGmLbDWY5pfWTLqBcC2KZ6jyYvM4mQ=',
  '',
].join('\n');

/** What `go get` adds to go.sum: the hashes that sum.golang.org has of these versions. It refuses where it is called otherwise. */
const RECORDED_GO = `#!/bin/sh
test "$GOENV" = off && test "$GOTOOLCHAIN" = local && test "$1" = get && test $# = 2 || { echo "go: not as recorded" >&2; exit 1; }
case "$2" in
golang.org/x/text@v0.3.7) cat >> go.sum <<'SUM'
golang.org/x/text v0.3.7 h1:olpwvP2KacW1ZWvsR7uQhoyTYvKAupfQrRGBFM352Gk=
golang.org/x/text v0.3.7/go.mod h1:u+2+/6zg+i71rQMx5EYifcz6MCKuco9NR6JIITiCfzQ=
SUM
;;
golang.org/x/text@v0.3.8) cat >> go.sum <<'SUM'
golang.org/x/text v0.3.8 h1:nAL+RVCQ9uMn3vJZbV+MRnydTJFPf8qqY42YiA6MrqY=
golang.org/x/text v0.3.8/go.mod h1:E6s5w1FMmriuDzIBO73fBruAKo1PCIq6d2Q6DHfQ8WQ=
SUM
;;
*) echo "go: module $2: not found" >&2; exit 1 ;;
esac
`;

const JINJA_HASH = '85ece4451f492d0c13c5dd7c13a64681a86afae63a5f347908daf103ce6d2f67';
/** What pip 23.2 reports of jinja2 3.1.6, without what nothing reads. It refuses where it is called otherwise. */
const RECORDED_PIP = `#!/bin/sh
test "$PIP_CONFIG_FILE" = /dev/null && test "$3 $4 $5" = "pip install --dry-run" || { echo "ERROR: not as recorded" >&2; exit 1; }
for last; do :; done
test "$last" = jinja2==3.1.6 || { echo "ERROR: No matching distribution found for $last" >&2; exit 1; }
cat <<'REPORT'
{"version": "1", "pip_version": "23.2.1", "install": [{"download_info": {"url":
"https://files.pythonhosted.org/packages/jinja2-3.1.6-py3-none-any.whl", "archive_info": {"hash": "sha256=${JINJA_HASH}",
"hashes": {"sha256": "${JINJA_HASH}"}}}, "is_direct": false, "requested": true, "metadata": {"metadata_version": "2.4",
"name": "Jinja2", "version": "3.1.6", "requires_dist": ["MarkupSafe>=2.0", "Babel>=2.7 ; extra == \\"i18n\\""]}}], "environment": {}}
REPORT
`;

let gitea: Awaited<ReturnType<typeof startFakeGitea>>;
let scene: ConnectorScene;
let folder: string;
let repositoryId: string;

const call = (method: string, address: string, body?: unknown) =>
  scene.server.call(method, address, { as: 'admin', ...(body === undefined ? {} : { body }) });
const bare = async () => {
  const git = await gitea.repositories[0]?.git();
  if (git === undefined) throw new Error('no repository');
  return git;
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-projects-'));
  gitea = await startFakeGitea({ token: TOKEN });
  const programs = path.join(folder, 'programs');
  await mkdir(programs);
  await writeFile(path.join(programs, 'go'), RECORDED_GO, { mode: 0o755 });
  await writeFile(path.join(programs, 'python3'), RECORDED_PIP, { mode: 0o755 });
  const environment = { PATH: `${programs}:${process.env['PATH'] ?? ''}` };
  scene = await startConnectorScene({ isWorking: true, environment });
  await scene.save('gitea', {
    ...{ oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) },
  });
  const external_id = String(gitea.repositories[0]?.id);
  const url = `${gitea.url.origin}/acme/repo-1.git`;
  const made = await call('POST', '/create_repository_with_list', {
    ...{ source_control: 'gitea', data: [{ nickname: 'shop', url, external_id, repository_branch: 'main' }] },
  });
  repositoryId = made.body.data[0]._id;
});
afterAll(async () => {
  await scene.close();
  await gitea.close();
  await rm(folder, { recursive: true, force: true });
});

/** The project as npm resolves it today, without an advisory being asked for. */
const makeProject = async (): Promise<Record<string, string>> => {
  const dependencies = { express: '4.18.2', ...PRESENT };
  const manifest = `${JSON.stringify({ name: 'shop', version: '1.0.0', private: true, dependencies }, null, 2)}\n`;
  const { createLockTools } = await import('./run-tools.ts');
  const npm = {
    searchPath: process.env['PATH'] ?? '',
    dataDirectory: folder,
    registries: { npm: undefined, go: undefined, pypi: undefined },
  };
  const made = await createLockTools(npm).renewLock({
    files: new Map([['package.json', manifest]]),
    lock: 'package-lock.json',
  });
  if ('refused' in made) throw new Error(made.refused);
  return { 'package.json': manifest, 'package-lock.json': made.content };
};

const cloneOf = async (branch: string): Promise<string> => {
  const clone = await mkdtemp(path.join(folder, 'clone-'));
  const { folder: from } = await bare();
  await run('git', ['clone', '--quiet', '--branch', branch, from, clone]);
  return clone;
};

/** Commits files to main, imports a report, and opens the pull request of the first finding about a package. @returns the clone of its branch */
const fixIn = async (files: Record<string, string>, report: Record<string, string>, component: string) => {
  await (await bare()).commitFiles({ branch: 'main', message: 'Project', files });
  const sent = await call('POST', `/upload_scan/${repositoryId}?wait=100`, report);
  expect(sent.body.data?.status, JSON.stringify(sent.body)).toBe('done');
  const rows = await scene.rows<{ id: string; rule: string }>(
    `select f.id, d.rule_id as rule from findings f join finding_definitions d on d.client_id = f.client_id and d.id = f.definition_id
     where d.component = $1 and f.status = 'enriched' order by d.rule_id desc`,
    [component],
  );
  const made = await call('POST', `/remediation/${rows[0]?.id}`);
  expect(made.body.data?.attributes.processing_status, JSON.stringify(made.body)).toBe('ready');
  const opened = await call('POST', '/pull_request', { remediation_id: made.body.data._id });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  const { remediation_id: id, number, branch } = opened.body.data;
  return { clone: await cloneOf(branch), attributes: made.body.data.attributes, id, number };
};

const npmIn = (clone: string, ...args: string[]) =>
  run('npm', [...args, '--ignore-scripts', '--no-fund'], { cwd: clone, maxBuffer: 64 * 1024 * 1024 });

/** Installed versions of a package, wherever they lie. */
const installed = async (clone: string, name: string): Promise<string[]> => {
  const all = await readdir(path.join(clone, 'node_modules'), { recursive: true });
  const manifests = all.filter(
    (file) => file === `${name}/package.json` || file.endsWith(`/node_modules/${name}/package.json`),
  );
  return Promise.all(
    manifests.map(async (file) => JSON.parse(await readFile(path.join(clone, 'node_modules', file), 'utf8')).version),
  );
};

/**
 * A registry that answers `npm audit` with what the advisories say, recorded: those that mirror packages often answer no audits. All else
 * it leaves to the registry that npm asks here. Source: docs.npmjs.com, "Auditing package dependencies", bulk advisory endpoint.
 */
const startAdvisories = async () => {
  const { stdout } = await run('npm', ['config', 'get', 'registry'], { cwd: folder });
  const asked: string[][] = [];
  const server = createServer(async (request, response) => {
    if (request.method !== 'POST') {
      response.writeHead(302, { location: new URL(`.${request.url}`, stdout.trim()).href }).end();
      return;
    }
    const raw = Buffer.concat(await request.toArray());
    const names = Object.keys(
      JSON.parse(String(request.headers['content-encoding'] === 'gzip' ? gunzipSync(raw) : raw)),
    );
    asked.push(names);
    const known = ADVISORIES.filter(({ name }) => names.includes(name)).map(({ name, ghsa, cve, affected }, id) => ({
      ...{ name, id, url: `https://github.com/advisories/${ghsa}`, title: cve, severity: 'high' },
      ...{ vulnerable_versions: affected, cwe: [], cvss: { score: 0, vectorString: null } },
    }));
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(Object.groupBy(known, ({ name }) => name)));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  const port = typeof address === 'object' && address !== null ? address.port : 0;
  return { asked, url: `http://127.0.0.1:${port}/`, close: () => server.close() };
};

/** What `npm audit` says of a project: packages that it names, and those that an advisory names themselves. */
const audit = async (clone: string): Promise<{ named: string[]; own: string[] }> => {
  const registry = await startAdvisories();
  try {
    const { stdout } = await npmIn(clone, 'audit', '--json', '--registry', registry.url).catch(
      // it ends with 1 where it names something
      ({ stdout: text = '' }: { stdout?: string }) => ({ stdout: text }),
    );
    const { vulnerabilities } = JSON.parse(stdout);
    expect(vulnerabilities, stdout).toBeTypeOf('object');
    expect(registry.asked.flat()).toContain('jsonwebtoken');
    const found: [string, { via: unknown[] }][] = Object.entries(vulnerabilities);
    const own = found.filter(([, { via }]) => via.some((reason) => typeof reason === 'object'));
    return { named: found.map(([name]) => name).sort(), own: own.map(([name]) => name).sort() };
  } finally {
    registry.close();
  }
};

/** The copies that are installed are those of no advisory. */
const expectFixed = async (clone: string, name: string): Promise<void> => {
  const versions = await installed(clone, name);
  expect(versions.length).toBeGreaterThan(0);
  for (const { affected } of ADVISORIES.filter((one) => one.name === name))
    expect(versions.filter((version) => semver.satisfies(version, affected))).toEqual([]);
};

/** Closes pull requests at the provider without merging them, and tells it. */
const closeAll = async (numbers: readonly number[]): Promise<void> => {
  const { afterDelivery } = scene.server.container.get(SERVICE.connectionsDeps);
  const repository = String(gitea.repositories[0]?.id);
  for (const number of numbers) {
    const pull = gitea.repositories[0]?.issues.find((one) => one.number === number);
    if (pull !== undefined) pull.state = 'closed';
    const event = { kind: 'pull-request', repository, number, branch: 'fix', into: 'main', action: 'closed' } as const;
    const connection = { clientId: scene.server.users.clientId, connectorId: 'gitea' };
    await afterDelivery?.(connection, [{ ...event, commit: 'a'.repeat(40), isFromFork: false }]);
  }
};

test('npm: the branch of the pull request installs by npm ci, and no advisory names what it holds', async () => {
  const files = await makeProject();
  const findings = ADVISORIES.map(({ cve, name, fixed }) => ({
    ...{ title: `${name} is vulnerable`, severity: 'high', type: 'SCA', rule_id: cve, cve, component: name },
    ...{ file_path: 'package-lock.json', component_version: PRESENT[name], fixed_version: fixed, ecosystem: 'npm' },
    purl: `pkg:npm/${name}@${PRESENT[name]}`,
  }));
  const text = JSON.stringify({ format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings });
  const report = { tool: 'breakwater', ext: 'json', file: Buffer.from(text).toString('base64') };
  const opened: { id: string; number: number }[] = [];
  const before = await mkdtemp(path.join(folder, 'before-'));
  for (const [name, content] of Object.entries(files)) await writeFile(path.join(before, name), content);
  expect(await audit(before)).toEqual({ named: ['express-jwt', 'jsonwebtoken'], own: ['express-jwt', 'jsonwebtoken'] });
  for (const name of ['express-jwt', 'jsonwebtoken']) {
    const { clone, attributes, ...pull } = await fixIn(files, report, name);
    opened.push(pull);
    expect(attributes.files).toEqual(['package.json', 'package-lock.json']);
    expect(attributes.remarks).toEqual([]);
    await npmIn(clone, 'ci', '--no-audit');
    await expectFixed(clone, name);
    // express-jwt brings an old jsonwebtoken along, until that is upgraded too
    expect((await audit(clone)).own).not.toContain(name);
  }

  // both in one pull request: the lock file of the second is written on top of the first
  await closeAll(opened.map(({ number }) => number));
  const order = { remediations: opened.map(({ id }) => id), group: 'repository' };
  const started = await call('POST', '/bulk_actions/apply_patch', order);
  const job = async () => (await call('GET', `/jobs/${started.body.data.job_id}`)).body.data.attributes;
  await expect.poll(async () => (await job()).status, { timeout: 200_000, interval: 500 }).toBe('done');
  expect(await job()).toMatchObject({ done: 2, refused: [] });
  const together = await cloneOf(gitea.repositories[0]?.issues.at(-1)?.head ?? '');
  await npmIn(together, 'ci', '--no-audit');
  for (const name of ['express-jwt', 'jsonwebtoken']) await expectFixed(together, name);
  expect(await audit(together)).toEqual({ named: [], own: [] });
}, 900_000);

test('Python: what pip-audit reported is pinned to its fixed version', async () => {
  const recorded = await readFile(new URL('pip-audit/many_vulns.json', REPORTS));
  const report = { tool: 'pip-audit', ext: 'json', file: recorded.toString('base64') };
  const files = { 'requirements.txt': 'aiohttp==3.6.2\ndjango==3.2.9  # lts\ntwisted==18.9.0\n' };
  const { clone, attributes } = await fixIn(files, report, 'django');
  expect(await readFile(path.join(clone, 'requirements.txt'), 'utf8')).toBe(
    'aiohttp==3.6.2\ndjango==3.2.10  # lts\ntwisted==18.9.0\n',
  );
  expect(attributes.remarks).toEqual([]);
});

test('Python: a requirement that is pinned by its hash gets that of the fixed version', async () => {
  const finding = { rule_id: 'CVE-2025-27516', title: 'CVE-2025-27516', type: 'SCA', severity: 'medium' };
  const component = { component: 'jinja2', component_version: '3.1.5', fixed_version: '3.1.6', ecosystem: 'pypi' };
  const found = { ...finding, ...component, cve: 'CVE-2025-27516', purl: 'pkg:pypi/jinja2@3.1.5' };
  const text = JSON.stringify({ format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings: [found] });
  const report = { tool: 'breakwater', ext: 'json', file: Buffer.from(text).toString('base64') };
  const markup = `markupsafe==3.0.2 \\\n    --hash=sha256:${'b'.repeat(64)}\n    # via jinja2\n`;
  const before = `jinja2==3.1.5 \\\n    --hash=sha256:${'a'.repeat(64)}\n    # via -r requirements.in\n${markup}`;
  const { clone, attributes } = await fixIn({ 'requirements.txt': before }, report, 'jinja2');
  expect(await readFile(path.join(clone, 'requirements.txt'), 'utf8')).toBe(
    `jinja2==3.1.6 \\\n    --hash=sha256:${JINJA_HASH}\n    # via -r requirements.in\n${markup}`,
  );
  expect(attributes.remarks).toEqual([]);
});

test('Go: what govulncheck reported is required in its fixed version, and go.sum holds what Go wrote', async () => {
  const recorded = await readFile(new URL('govulncheck/many_vulns_new_version_custom_severity.json', REPORTS));
  const report = { tool: 'govulncheck', ext: 'json', file: recorded.toString('base64') };
  const mod = 'module acme.example/app\n\ngo 1.21\n\nrequire golang.org/x/text v0.3.5\n';
  const { clone, attributes } = await fixIn({ 'go.mod': mod, 'go.sum': GO_SUM }, report, 'golang.org/x/text');
  const version = /^require golang\.org\/x\/text (v0\.3\.[78])$/m.exec(
    await readFile(path.join(clone, 'go.mod'), 'utf8'),
  )?.[1];
  const sum = await readFile(path.join(clone, 'go.sum'), 'utf8');
  expect(sum.startsWith(GO_SUM)).toBe(true);
  expect(sum).toMatch(new RegExp(`^golang\\.org/x/text ${version} h1:[\\w+/]{43}=$`, 'm'));
  expect(sum).toMatch(new RegExp(`^golang\\.org/x/text ${version}/go\\.mod h1:[\\w+/]{43}=$`, 'm'));
  expect(attributes.files).toEqual(['go.mod', 'go.sum']);
  expect(attributes.remarks).toEqual([]);
});
