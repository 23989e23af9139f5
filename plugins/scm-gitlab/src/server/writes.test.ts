import type { ScmWrite } from '@breakwater/sdk';
import { ANSWER_FAULTS, refusalOf, type TestAnswers, withFault } from '@breakwater/sdk/testing';
import { describe, expect, it } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { openFake } from './testing/open-fake.ts';
import { ROLE } from './testing/state.ts';

const write: ScmWrite = server.connectors['gitlab']!.scm!.write!;
const open = (around?: (answer: TestAnswers) => TestAnswers) => openFake(plugin.connectors[0], {}, around);
const repository = '1';
const branch = 'breakwater/fix-ü+1';
const newBranch = { repository, branch, from: 'main', idempotencyKey: 'branch-1' };
const commit = {
  repository,
  branch: 'main',
  message: 'fix: it',
  files: [{ path: 'a.txt', content: 'a' }],
  idempotencyKey: 'commit-1',
};
const pullRequest = {
  repository,
  from: branch,
  into: 'main',
  title: 'Fix it',
  description: 'Text',
  idempotencyKey: 'mr-1',
};
const issue = {
  repository,
  title: 'An issue',
  description: 'Text',
  labels: ['security', 'a,b'],
  idempotencyKey: 'issue-1',
};

async function withBranch() {
  const opened = await open();
  await write.createBranch(opened.ctx, newBranch);
  const project = opened.fake.repositories[0]!;
  return { ...opened, project, git: await project.git() };
}

describe('createBranch', () => {
  it('makes a branch, once for one key', async () => {
    const { ctx, git } = await withBranch();
    await write.createBranch(ctx, newBranch);
    expect([...(await git.branches()).keys()]).toEqual([branch, 'main']);
  });

  it('leaves a branch with our own commits where it is, also after its base has moved', async () => {
    const { ctx, git } = await withBranch();
    const own = await write.commitFiles(ctx, { ...commit, branch });
    await git.commitFiles({ branch: 'main', message: 'moved', files: { b: 'b' } });
    await write.createBranch(ctx, newBranch);
    expect(await git.resolve(`refs/heads/${branch}`)).toBe(own);
  });

  it('refuses a branch that holds commits of others', async () => {
    const { ctx, git } = await withBranch();
    await git.commitFiles({ branch, message: 'of another', files: { b: 'b' } });
    const again = await refusalOf(write.createBranch(ctx, newBranch));
    expect(again).toMatchObject({ code: 'config', message: expect.stringContaining('commits of others') });
  });

  it.each([
    ['an unknown base', { from: 'nowhere' }, 'Invalid reference name'],
    ['a name that git does not take', { branch: 'a..b' }, 'invalid'],
    ['an empty repository', { repository: '2' }, 'is empty'],
    ['an unknown project', { repository: '77' }, 'Project Not Found'],
  ])('says what is wrong with %s', async (_, differs, words) => {
    const { ctx } = await open();
    const refused = await refusalOf(write.createBranch(ctx, { ...newBranch, ...differs }));
    expect(refused).toMatchObject({ code: 'config', message: expect.stringContaining(words) });
  });
});

describe('commitFiles', () => {
  const bytes = Uint8Array.from({ length: 1024 * 1024 }, (_, index) => (index * 7919) % 256);
  const awkward = 'a b/ü#?%2F/tab\t\u0001.txt';

  it('makes, changes and deletes files of every kind in one commit', async () => {
    const { ctx, fake } = await open();
    const git = await fake.repositories[0]!.git();
    const before = await git.commitFiles({ branch: 'main', message: 'old', files: { 'old.txt': '1', 'run.sh': '1' } });
    const files = [
      { path: 'README.md', content: 'changed' },
      { path: 'old.txt', content: null },
      { path: 'never-there.txt', content: null },
      { path: awkward, content: 'ü' },
      { path: 'image.png', content: bytes },
      { path: '-rf', content: '' },
    ];
    const hash = await write.commitFiles(ctx, { ...commit, files });
    const [newest] = await git.log('main');
    expect(newest).toMatchObject({ hash, parents: [before] });
    const paths = (await git.listFiles(hash)).map(({ path }) => path);
    expect(paths.toSorted()).toEqual(['-rf', 'README.md', awkward, 'image.png', 'run.sh'].toSorted());
    expect((await git.readFile(hash, 'image.png'))?.content.equals(Buffer.from(bytes))).toBe(true);
    expect((await git.readFile(hash, awkward))?.content.toString()).toBe('ü');
  });

  it('has one effect for one key, and none where nothing differs', async () => {
    const { ctx, fake } = await open();
    const git = await fake.repositories[0]!.git();
    const hash = await write.commitFiles(ctx, commit);
    const later = await git.commitFiles({ branch: 'main', message: 'later', files: { 'a.txt': 'of another' } });
    expect(await write.commitFiles(ctx, commit)).toBe(hash);
    const same = { ...commit, files: [{ path: 'a.txt', content: 'of another' }], idempotencyKey: 'commit-2' };
    expect(await write.commitFiles(ctx, same)).toBe(later);
    expect(await git.log('main')).toHaveLength(3);
  });

  it.each([
    ['makes the file', { 'a.txt': 'of another' }, 'a'],
    ['deletes the file', { 'README.md': null }, null],
  ])('commits on a branch where another %s meanwhile', async (_, meanwhile, content) => {
    let fake: Awaited<ReturnType<typeof open>>['fake'];
    let hasMoved = false;
    const opened = await open((answer) => async (request) => {
      if (request.method === 'POST' && !hasMoved) {
        hasMoved = true;
        const git = await fake.repositories[0]!.git();
        await git.commitFiles({ branch: 'main', message: 'meanwhile', files: meanwhile });
      }
      return answer(request);
    });
    ({ fake } = opened);
    const files = [
      { path: 'a.txt', content: 'a' },
      { path: 'README.md', content },
    ];
    await write.commitFiles(opened.ctx, { ...commit, files });
    const git = await fake.repositories[0]!.git();
    expect((await git.log('main')).map(({ message }) => message.split('\n')[0])).toEqual([
      'fix: it',
      'meanwhile',
      'Begin',
    ]);
    expect((await git.readFile('main', 'a.txt'))?.content.toString()).toBe('a');
  });

  it('says that a protected branch is closed to the role', async () => {
    const { ctx, fake } = await open();
    const rule = { id: 1, name: 'main', allow_force_push: false, code_owner_approval_required: false };
    Object.assign(fake.repositories[0]!, { role: ROLE.developer, protectedBranches: [rule] });
    expect(await refusalOf(write.commitFiles(ctx, commit))).toMatchObject({
      code: 'scope',
      message: expect.stringContaining('not allowed to push'),
      help: expect.stringContaining('right to push'),
    });
  });

  it.each([
    ['there is no such branch', { branch: 'nowhere' }, 'no branch "nowhere"'],
    ['the repository is empty', { repository: '2' }, 'no branch "main"'],
    ['a path leads out', { files: [{ path: 'a/../../b', content: 'x' }] }, 'directory traversal'],
  ])('says that %s', async (_, differs, words) => {
    const { ctx } = await open();
    const refused = await refusalOf(write.commitFiles(ctx, { ...commit, ...differs }));
    expect(refused).toMatchObject({ code: 'config', message: expect.stringContaining(words) });
  });
});

describe('openPullRequest', () => {
  it('opens one merge request for one key, also after it was closed', async () => {
    const { ctx, project } = await withBranch();
    const link = await write.openPullRequest(ctx, { ...pullRequest, title: 't'.repeat(300) });
    expect(link).toEqual({ url: 'https://gitlab.example.com/acme/project-1/-/merge_requests/1', number: 1 });
    project.mergeRequests[0]!.state = 'closed';
    expect(await write.openPullRequest(ctx, pullRequest)).toEqual(link);
    expect(project.mergeRequests).toHaveLength(1);
  });

  it('does not believe the mark in what another person wrote', async () => {
    const { ctx, project } = await withBranch();
    await write.openPullRequest(ctx, pullRequest);
    const [first] = project.mergeRequests.splice(0);
    project.mergeRequests.push({ ...first!, author: 2, state: 'closed' });
    expect(await write.openPullRequest(ctx, pullRequest)).toMatchObject({ number: 2 });
  });

  it('says that another one is open, and that a branch is missing', async () => {
    const { ctx } = await withBranch();
    await write.openPullRequest(ctx, pullRequest);
    const other = await refusalOf(write.openPullRequest(ctx, { ...pullRequest, idempotencyKey: 'mr-2' }));
    expect(other).toMatchObject({ code: 'config', message: expect.stringContaining('!1') });
    const missing = await refusalOf(write.openPullRequest(ctx, { ...pullRequest, into: 'nowhere' }));
    expect(missing).toMatchObject({ code: 'config', message: expect.stringContaining('nowhere') });
  });
});

describe('openIssue', () => {
  it('opens one issue for one key, also behind many others', async () => {
    const { ctx, fake } = await open();
    const link = await write.openIssue(ctx, issue);
    const [project] = fake.repositories;
    const [first] = project!.issues;
    expect(first).toMatchObject({ title: 'An issue', labels: ['security', 'a b'] });
    for (let iid = 2; iid < 250; iid += 1) project!.issues.push({ ...first!, iid, description: 'other' });
    expect(await write.openIssue(ctx, issue)).toEqual(link);
    expect(project!.issues).toHaveLength(249);
  });

  it('says that issues are switched off', async () => {
    const { ctx, fake } = await open();
    fake.repositories[0]!.issuesEnabled = false;
    expect(await refusalOf(write.openIssue(ctx, issue))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('switched off'),
    });
  });

  it('lets no line of a report become an action of GitLab', async () => {
    const { ctx, fake } = await open();
    const description = 'Found:\n/close\n  /assign @root\r\n/CC @all\n/etc/passwd and a/close';
    await write.openIssue(ctx, { ...issue, description });
    const written = fake.repositories[0]!.issues[0]!.description;
    expect(written.split(/\r?\n/).slice(0, 5)).toEqual([
      'Found:',
      '\\/close',
      '  \\/assign @root',
      '\\/CC @all',
      '/etc/passwd and a/close',
    ]);
  });
});

describe('comment', () => {
  const comment = { repository, number: 1, text: 'First', idempotencyKey: 'note-1' };

  it('writes one note for one key, and replaces its text', async () => {
    const { ctx, project } = await withBranch();
    await write.openPullRequest(ctx, pullRequest);
    const link = await write.comment(ctx, comment);
    expect(link.url).toMatch(/merge_requests\/1#note_\d+$/);
    expect(await write.comment(ctx, comment)).toEqual(link);
    expect(await write.comment(ctx, { ...comment, text: 'Second' })).toEqual(link);
    expect(project.notes.map(({ body }) => body.split('\n')[0])).toEqual(['Second']);
  });

  it('leaves a note of another person alone that ends like ours', async () => {
    const { ctx, project } = await withBranch();
    await write.openPullRequest(ctx, pullRequest);
    await write.comment(ctx, comment);
    const [note] = project.notes.splice(0);
    project.notes.push({ ...note!, author: 2 });
    await write.comment(ctx, { ...comment, text: 'Second' });
    expect(project.notes.map(({ author, body }) => [author, body.split('\n')[0]])).toEqual([
      [2, 'First'],
      [1, 'Second'],
    ]);
  });

  it('says that there is no such merge request', async () => {
    const { ctx } = await open();
    expect(await refusalOf(write.comment(ctx, { ...comment, number: 9 }))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('!9'),
    });
  });
});

describe('setStatus', () => {
  it('goes from pending to its end, each once', async () => {
    const { ctx, project, git } = await withBranch();
    const sha = (await git.resolve('main'))!;
    const status = {
      repository,
      commit: sha,
      name: 'Breakwater',
      description: 'x'.repeat(300),
      url: 'https://breakwater.example/scan',
      idempotencyKey: 's',
    };
    for (const state of ['pending', 'pending', 'failure', 'failure', 'pending', 'success'] as const) {
      await write.setStatus(ctx, { ...status, state });
    }
    await write.setStatus(ctx, { ...status, state: 'success', description: 'changed' });
    expect(project.statuses.map(({ fields }) => JSON.stringify(fields).match(/"status":"(\w+)"/)?.[1])).toEqual([
      'failed',
      'success',
      'success',
    ]);
  });

  it('keeps a pending status whose description would change', async () => {
    const { ctx, project, git } = await withBranch();
    const status = {
      repository,
      commit: (await git.resolve('main'))!,
      name: 'Breakwater',
      state: 'pending',
      idempotencyKey: 's',
    } as const;
    await write.setStatus(ctx, status);
    await write.setStatus(ctx, { ...status, description: 'Reading' });
    expect(project.statuses).toHaveLength(1);
  });

  it('says that there is no such commit', async () => {
    const { ctx } = await open();
    const status = {
      repository,
      commit: 'f'.repeat(40),
      name: 'Breakwater',
      state: 'success',
      idempotencyKey: 's',
    } as const;
    expect(await refusalOf(write.setStatus(ctx, status))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('Commit Not Found'),
    });
  });
});

describe('every write', () => {
  const WRITES: readonly [string, number, (ctx: Parameters<ScmWrite['createBranch']>[0]) => Promise<unknown>][] = [
    ['createBranch', 1, (ctx) => write.createBranch(ctx, { ...newBranch, branch: 'other' })],
    ['commitFiles', 4, (ctx) => write.commitFiles(ctx, commit)],
    ['openPullRequest', 2, (ctx) => write.openPullRequest(ctx, pullRequest)],
    ['openIssue', 3, (ctx) => write.openIssue(ctx, issue)],
  ];
  const faults = WRITES.flatMap(([name, requests, run]) =>
    Array.from({ length: requests }, (_, at) =>
      ANSWER_FAULTS.filter(({ isOfLists }) => !isOfLists).map((fault) => ({ name, at, fault, run, what: fault.name })),
    ).flat(),
  );

  it.each(faults)('$name fails rightly, and goes on, where request $at $what', async ({ name, at, fault, run }) => {
    let around: TestAnswers | null = null;
    const { connect, fake, ctx } = await open((answer) => (request) => (around ?? answer)(request));
    if (name === 'openPullRequest') await write.createBranch(ctx, newBranch);
    const faulty = withFault(fake.answer, fault, at);
    around = faulty.answer;
    const giveUp = new AbortController();
    if (fault.isHeld) void faulty.struck.then(() => giveUp.abort());
    const refused = await refusalOf(run(connect(giveUp.signal)));
    expect(refused.code).toBe(fault.code);
    around = null;
    await run(ctx);
    await run(ctx);
    const project = fake.repositories[0]!;
    expect(project.mergeRequests).toHaveLength(name === 'openPullRequest' ? 1 : 0);
    expect(project.issues).toHaveLength(name === 'openIssue' ? 1 : 0);
    if (name === 'commitFiles') expect(await (await project.git()).log('main')).toHaveLength(2);
  });

  it('tells who may only read what to grant', async () => {
    const { ctx, fake } = await open();
    fake.repositories[0]!.role = ROLE.reporter;
    for (const [name, , run] of WRITES.slice(0, 3)) {
      expect(await refusalOf(run(ctx)), name).toMatchObject({
        code: 'scope',
        help: expect.stringContaining('role Developer'),
      });
    }
  });
});
