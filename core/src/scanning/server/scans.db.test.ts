import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { defineConnector, definePlugin, defineServer, monogram, type Scanner } from '@breakwater/sdk';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers } from '@breakwater/tools/testing/users.ts';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import { commitTo, file, type GitServer, startGitServer } from '../../testing/git-server.ts';

const VULNERABLE = 'import subprocess\nsubprocess.call("ls " + input(), shell=True)\nassert True\n';
const SIGNATURES = 'Test.Marker:0:*:627265616b77617465722d746573742d6d61726b6572\n';

let git: GitServer;
let folder: string;
let server: TestServer;

/** Programs of the test as scanners: what they do is up to the repository's file `behaviour`. */
const PROGRAM = `#!/bin/sh
echo "$$ $PWD" > "$HOME/started"
case "$(cat behaviour 2>/dev/null)" in
  wait) touch "${'$'}SIGNAL/running"; sleep 600 & setsid sleep 601 & wait ;;
  memory) exec python3 -c 'x = [bytearray(1 << 20) for _ in range(4000)]; input()' ;;
  fail) echo "it does not like it" >&2; exit 3 ;;
  environment) env > "$1"; ls -a >> "$1" ;;
  network) cat /proc/net/dev > "$1" ;;
  call) bash -c 'exec 3<>/dev/tcp/127.0.0.1/3128; printf "CONNECT evil.example.test:443 HTTP/1.1\r\n\r\n" >&3; head -1 <&3 > "$0"' "$1" ;;
  *) echo '{"results": []}' > "$1" ;;
esac
`;

const behaving: Scanner = {
  targets: ['repository'],
  hosts: [],
  detect: async () => ({ version: '1.0' }),
  command: (_target, { workFolder }) => ({
    file: 'behaving-scanner',
    args: [path.join(workFolder, 'report.json')],
    env: { SIGNAL: folder },
    reportPath: path.join(workFolder, 'report.json'),
    runsIn: 'target',
    hides: ['.obeyed', '../../home'],
    limits: { timeoutMs: 300_000, memoryMb: 300 },
  }),
};

const calling: Scanner = { ...behaving, hosts: ['database.example.test'] };
const missing: Scanner = { ...behaving, detect: (host) => host.run('no-such-program', []).then(() => null) };

const card = <const Id extends string>(id: Id) =>
  defineConnector({
    id,
    title: id,
    category: 'sast',
    image: monogram('T'),
    description: 'A scanner of the test.',
  });
const plugin = definePlugin({
  id: 'test-scanners',
  version: '1.0.0',
  connectors: [card('behaving'), card('calling'), card('not-here')],
});
const code = defineServer(plugin, {
  behaving: { scanner: behaving },
  calling: { scanner: calling },
  'not-here': { scanner: missing },
});

beforeAll(async () => {
  folder = mkdtempSync(path.join(os.tmpdir(), 'breakwater-scans-'));
  mkdirSync(path.join(folder, 'bin'));
  mkdirSync(path.join(folder, 'local'));
  writeFileSync(path.join(folder, 'bin', 'behaving-scanner'), PROGRAM);
  chmodSync(path.join(folder, 'bin', 'behaving-scanner'), 0o755);
  writeFileSync(path.join(folder, 'test.ndb'), SIGNATURES);
  const clamscan = `#!/bin/sh\nexec /usr/bin/clamscan -d "${path.join(folder, 'test.ndb')}" "$@"\n`;
  writeFileSync(path.join(folder, 'bin', 'clamscan'), clamscan, { mode: 0o755 });
  git = await startGitServer();
  server = await startTestServer({
    isWorking: true,
    plugins: [{ plugin, server: code, parsers: [] }],
    environment: {
      PATH: `${path.join(folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
      BREAKWATER_DATA_DIR: path.join(folder, 'data'),
      BREAKWATER_LOCAL_FOLDERS: path.join(folder, 'local'),
      GIT_BASE_URL: git.url,
    },
  });
});
afterAll(async () => {
  await server.close();
  await git.close();
  rmSync(folder, { recursive: true, force: true });
});

let count = 0;
const addRepository = async (url: string, sourceControl = 'git'): Promise<string> => {
  count += 1;
  const answer = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: sourceControl, data: [{ nickname: `r${count}`, url }] },
  });
  expect(answer.status).toBe(200);
  return answer.body.data[0]._id;
};

const request = (body: unknown, as: 'admin' | 'developer' = 'admin') =>
  server.call('POST', '/request_repo_scan', { as, body });

const startScan = async (repository: string, scanType: string): Promise<string> => {
  const answer = await request({ scan_type: scanType, repositories: [repository] });
  expect(answer.status).toBe(202);
  return answer.body.data.scan_requests[0];
};

const read = async (id: string) =>
  (await server.call('GET', `/scan_requests/${id}`, { as: 'admin' })).body.data.attributes;

const until = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
};

const ended = (id: string) =>
  until(async () => {
    const scan = await read(id);
    return ['done', 'failed', 'cancelled'].includes(scan.status) ? scan : undefined;
  });

const isEmpty = (name: string) =>
  !existsSync(path.join(folder, 'data', name)) || readdirSync(path.join(folder, 'data', name)).length === 0;
const nothingLeft = () => until(() => (isEmpty('scans') ? true : undefined));

test('a repository is cloned, scanned by the real Bandit, and its findings are there', async () => {
  const commit = commitTo(git.create('shop.git'), [file('src/app.py', VULNERABLE), file('README.md', 'x')]);
  const repository = await addRepository(`${git.url}/shop.git`);
  const scan = await ended(await startScan(repository, 'bandit'));
  expect(scan).toMatchObject({ status: 'done', percentage: 100, commit, trigger: 'person', code: null, detail: null });
  expect(scan.tools).toMatchObject([{ tool: 'bandit', status: 'done', scan_id: expect.any(String) }]);
  const { body } = await server.call('GET', `/findings?filters[repository]=${repository}`, { as: 'admin' });
  const paths = body.data.map((one: { attributes: { file_path: string } }) => one.attributes.file_path);
  expect(new Set(paths)).toEqual(new Set(['src/app.py']));
  // the same commit again: the same findings, none new
  const again = await ended(await startScan(repository, 'bandit'));
  const second = await server.call('GET', `/scans/${again.tools[0].scan_id}`, { as: 'admin' });
  expect(second.body.data.attributes.counts).toMatchObject({ new: 0, unchanged: paths.length });
  await nothingLeft();
});

test('what the code imports is known after a scan of the default branch, and a scan of another one leaves it', async () => {
  const commit = commitTo(git.create('imports.git'), [
    file('src/app.py', 'import yaml\nfrom flask import Flask\n'),
    file('requirements.txt', 'pyyaml\nflask\nrequests\n'),
  ]);
  commitTo(path.join(git.root, 'imports.git'), [file('other.py', 'import django\n')], 'feature');
  const repository = await addRepository(`${git.url}/imports.git`);
  await ended(await startScan(repository, 'bandit'));
  const known = async () =>
    (
      await server.scene.owner.query(
        'select commit, ecosystem, imports, declared from package_imports where repository_id = $1',
        [repository],
      )
    ).rows;
  const expected = {
    ...{ commit, ecosystem: 'pypi', declared: ['flask', 'pyyaml', 'requests'] },
    imports: [
      { name: 'yaml', files: 1, path: 'src/app.py', line: 1 },
      { name: 'flask', files: 1, path: 'src/app.py', line: 2 },
      { name: 'flask.Flask', files: 1, path: 'src/app.py', line: 2 },
    ],
  };
  expect(await known()).toEqual([expected]);
  const answer = await request({ scan_type: 'bandit', repositories: [repository], branch: 'feature' });
  expect(await ended(answer.body.data.scan_requests[0])).toMatchObject({ status: 'done', branch: 'feature' });
  expect(await known()).toEqual([expected]);
});

test('several scanners of a category take part; what is not installed or fails is named, the others go on', async () => {
  commitTo(git.create('several.git'), [file('app.py', VULNERABLE), file('behaviour', 'fail')]);
  const scan = await ended(await startScan(await addRepository(`${git.url}/several.git`), 'sast'));
  const byTool = Object.fromEntries(scan.tools.map((one: { tool: string }) => [one.tool, one]));
  expect(scan.status).toBe('done');
  expect(byTool.bandit.status).toBe('done');
  expect(byTool['not-here'].status).toBe('missing');
  expect(byTool.behaving).toMatchObject({
    status: 'failed',
    detail: expect.stringContaining('It says: "it does not like it'),
  });
  expect(scan.detail).toContain('ended with code 3');
});

test('the real clamscan finds what its signatures name', async () => {
  const infected = file('lib/payload.bin', 'xx breakwater-test-marker xx');
  commitTo(git.create('infected.git'), [infected, file('clean.txt', 'x')]);
  const repository = await addRepository(`${git.url}/infected.git`);
  const scan = await ended(await startScan(repository, 'clamav'));
  expect(scan).toMatchObject({ status: 'done', detail: null });
  const { body } = await server.call('GET', `/findings?filters[repository]=${repository}`, { as: 'admin' });
  expect(body.data.map((one: { attributes: object }) => one.attributes)).toMatchObject([
    { file_path: 'lib/payload.bin', type: 'Malware', title: expect.stringContaining('Test.Marker') },
  ]);
});

test('a scanner without its data has failed, and the scan says what to do', async () => {
  const signatures = path.join(folder, 'test.ndb');
  rmSync(signatures);
  onTestFinished(() => writeFileSync(signatures, SIGNATURES));
  commitTo(git.create('unsigned.git'), [file('clean.txt', 'x')]);
  const scan = await ended(await startScan(await addRepository(`${git.url}/unsigned.git`), 'clamav'));
  expect(scan).toMatchObject({ status: 'failed', code: 'scanner_failed' });
  expect(scan.tools[0]).toMatchObject({
    status: 'failed',
    detail: expect.stringMatching(
      /^ClamAV ended with code 2\. It has no signatures: .* runs "freshclam".*\. It says: "LibClamAV Error/,
    ),
  });
});

test('a scanner gets an environment of its own and none of the files that it would obey', async () => {
  commitTo(git.create('environment.git'), [
    file('behaviour', 'environment'),
    file('.obeyed', 'x'),
    file('app.py', 'x'),
  ]);
  const scan = await ended(await startScan(await addRepository(`${git.url}/environment.git`), 'behaving'));
  // what it wrote is no report of a tool that is known: the import says so, and the test reads it there
  expect(scan.status).toBe('failed');
  const { rows } = await server.scene.owner.query(`select requested_tool from scans where id = $1`, [
    scan.tools[0].scan_id,
  ]);
  expect(rows).toEqual([{ requested_tool: 'behaving' }]);
  const report = await server.call('GET', `/scans/${scan.tools[0].scan_id}/report`, { as: 'admin' });
  const lines = String(report.body).split('\n');
  const names = lines.flatMap((line) => /^([A-Z_]+)=/.exec(line)?.[1] ?? []).toSorted();
  expect(names).toEqual(['BREAKWATER_SCAN', 'HOME', 'LC_ALL', 'PATH', 'PWD', 'SIGNAL', 'TMPDIR']);
  expect(lines).toContain('app.py');
  expect(lines).not.toContain('.obeyed');
  expect(lines).not.toContain('.git');
});

test('a scanner that calls no host has no network', async () => {
  commitTo(git.create('network.git'), [file('behaviour', 'network')]);
  const scan = await ended(await startScan(await addRepository(`${git.url}/network.git`), 'behaving'));
  const report = await server.call('GET', `/scans/${scan.tools[0].scan_id}/report`, { as: 'admin' });
  const devices = String(report.body).match(/^ *[\w.@-]+(?=:)/gm) ?? [];
  expect(devices.map((name) => name.trim())).toEqual(['lo']);
  const { body } = await server.call('GET', '/scanners', { as: 'developer' });
  expect(body.meta).toEqual({ isolates_network: true, limits_hosts: true });
  const hosts = new Map(
    body.data.map((one: { _id: string; attributes: { hosts: unknown } }) => [one._id, one.attributes.hosts]),
  );
  expect([hosts.get('bandit'), hosts.get('opengrep'), hosts.get('prowler')]).toEqual([[], ['semgrep.dev'], null]);
});

test('a scanner that names its hosts reaches no other, and the scan says which one it asked for', async () => {
  commitTo(git.create('calling.git'), [file('behaviour', 'call')]);
  const scan = await ended(await startScan(await addRepository(`${git.url}/calling.git`), 'calling'));
  const report = await server.call('GET', `/scans/${scan.tools[0].scan_id}/report`, { as: 'admin' });
  expect(String(report.body)).toContain('403 Forbidden');
  const refused = 'calling was not let through to "evil.example.test:443": it may call "database.example.test" alone.';
  expect(scan.tools[0].detail).toContain(refused);
});

test('a scan that is cancelled ends its programs, also those that left their group', async () => {
  commitTo(git.create('slow.git'), [file('behaviour', 'wait')]);
  const id = await startScan(await addRepository(`${git.url}/slow.git`), 'behaving');
  await until(() => (existsSync(path.join(folder, 'running')) ? true : undefined));
  rmSync(path.join(folder, 'running'));
  expect(readdirSync(path.join(folder, 'data', 'scans')).some((name) => name.startsWith(id))).toBe(true);
  expect((await server.call('POST', `/scan_requests/${id}/cancel`, { as: 'admin' })).status).toBe(200);
  expect((await ended(id)).status).toBe('cancelled');
  await nothingLeft();
  expect((await server.call('POST', `/scan_requests/${id}/cancel`, { as: 'admin' })).status).toBe(409);
});

test('a scanner that takes more memory than allowed is ended', async () => {
  commitTo(git.create('memory.git'), [file('behaviour', 'memory')]);
  const scan = await ended(await startScan(await addRepository(`${git.url}/memory.git`), 'behaving'));
  expect(scan).toMatchObject({ status: 'failed', code: 'scanner_failed' });
  await nothingLeft();
});

test('a folder of the server is scanned where the operator allows it, and nothing outside', async () => {
  const local = path.join(folder, 'local', 'project');
  mkdirSync(local);
  writeFileSync(path.join(local, 'app.py'), VULNERABLE);
  symlinkSync('/etc', path.join(local, 'etc'));
  symlinkSync(folder, path.join(folder, 'local', 'out'));
  const scan = await ended(await startScan(await addRepository(local, 'local'), 'bandit'));
  expect(scan).toMatchObject({ status: 'done', commit: null });
  for (const url of [folder, '/etc', path.join(folder, 'local', 'out'), `${local}/../../bin`, 'local/project']) {
    const answer = await server.call('POST', '/create_repository_with_list', {
      as: 'admin',
      body: { source_control: 'local', data: [{ nickname: 'x', url }] },
    });
    expect([url, answer.status]).toEqual([url, 422]);
  }
});

test('a clone that fails says why, and one without an address or scanner is refused', async () => {
  const gone = await ended(await startScan(await addRepository(`${git.url}/gone.git`), 'bandit'));
  expect(gone).toMatchObject({
    status: 'failed',
    code: 'clone_failed',
    detail: expect.stringContaining('no repository at its address'),
  });
  const missingTool = await ended(await startScan(await addRepository(`${git.url}/shop.git?x`), 'not-here'));
  expect(missingTool).toMatchObject({
    status: 'failed',
    code: 'scanner_missing',
    detail: expect.stringContaining('not-here'),
  });
  const empty = await addRepository('');
  expect((await request({ scan_type: 'all', repositories: [empty] })).status).toBe(422);
  expect((await request({ scan_type: 'nonsense' })).body.detail[0].loc).toEqual(['body', 'scan_type']);
  const clouds = await request({ scan_type: 'cloud' });
  expect(await ended(clouds.body.data.scan_requests[0])).toMatchObject({ status: 'failed', code: 'scanner_missing' });
});

test('a schedule that fails as it did before tells of it once, and again after it has worked', async () => {
  const repository = await addRepository(`${git.url}/later.git`);
  const clientId = server.users.clientId;
  const scheduled = async (): Promise<string> => {
    const { rows } = await server.scene.owner.query(
      `insert into scan_requests (client_id, scan_type, repository_id, status, trigger, lease_id, lease_until)
       values ($1, 'bandit', $2, 'running', 'schedule', gen_random_uuid(), now() - interval '1 minute') returning id`,
      [clientId, repository],
    );
    return (await ended(rows[0].id)).status;
  };
  const told = async () => {
    // the admin is told of every one
    const text = `select coalesce(max(n), 0)::integer as n from (
      select count(*) as n from notifications where client_id = $1 and link = $2 group by user_id) told`;
    return (await server.scene.owner.query(text, [clientId, `/Repositories/${repository}`])).rows[0].n;
  };
  expect([await scheduled(), await told()]).toEqual(['failed', 1]);
  const titles = 'select distinct title from notifications where link = $1';
  expect((await server.scene.owner.query(titles, [`/Repositories/${repository}`])).rows).toEqual([
    { title: expect.stringMatching(/^Scan failed: Bandit on r\d+$/) },
  ]);
  expect([await scheduled(), await told()]).toEqual(['failed', 1]);
  // a person who asks is told in any case
  expect((await ended(await startScan(repository, 'bandit'))).status).toBe('failed');
  expect(await told()).toBe(2);
  commitTo(git.create('later.git'), [file('app.py', 'x = 1\n')]);
  expect([await scheduled(), await told()]).toEqual(['done', 2]);
  rmSync(path.join(git.root, 'later.git'), { recursive: true });
  expect([await scheduled(), await told()]).toEqual(['failed', 3]);
});

test('a developer scans only what they own, and nobody what is another organisation’s', async () => {
  const repository = await addRepository(`${git.url}/shop.git?y`);
  expect((await request({ scan_type: 'bandit', repositories: [repository] }, 'developer')).status).toBe(404);
  const id = await startScan(repository, 'not-here');
  expect((await server.call('GET', `/scan_requests/${id}`, { as: 'developer' })).status).toBe(404);
  expect((await server.call('POST', `/scan_requests/${id}/cancel`, { as: 'developer' })).status).toBe(404);
  const others = await createUsers(server.scene.database, 'Others');
  const as = { as: { token: others.admin.token } };
  expect((await server.call('GET', `/scan_requests/${id}`, as)).status).toBe(404);
  expect(
    (
      await server.call('POST', '/request_repo_scan', {
        ...as,
        body: { scan_type: 'bandit', repositories: [repository] },
      })
    ).status,
  ).toBe(404);
  expect((await server.call('GET', '/scan_requests', as)).body.data).toEqual([]);
  await ended(id);
});

test('a tool that the organisation excludes takes no part', async () => {
  await server.call('PUT', '/client', { as: 'admin', body: { excluded_tools: ['bandit'] } });
  const repository = await addRepository(`${git.url}/shop.git?z`);
  const scan = await ended(await startScan(repository, 'bandit'));
  await server.call('PUT', '/client', { as: 'admin', body: { excluded_tools: [] } });
  expect(scan).toMatchObject({
    status: 'failed',
    code: 'scanner_missing',
    detail: expect.stringContaining('Excluded'),
  });
});

test('a scan whose process was killed is taken up, and one that was interrupted again and again has failed', async () => {
  const repository = await addRepository(`${git.url}/shop.git?killed`);
  const interrupted = async (attempts: number): Promise<string> => {
    const { rows } = await server.scene.owner.query(
      `insert into scan_requests (client_id, scan_type, repository_id, status, attempts, lease_id, lease_until)
       values ($1, 'not-here', $2, 'running', $3, gen_random_uuid(), now() - interval '1 minute') returning id`,
      [server.users.clientId, repository, attempts],
    );
    return rows[0].id;
  };
  const [once, often] = [await interrupted(1), await interrupted(4)];
  // it is worked on again: this scanner is not there
  expect(await ended(once)).toMatchObject({ status: 'failed', code: 'scanner_missing' });
  expect(await ended(often)).toMatchObject({ status: 'failed', code: 'interrupted' });
});

test('the scanners of the host are listed with their versions', async () => {
  const { body } = await server.call('GET', '/scanners', { as: 'developer' });
  const byId = new Map(body.data.map((one: { _id: string; attributes: unknown }) => [one._id, one.attributes]));
  expect(byId.get('bandit')).toMatchObject({ is_installed: true, version: expect.stringMatching(/^\d+\.\d+/) });
  expect(byId.get('not-here')).toMatchObject({ is_installed: false, version: null });
});
