import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { OPEN_STATUSES as SERVER_STATUSES } from '@breakwater/core/findings/model/states.ts';
import { SCAN_STATUSES } from '@breakwater/core/ingest/api/routes.ts';
import { commitTo, type GitServer, file as gitFile, startGitServer } from '@breakwater/core/testing/git-server.ts';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../tools/testing/server.ts';
import { OPEN_STATUSES, UNFINISHED } from './gate.ts';
import { run } from './run.ts';
import { ENDED } from './upload.ts';

const MAIN = path.join(import.meta.dirname, 'main.ts');

let server: TestServer;
let git: GitServer;
let folder: string;
let token: string;
let repository: { id: string; name: string };

const makeToken = async (name: string, scopes: readonly string[]): Promise<string> => {
  const expired_at = new Date(Date.now() + 86_400_000).toISOString();
  const made = await server.call('POST', '/generate_plexalyzer_token', {
    as: 'admin',
    body: { name, expired_at, scopes },
  });
  return made.body.data.token;
};

const addRepository = async (
  name: string,
  url = `https://git.example.test/${name}.git`,
): Promise<{ id: string; name: string }> => {
  const data = [{ nickname: name, url }];
  const made = await server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'git', data },
  });
  return { id: made.body.data[0]._id, name };
};

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'breakwater-cli-'));
  git = await startGitServer();
  const environment = {
    PATH: '/usr/local/bin:/usr/bin:/bin',
    BREAKWATER_DATA_DIR: path.join(folder, 'data'),
    GIT_BASE_URL: git.url,
  };
  server = await startTestServer({ isWorking: true, environment });
  token = await makeToken('pipeline', ['upload', 'read', 'scan']);
});
afterAll(async () => {
  await server.close();
  await git.close();
  await rm(folder, { recursive: true, force: true });
});
let count = 0;
beforeEach(async () => {
  count += 1;
  repository = await addRepository(`shop-${count}`);
});

type Result = { line: number; severity: 'HIGH' | 'MEDIUM' | 'LOW' };

/** A report of Bandit. */
const bandit = async (name: string, results: readonly Result[]): Promise<string> => {
  const file = path.join(folder, name);
  const report = {
    errors: [],
    generated_at: new Date().toISOString(),
    metrics: {},
    results: results.map(({ line, severity }) => ({
      ...{ code: `${line} use(${line})\n`, filename: `src/${line}.py`, line_number: line, test_id: `B10${line}` },
      ...{ issue_confidence: 'HIGH', issue_severity: severity, issue_text: `text ${line}`, test_name: `test_${line}` },
    })),
  };
  await writeFile(file, JSON.stringify(report));
  return file;
};

interface Ran {
  exitCode: number;
  out: string;
  progress: string;
}

const breakwater = async (args: readonly string[], changes: Record<string, string | undefined> = {}): Promise<Ran> => {
  const ran = { out: '', progress: '' };
  const exitCode = await run(args, {
    environment: { BREAKWATER_URL: server.baseUrl, BREAKWATER_TOKEN: token, ...changes },
    signal: new AbortController().signal,
    out: (text) => {
      ran.out += text;
    },
    progress: (text) => {
      ran.progress += text;
    },
  });
  return { exitCode, ...ran };
};

describe('upload', () => {
  test('sends files, waits for their findings and says what became of each', async () => {
    const one = await bandit('one.json', [
      { line: 1, severity: 'HIGH' },
      { line: 2, severity: 'LOW' },
    ]);
    const two = await bandit('two.json', [{ line: 7, severity: 'LOW' }]);
    const args = [
      'upload',
      one,
      '--repository',
      repository.name,
      '--part',
      'api',
      '--branch',
      'topic',
      '--commit',
      'ABC1234',
      '--wait',
    ];
    const { exitCode, out, progress } = await breakwater(args);
    expect({ exitCode, out }).toEqual({
      exitCode: 0,
      out: expect.stringMatching(
        /^\S+one\.json: done, bandit, 2 findings: 2 new, 0 reopened, 0 closed, 0 unchanged \(scan [0-9a-f-]{36}\)\.\n$/,
      ),
    });
    expect(progress).toMatch(/one\.json: sending\n(?:.*\n)*.*one\.json: done\n/);
    const scans = await server.call('GET', '/scans', { as: 'admin' });
    expect(scans.body.data[0].attributes).toMatchObject({
      branch: 'topic',
      part: 'api',
      commit: 'abc1234',
      created_by: 'pipeline',
    });
    const json = await breakwater(['upload', one, two, '--repository', repository.id, '--json', '--wait']);
    expect(JSON.parse(json.out)).toMatchObject({
      ...{ command: 'upload', exit_code: 0, repository },
      uploads: [
        { file: one, status: 'done', tool: 'bandit', counts: { total: 2 } },
        { file: two, status: 'done', counts: { total: 1 } },
      ],
    });
  });

  test('does not wait unless it is asked', async () => {
    const file = await bandit('three.json', [{ line: 1, severity: 'HIGH' }]);
    const { exitCode, out } = await breakwater(['upload', file, '--repository', repository.name]);
    expect(exitCode).toBe(0);
    expect(out).toMatch(/three\.json: accepted \(scan [0-9a-f-]{36}\)\.\n$/);
  });

  test('a refused report does not keep the others, and the program ends with 3', async () => {
    const broken = path.join(folder, 'broken.json');
    await writeFile(broken, '{"no": "report"}');
    const file = await bandit('four.json', [{ line: 1, severity: 'HIGH' }]);
    const { exitCode, out } = await breakwater([
      'upload',
      broken,
      file,
      '--repository',
      repository.name,
      '--wait',
      '--json',
    ]);
    const { uploads } = JSON.parse(out);
    expect(uploads).toMatchObject([
      { status: 'refused', scan_id: null, detail: expect.stringMatching(/\w/) },
      { status: 'done' },
    ]);
    expect(exitCode).toBe(3);
  });

  test('a report that fails while it is imported ends with 3 and its reason', async () => {
    const file = path.join(folder, 'cut.json');
    await writeFile(file, '{"SchemaVersion":2,"Results":[{');
    const { exitCode, out } = await breakwater([
      'upload',
      file,
      '--tool',
      'trivy',
      '--repository',
      repository.name,
      '--wait',
    ]);
    expect(out).toMatch(/cut\.json: failed \(scan .*\)\. \w+/);
    expect(exitCode).toBe(3);
  });
});

describe('gate', () => {
  test('fails where a finding of the severity or a worse one is open, passes where there is none', async () => {
    const file = await bandit('five.json', [
      { line: 1, severity: 'HIGH' },
      { line: 2, severity: 'LOW' },
    ]);
    await breakwater(['upload', file, '--repository', repository.name]);
    // the import may still be under way: the gate waits for it
    const failed = await breakwater(['gate', '--fail-on', 'medium', '--repository', repository.name]);
    expect(failed.exitCode).toBe(1);
    expect(failed.out).toMatch(
      /^Gate failed: 1 open findings of severity critical, high, medium\.\n {2}high .*src\/1\.py:1\n$/,
    );
    const passed = await breakwater(['gate', '--fail-on', 'critical', '--repository', repository.name]);
    expect(passed).toMatchObject({ exitCode: 0, out: 'Gate passed: no open findings of severity critical.\n' });
    const { findings } = JSON.parse(
      (await breakwater(['gate', '--fail-on', 'low', '--repository', repository.name, '--json'])).out,
    );
    expect(findings).toMatchObject([
      { severity: 'high', location: 'src/1.py:1' },
      { severity: 'low', location: 'src/2.py:2' },
    ]);
  });

  test('a false positive does not count', async () => {
    const file = await bandit('six.json', [{ line: 1, severity: 'HIGH' }]);
    await breakwater(['upload', file, '--repository', repository.name, '--wait']);
    await server.scene.owner.query("update findings set verdict = 'false_positive' where repository_id = $1", [
      repository.id,
    ]);
    expect((await breakwater(['gate', '--fail-on', 'high', '--repository', repository.name])).exitCode).toBe(0);
  });

  test('--new-only counts what the newest import brought, of each part', async () => {
    const gate = async (): Promise<number> =>
      (await breakwater(['gate', '--fail-on', 'high', '--repository', repository.name, '--new-only'])).exitCode;
    const send = async (part: string, ...lines: number[]): Promise<void> => {
      const file = await bandit(
        `${part}.json`,
        lines.map((line) => ({ line, severity: 'HIGH' })),
      );
      await breakwater(['upload', file, '--repository', repository.name, '--part', part, '--wait']);
    };
    const nothing = await breakwater(['gate', '--fail-on', 'high', '--repository', repository.name, '--new-only']);
    expect([nothing.exitCode, nothing.progress]).toEqual([3, expect.stringContaining('Nothing was imported')]);
    await send('api', 1);
    expect(await gate(), 'all are new at first').toBe(1);
    await send('api', 1);
    expect(await gate(), 'the same again').toBe(0);
    await send('api', 1, 2);
    await send('web', 3);
    const json = await breakwater([
      'gate',
      '--fail-on',
      'high',
      '--repository',
      repository.name,
      '--new-only',
      '--json',
    ]);
    expect(
      JSON.parse(json.out)
        .findings.map((finding: { location: string }) => finding.location)
        .sort(),
    ).toEqual(['src/2.py:2', 'src/3.py:3']);
  });
});

describe('scan', () => {
  test('asks the server, follows it with its progress, and the gate sees what was found', async () => {
    const source = 'import subprocess\nsubprocess.call("ls " + input(), shell=True)\n';
    commitTo(git.create('scanned.git'), [gitFile('src/app.py', source)]);
    const { name } = await addRepository('scanned', `${git.url}/scanned.git`);
    const { exitCode, out, progress } = await breakwater(['scan', '--type', 'bandit', '--repository', name, '--wait']);
    expect([exitCode, out]).toEqual([0, expect.stringMatching(/^scan [0-9a-f-]{36}: done\.\n$/)]);
    expect(progress).toMatch(/^1 scans requested\n(?:.*\n)*scan [0-9a-f-]{36}: done\n$/);
    expect((await breakwater(['gate', '--fail-on', 'low', '--repository', name])).exitCode).toBe(1);
  });

  test('a scan that fails ends with 3 and its reason', async () => {
    const { name } = await addRepository('gone', `${git.url}/gone.git`);
    const { exitCode, out } = await breakwater(['scan', '--repository', name, '--wait', '--json']);
    const { scans } = JSON.parse(out);
    expect(scans).toMatchObject([{ status: 'failed', detail: expect.stringMatching(/\w/) }]);
    expect(exitCode).toBe(3);
  });
});

describe('refusals', () => {
  test.each([
    [['upload', 'report.json'], 'Say which repository'],
    [['upload', '--repository', 'x'], 'Name at least one report.'],
    [['upload', 'report.json', '--repository', 'x', '--commit', 'main'], '--commit takes the hash'],
    [['gate'], 'Say what fails the gate'],
    [['gate', '--fail-on', 'terrible'], 'Say what fails the gate'],
    [['gate', '--fail-on', 'high', '--new-only'], '--new-only needs --repository'],
    [['gate', '--fail-on', 'high', '--timeout', 'soon'], '--timeout takes whole seconds'],
    [['gate', '--fail-on', 'high', '--unknown'], '--unknown'],
    [['scan', 'something'], 'is no option'],
    [['constructor'], 'There is no command'],
  ])('%j is wrong use', async (args, words) => {
    const { exitCode, progress, out } = await breakwater(args);
    expect([exitCode, progress, out]).toEqual([2, expect.stringContaining(words), '']);
  });

  test.each([
    [{ BREAKWATER_URL: undefined }, 'Set BREAKWATER_URL'],
    [{ BREAKWATER_URL: 'file:///etc/passwd' }, 'must be an address with http'],
    [{ BREAKWATER_URL: 'https://me:secret@breakwater.example' }, 'must hold no credentials'],
    [{ BREAKWATER_TOKEN: undefined }, 'Set BREAKWATER_TOKEN'],
    [{ BREAKWATER_TOKEN: 'a\r\nHost: b' }, 'characters that no token has'],
  ])('settings %j are wrong use', async (changes, words) => {
    const { exitCode, progress } = await breakwater(['gate', '--fail-on', 'high'], changes);
    expect([exitCode, progress]).toEqual([2, expect.stringContaining(words)]);
  });

  test('a file or a repository that is not there is wrong use', async () => {
    const missing = await breakwater(['upload', path.join(folder, 'missing.json'), '--repository', repository.name]);
    expect([missing.exitCode, missing.progress]).toEqual([2, expect.stringContaining('missing.json cannot be read')]);
    const unknown = await breakwater(['gate', '--fail-on', 'high', '--repository', 'unknown', '--json']);
    expect(unknown.exitCode).toBe(2);
    expect(JSON.parse(unknown.out)).toMatchObject({ exit_code: 2, error: expect.stringContaining('“unknown”') });
  });

  test('two repositories of one name are told apart by id', async () => {
    const other = await server.call('POST', '/create_repository_with_list', {
      as: 'admin',
      body: {
        source_control: 'git',
        data: [{ nickname: repository.name, url: `https://git.example.test/other-${count}.git` }],
      },
    });
    const { exitCode, progress } = await breakwater(['gate', '--fail-on', 'high', '--repository', repository.name]);
    expect([exitCode, progress]).toEqual([2, expect.stringContaining(other.body.data[0]._id)]);
  });

  test('a token without the scope is refused with its name; an unknown one as such', async () => {
    const narrow = { BREAKWATER_TOKEN: await makeToken(`narrow ${count}`, ['upload']) };
    const refused = await breakwater(['gate', '--fail-on', 'high'], narrow);
    expect([refused.exitCode, refused.progress]).toEqual([3, expect.stringContaining('lacks the scope "read"')]);
    const unknown = await breakwater(['gate', '--fail-on', 'high'], { BREAKWATER_TOKEN: `bwp_${'x1Y2'.repeat(10)}` });
    expect([unknown.exitCode, unknown.progress]).toEqual([3, expect.stringContaining('unknown, expired or revoked')]);
  });

  test('a server that cannot be reached is said after some tries', async () => {
    const { exitCode, progress } = await breakwater(['gate', '--fail-on', 'high'], {
      BREAKWATER_URL: 'http://127.0.0.1:1',
    });
    expect([exitCode, progress]).toEqual([
      3,
      expect.stringMatching(/cannot be reached.*Next try in 0\.5 s(?:.*\n)*breakwater: .*cannot be reached/),
    ]);
  });
});

test('the program itself: findings on standard output, progress on the other, its exit code', async () => {
  const file = await bandit('seven.json', [{ line: 1, severity: 'HIGH' }]);
  const env = { ...process.env, BREAKWATER_URL: `${server.baseUrl}/`, BREAKWATER_TOKEN: token };
  const start = promisify(execFile);
  const args = ['upload', file, '--repository', repository.name, '--wait', '--json'];
  const { stdout, stderr } = await start(process.execPath, [MAIN, ...args], { env });
  expect(JSON.parse(stdout)).toMatchObject({ exit_code: 0, uploads: [{ status: 'done' }] });
  expect(stderr).toContain('seven.json: sending');
  const gate = start(process.execPath, [MAIN, 'gate', '--fail-on', 'high', '--repository', repository.name], { env });
  await expect(gate).rejects.toMatchObject({ code: 1, stdout: expect.stringContaining('Gate failed: 1 open') });
  const help = await start(process.execPath, [MAIN, '--help'], { env: {} });
  expect(help.stdout).toContain('Exit codes');
});

test('the words of the server are those that this program knows', () => {
  expect([...OPEN_STATUSES].sort()).toEqual([...SERVER_STATUSES].sort());
  expect([...UNFINISHED, ...ENDED].sort()).toEqual([...SCAN_STATUSES].sort());
});
