import { existsSync, lstatSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest';
import { commitTo, file, type GitEntry, type GitServer, startGitServer } from '../../../testing/git-server.ts';
import { createWorkFolder, type WorkFolder } from '../processes/work-folder.ts';
import { type CloneLimits, cloneByGit, type GitSource } from './git-clone.ts';

const SEARCH_PATH = '/usr/local/bin:/usr/bin:/bin';
const LIMITS: CloneLimits = { timeoutMs: 120_000, bytes: 20_000_000, files: 1000, memoryMb: 1024 };

let git: GitServer;
let dataDirectory: string;
let work: WorkFolder;
beforeAll(async () => {
  git = await startGitServer();
  dataDirectory = mkdtempSync(path.join(os.tmpdir(), 'breakwater-clone-'));
});
afterAll(async () => {
  await git.close();
  rmSync(dataDirectory, { recursive: true, force: true });
});
beforeEach(async () => {
  work = await createWorkFolder(dataDirectory, { clientId: 'c', requestId: 'test', leaseId: 'l' });
});
afterEach(() => work.remove());

let count = 0;
const repository = (entries: readonly GitEntry[]): { name: string; commit: string } => {
  count += 1;
  const name = `r${count}.git`;
  return { name, commit: commitTo(git.create(name), entries) };
};

const clone = async (name: string, change: Partial<GitSource> = {}, limits: Partial<CloneLimits> = {}) => {
  await work.remove();
  work = await createWorkFolder(dataDirectory, { clientId: 'c', requestId: 'test', leaseId: 'l' });
  return cloneByGit(
    { url: new URL(`${git.url}/${name}`), branch: 'main', login: null, allowsPrivate: true, ...change },
    { work, searchPath: SEARCH_PATH, limits: { ...LIMITS, ...limits }, signal: new AbortController().signal },
  );
};

const refusal = async (attempt: Promise<unknown>) => {
  const error: unknown = await attempt.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof Error) || !('code' in error)) throw new Error(`not refused: ${String(error)}`);
  return { code: error.code, message: error.message };
};

test('the newest commit of the branch is there, without history and without what git keeps', async () => {
  const folder = git.create('plain.git');
  commitTo(folder, [file('old.py', 'secret = 1\n')]);
  const commit = commitTo(folder, [file('src/app.py', 'import os\n'), file('README.md', 'x')]);
  commitTo(folder, [file('other.py', 'x')], 'feature/other');
  expect(await clone('plain.git')).toEqual({ commit, files: 2 });
  expect(readdirSync(work.clone).toSorted()).toEqual(['README.md', 'src']);
  expect(readdirSync(work.folder).toSorted()).toEqual(['clone', 'home', 'owner.json', 'reports']);
  await clone('plain.git', { branch: 'feature/other' });
  expect(readdirSync(work.clone)).toEqual(['other.py']);
});

test('links, submodules, filters, hooks and settings of a repository do nothing', async () => {
  const outside = path.join(dataDirectory, 'outside');
  const { name } = repository([
    { mode: '120000', path: 'passwd', content: '/etc/passwd' },
    { mode: '120000', path: 'up', content: '../../..' },
    { mode: '160000', path: 'module', content: 'a'.repeat(40) },
    file(
      '.gitmodules',
      `[submodule "module"]\n\tpath = module\n\turl = ${git.url}/inside\n\tupdate = !touch ${outside}\n`,
    ),
    file('.gitattributes', '* filter=evil\n*.bin filter=lfs diff=lfs merge=lfs -text\n'),
    file('.gitconfig', `[core]\n\tfsmonitor = touch ${outside}\n[filter "evil"]\n\tsmudge = touch ${outside}\n`),
    file('hooks/post-checkout', `#!/bin/sh\ntouch ${outside}\n`),
    file('big.bin', 'version https://git-lfs.github.com/spec/v1\noid sha256:4d7a\nsize 12345\n'),
  ]);
  const before = git.requests.length;
  await clone(name);
  expect(existsSync(outside)).toBe(false);
  expect(lstatSync(path.join(work.clone, 'passwd')).isSymbolicLink()).toBe(false);
  expect(readFileSync(path.join(work.clone, 'passwd'), 'utf8')).toBe('/etc/passwd');
  expect(lstatSync(path.join(work.clone, 'up')).isFile()).toBe(true);
  expect(readdirSync(path.join(work.clone, 'module'))).toEqual([]);
  expect(readFileSync(path.join(work.clone, 'big.bin'), 'utf8')).toContain('git-lfs');
  expect(git.requests.slice(before).every((request) => request.path.startsWith(`/${name}/`))).toBe(true);
});

test('names that look like options or hold control characters are only names', async () => {
  const names = ['--upload-pack=touch x', '-rf', 'a\nb\u001b[31m.py', 'dir/$(touch x)', '`id`', '\u202Egnp.py'];
  const { name } = repository(names.map((one) => file(one, 'x')));
  expect((await clone(name)).files).toBe(names.length);
  expect(readdirSync(work.clone)).toContain('-rf');
  expect(readFileSync(path.join(work.clone, 'dir', '$(touch x)'), 'utf8')).toBe('x');
});

test('more files and more bytes than allowed are refused before any is written', async () => {
  const many = repository(Array.from({ length: 60 }, (_, index) => file(`f${index}`, 'x')));
  expect(await refusal(clone(many.name, {}, { files: 50 }))).toMatchObject({ code: 'clone_too_large' });
  expect(readdirSync(work.clone)).toEqual([]);
  // 40 MB of zeros are a few kilobytes on the way
  const large = repository([file('zeros', Buffer.alloc(40_000_000))]);
  expect(await refusal(clone(large.name))).toMatchObject({ code: 'clone_too_large' });
  expect(readdirSync(work.clone)).toEqual([]);
});

test('what a server sends is counted: more than allowed ends the clone', async () => {
  const noise = Buffer.from(Array.from({ length: 300_000 }, (_, index) => ((index * 2654435761) >>> 13) & 255));
  const { name } = repository([file('noise', noise)]);
  const answer = await refusal(clone(name, {}, { bytes: 20_000 }));
  expect(answer.code).toBe('clone_too_large');
});

test('a host in a private network is not called unless the operator allows it', async () => {
  const { name } = repository([file('x', 'x')]);
  const before = git.requests.length;
  const answer = await refusal(
    clone(name, { url: new URL(`https://127.0.0.1:${git.port}/${name}`), allowsPrivate: false }),
  );
  expect(answer).toMatchObject({ code: 'clone_refused' });
  expect(answer.message).toContain('BREAKWATER_ALLOW_PRIVATE_HOSTS');
  expect(git.requests.length).toBe(before);
  // by name too, judged when it is resolved
  const named = new URL(`https://localhost:${git.port}/${name}`);
  expect(await refusal(clone(name, { url: named, allowsPrivate: false }))).toMatchObject({ code: 'clone_refused' });
});

test.each([
  ['at once', /./],
  ['when it asks for the commit', /git-upload-pack$/],
])('a server that sends git on to another host %s is not followed, and the token stays', async (_, when) => {
  const login = { username: 'oauth2', password: 'glpat-canary-0123456789' };
  const inside = await startGitServer();
  const outer = await startGitServer({
    intercept: (request, response) => {
      if (request.headers.authorization === undefined) {
        response.writeHead(401, { 'www-authenticate': 'Basic realm="git"' }).end();
        return true;
      }
      if (!when.test(request.url ?? '')) return false;
      response.writeHead(302, { location: `${inside.url}${request.url ?? ''}` }).end();
      return true;
    },
  });
  try {
    commitTo(inside.create('r.git'), [file('x', 'x')]);
    commitTo(outer.create('r.git'), [file('x', 'x')]);
    const answer = await refusal(clone('', { url: new URL(`${outer.url}/r.git`), login }));
    expect(answer.code).toMatch(/^clone_/);
    expect(outer.requests.some(({ authorization }) => authorization !== undefined)).toBe(true);
    expect(answer.message).not.toContain(login.password);
    expect(inside.requests).toEqual([]);
  } finally {
    await Promise.all([inside.close(), outer.close()]);
  }
});

test('the token reaches the server, and neither a file of the clone nor an error', async () => {
  const token = 'glpat-canary-0123456789';
  const closed = await startGitServer({ login: `oauth2:${token}` });
  try {
    const commit = commitTo(closed.create('r.git'), [file('x', 'x')]);
    const url = new URL(`${closed.url}/r.git`);
    const wrong = await refusal(clone('', { url, login: { username: 'oauth2', password: 'wrong-canary' } }));
    expect(wrong.code).toBe('clone_refused');
    expect(wrong.message).not.toContain('wrong-canary');
    expect(await refusal(clone('', { url }))).toMatchObject({ code: 'clone_refused' });
    expect(await clone('', { url, login: { username: 'oauth2', password: token } })).toMatchObject({ commit });
    const kept = readdirSync(work.folder, { recursive: true, withFileTypes: true })
      .filter((entry) => entry.isFile())
      .map((entry) => readFileSync(path.join(entry.parentPath, entry.name), 'utf8'));
    expect(kept.join('\n')).not.toContain(token);
  } finally {
    await closed.close();
  }
});

test('a branch that is not there, and one whose name is none, say so', async () => {
  const { name } = repository([file('x', 'x')]);
  expect((await refusal(clone(name, { branch: 'gone' }))).message).toContain('no branch of that name');
  for (const branch of ['', 'a b', 'x:refs/heads/y', '../x', 'a..b', '*', 'a\nb']) {
    expect((await refusal(clone(name, { branch }))).code).toBe('clone_refused');
  }
});
