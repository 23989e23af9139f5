import { mkdtemp, readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { startTestService } from '../test-service.ts';
import { type BareRepository, createBareRepository } from './bare-repository.ts';
import { git, tryGit } from './run-git.ts';
import type { ServedGit } from './serve-git.ts';

async function newRepository(): Promise<BareRepository> {
  const repository = await createBareRepository();
  onTestFinished(() => repository.remove());
  return repository;
}

async function newFolder(): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-clone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  return folder;
}

const MESSAGE = 'feat: begin\n\nWith a body,\n\nand ümläuts.';

test('keeps files, deletes, names and bytes of any kind', async () => {
  const repository = await newRepository();
  const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
  const names = ['README.md', 'a b/ü.txt', 'tab\tand\nline', '-rf', 'quoted"name'];
  const files = Object.fromEntries(names.map((name) => [name, name]));
  const first = await repository.commitFiles({ branch: 'main', message: MESSAGE, files: { ...files, raw: bytes } });
  const second = await repository.commitFiles({ branch: 'main', message: 'next', files: { '-rf': null } });
  expect((await repository.listFiles('main')).map(({ path }) => path).toSorted()).toEqual(
    [...names.filter((name) => name !== '-rf'), 'raw'].toSorted(),
  );
  expect((await repository.readFile('main', 'raw'))?.content).toEqual(Buffer.from(bytes));
  expect((await repository.readFile(first, '-rf'))?.content.toString()).toBe('-rf');
  expect(await repository.readFile('main', '-rf')).toBeNull();
  expect(await repository.readFile('main', 'a b')).toBeNull();
  const log = await repository.log('main');
  expect(log.map(({ hash }) => hash)).toEqual([second, first]);
  expect(log[1]?.message.trimEnd()).toBe(MESSAGE);
  expect(log[0]?.parents).toEqual([first]);
  expect(await readdir(repository.folder)).not.toContainEqual(expect.stringMatching(/^index-/));
});

test('moves branches only from where they are expected', async () => {
  const repository = await newRepository();
  const first = await repository.commitFiles({ branch: 'main', message: '1', files: { a: '1' } });
  const second = await repository.commitFiles({ branch: 'feature/x', message: '2', files: { b: '1' } });
  expect(await repository.branches()).toEqual(
    new Map([
      ['feature/x', second],
      ['main', first],
    ]),
  );
  expect(await repository.setBranch('main', second, second)).toBe(false);
  expect(await repository.resolve('main')).toBe(first);
  expect(await repository.setBranch('main', second, first)).toBe(true);
  expect(await repository.setBranch('feature', second)).toBe(false);
  expect(await repository.resolve('--all')).toBeNull();
  expect(await repository.setBranch('feature/x', null)).toBe(true);
  expect([...(await repository.branches()).keys()]).toEqual(['main']);
});

test('says what is ahead of what', async () => {
  const repository = await newRepository();
  const base = await repository.commitFiles({ branch: 'main', message: 'base', files: { a: '1' } });
  await repository.setBranch('fix', base);
  const fix = await repository.commitFiles({ branch: 'fix', message: 'fix', files: { a: '2' } });
  const main = await repository.commitFiles({ branch: 'main', message: 'main', files: { b: '1' } });
  expect((await repository.log('fix', { without: 'main' })).map(({ hash }) => hash)).toEqual([fix]);
  expect(await repository.isAncestor(base, fix)).toBe(true);
  expect(await repository.isAncestor(main, fix)).toBe(false);
  expect(await repository.mergeBase('main', 'fix')).toBe(base);
});

test('writes without git what git would write', async () => {
  const repository = await newRepository();
  const ofGit = async (...args: string[]): Promise<string> =>
    (await git({ args: ['--git-dir', repository.folder, ...args] })).toString('utf8');
  const names = ['a', 'a.txt', 'a-b/c', 'a/b/c', 'ü/z', 'a0', 'deep/er/and/deeper', '.github/workflows/ci.yml'];
  const files = Object.fromEntries(names.filter((name) => name !== 'a').map((name) => [name, `content of ${name}`]));
  await repository.commitFiles({ branch: 'main', message: 'one', files });
  await repository.commitFiles({ branch: 'main', message: MESSAGE, files: { 'a/b/c': null, 'a-b/c': '2', a0: '' } });
  await repository.commitFiles({ branch: 'topic/x', message: 'two\n\n', files: { x: '1' } });
  await repository.setBranch('odd..name', await repository.resolve('main'));
  await repository.commitFiles({
    branch: 'main',
    message: 'all',
    files: Object.fromEntries(names.map((name) => [name, null])),
  });
  expect(await ofGit('fsck', '--strict', '--no-dangling')).toBe('');
  for (const at of ['main', 'main~1', 'main~2', 'topic/x']) {
    const hash = (await ofGit('rev-parse', at)).trim();
    const rows = (await ofGit('ls-tree', '-r', '-z', hash)).split('\0').filter((row) => row !== '');
    const listed = await repository.listFiles(hash);
    expect(listed.map(({ path, mode, type, blob }) => `${mode} ${type} ${blob}\t${path}`)).toEqual(rows);
    const [newest] = await repository.log(hash, { limit: 1 });
    const made = ['-c', 'user.name=Ada Fake', '-c', 'user.email=ada@example.com', 'commit-tree', newest?.tree ?? ''];
    const parents = (newest?.parents ?? []).flatMap((parent) => ['-p', parent]);
    const run = { args: ['--git-dir', repository.folder, ...made, ...parents], input: newest?.message ?? '' };
    expect((await git(run)).toString('utf8').trim()).toBe(hash);
  }
  expect([...(await repository.branches())]).toEqual(
    (await ofGit('for-each-ref', '--format=%(refname:lstrip=2) %(objectname)', 'refs/heads/'))
      .trim()
      .split('\n')
      .map((line) => line.split(' ')),
  );
});

test('leaves names that git refuses, and merges, to git', async () => {
  const repository = await newRepository();
  const first = await repository.commitFiles({ branch: 'main', message: '1', files: { 'a/b': '1' } });
  const blob = await repository.blob('x');
  for (const path of ['.git/config', '../x', 'a//b', 'a/../b', '', '.GIT/x']) {
    // some it refuses, and some it passes over
    const tree = await repository.tree(first, [{ path, blob }]).catch(() => first);
    expect((await repository.listFiles(tree)).map((file) => file.path)).toEqual(['a/b']);
  }
  await expect(repository.tree(first, [{ path: 'x', blob: 'f'.repeat(40) }])).rejects.toThrow(/git .* ended with/);
  expect(await repository.setBranch('a..b', first)).toBe(false);
  expect(await repository.setBranch('main/below', first)).toBe(false);
  expect(await repository.setBranch('new', 'f'.repeat(40))).toBe(false);
  expect(await repository.setBranch('new', await repository.blob('x'))).toBe(false);
  const second = await repository.commitFiles({ branch: 'other', message: '2', files: { c: '1' } });
  const tree = await repository.tree(first, [{ path: 'c', blob }]);
  const merge = await repository.commit({ tree, parents: [first, second], message: 'merge' });
  expect((await repository.log(merge)).map(({ hash }) => hash).toSorted()).toEqual([first, second, merge].toSorted());
  expect(await repository.isAncestor(second, merge)).toBe(true);
  expect(await repository.mergeBase(first, merge)).toBe(first);
  // packed, the branches are in one file that only git reads
  await git({ args: ['--git-dir', repository.folder, 'pack-refs', '--all'] });
  expect(await repository.resolve('main')).toBe(first);
  expect(await repository.setBranch('main', second, first)).toBe(true);
  expect((await repository.branches()).get('main')).toBe(second);
});

async function serve(repository: BareRepository, allows?: ServedGit['allows']): Promise<URL> {
  const folderOf = (path: string) => (path === 'acme/repo 1' ? repository.folder : null);
  const service = await startTestService(() => ({ json: 'the api' }), { git: { folderOf, ...(allows && { allows }) } });
  onTestFinished(() => service.close());
  return service.url;
}

test('is cloned, shallowly too, and pushed to by who may', async () => {
  const repository = await newRepository();
  await repository.commitFiles({ branch: 'main', message: 'one', files: { 'a.txt': 'one' } });
  const newest = await repository.commitFiles({ branch: 'main', message: 'two', files: { 'a.txt': 'two' } });
  const url = await serve(repository, (user) => user?.username === 'x-token' && user.password === 'pa:ss');
  const folder = await newFolder();
  const address = `http://x-token:${encodeURIComponent('pa:ss')}@${url.host}/acme/repo%201.git`;
  await git({ args: ['clone', '--quiet', '--depth', '1', address, folder] });
  expect((await git({ args: ['-C', folder, 'rev-parse', 'HEAD'] })).toString().trim()).toBe(newest);
  expect((await git({ args: ['-C', folder, 'rev-list', '--count', 'HEAD'] })).toString().trim()).toBe('1');
  await git({ args: ['-C', folder, 'push', '--quiet', 'origin', 'HEAD:refs/heads/pushed'] });
  expect(await repository.resolve('pushed')).toBe(newest);
});

test('refuses who may not, and repositories that are not there; the service beside it answers', async () => {
  const repository = await newRepository();
  await repository.commitFiles({ branch: 'main', message: 'one', files: { 'a.txt': 'one' } });
  const closed = await serve(repository, () => false);
  const folder = await newFolder();
  const refused = await tryGit({ args: ['clone', '--quiet', `${closed}acme/repo%201.git`, folder] });
  expect(refused.code).not.toBe(0);
  expect(refused.said).toContain('terminal prompts disabled');
  const open = await serve(repository);
  const missing = await tryGit({ args: ['clone', '--quiet', `${open}acme/none.git`, folder] });
  expect(missing.said).toContain('not found');
  await git({ args: ['clone', '--quiet', `${open}acme/repo%201.git`, folder] });
  const push = await tryGit({ args: ['-C', folder, 'push', '--quiet', 'origin', 'HEAD:refs/heads/pushed'] });
  expect(push.code).not.toBe(0);
  expect(await (await fetch(open)).json()).toBe('the api');
});
