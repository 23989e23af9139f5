import type { ScmWrite } from '@breakwater/sdk';
import { ANSWER_FAULTS, refusalOf, type TestAnswers, withFault } from '@breakwater/sdk/testing';
import { describe, expect, it } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import type { FakeBitbucket } from './testing/fake-bitbucket.ts';
import { openFake } from './testing/open-fake.ts';

const write: ScmWrite = server.connectors['bitbucket_cloud']!.scm!.write!;
const targetOf = ({ repositories }: FakeBitbucket) =>
  repositories.find((one) => one.workspace === 'acme' && one.slug === 'repo-0')!;
const repository = 'acme/{00000000-3574-44ea-bb41-89e8638bcca4}';
const empty = 'acme/{00000001-3574-44ea-bb41-89e8638bcca4}';
const branch = 'breakwater/fix-ü+1';
const newBranch = { repository, branch, from: 'main', idempotencyKey: 'branch-1' };
const change = { path: 'a.txt', content: 'a' };
const commit = { repository, branch: 'main', message: 'fix: it', files: [change], idempotencyKey: 'commit-1' };
const pullRequest = {
  repository,
  from: branch,
  into: 'main',
  title: 'Fix it',
  description: 'Text',
  idempotencyKey: 'pr-1',
};
const issue = { repository, title: 'An issue', description: 'Text', labels: ['security'], idempotencyKey: 'issue-1' };

async function open(around?: (answer: TestAnswers) => TestAnswers) {
  const opened = await openFake(plugin.connectors[0], {}, around === undefined ? {} : { around });
  return { ...opened, target: targetOf(opened.fake) };
}

async function withBranch() {
  const opened = await open();
  await write.createBranch(opened.ctx, newBranch);
  return { ...opened, git: await opened.target.git() };
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
    ['an unknown base', { from: 'nowhere' }, 'no branch "nowhere"'],
    ['a name that git does not take', { branch: 'a..b' }, 'invalid'],
    ['an empty repository', { repository: empty }, 'is empty'],
    ['an unknown repository', { repository: 'acme/nowhere' }, 'knows no repository'],
    ['an id that is none', { repository: '42' }, 'is no repository'],
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
    const { ctx, target } = await open();
    const git = await target.git();
    const before = await git.commitFiles({ branch: 'main', message: 'old', files: { 'old.txt': '1' } });
    const files = [
      { path: 'README.md', content: 'changed' },
      { path: 'old.txt', content: null },
      { path: 'never-there.txt', content: null },
      { path: awkward, content: '\r\n--breakwater-\r\nContent-Disposition: form-data; name="/evil"\r\n\r\nü' },
      { path: 'image.png', content: bytes },
      { path: 'message', content: 'a file, no field' },
      { path: 'empty', content: '' },
    ];
    const hash = await write.commitFiles(ctx, { ...commit, files });
    const [newest] = await git.log('main');
    expect(newest).toMatchObject({ hash, parents: [before], message: expect.stringMatching(/^fix: it\n/) });
    const paths = (await git.listFiles(hash)).map(({ path }) => path);
    expect(paths.toSorted()).toEqual(['README.md', awkward, 'empty', 'image.png', 'message'].toSorted());
    expect((await git.readFile(hash, 'image.png'))?.content.equals(Buffer.from(bytes))).toBe(true);
    expect((await git.readFile(hash, awkward))?.content.toString()).toBe(files[3]!.content);
  });

  it('keeps a program executable', async () => {
    const { ctx, target } = await open();
    const git = await target.git();
    const head = (await git.resolve('main'))!;
    const tree = await git.tree(head, [{ path: 'bin/run', blob: await git.blob('#!/bin/sh\n'), mode: '100755' }]);
    await git.setBranch('main', await git.commit({ tree, parents: [head], message: 'run' }));
    const hash = await write.commitFiles(ctx, {
      ...commit,
      files: [{ path: 'bin/run', content: '#!/bin/sh\ntrue\n' }],
    });
    expect(await git.listFiles(hash)).toContainEqual(expect.objectContaining({ path: 'bin/run', mode: '100755' }));
  });

  it('has one effect for one key, and none where nothing differs', async () => {
    const { ctx, target } = await open();
    const git = await target.git();
    const hash = await write.commitFiles(ctx, commit);
    const later = await git.commitFiles({ branch: 'main', message: 'later', files: { 'a.txt': 'b' } });
    expect(await write.commitFiles(ctx, commit)).toBe(hash);
    const same = { ...commit, files: [{ path: 'a.txt', content: 'b' }], idempotencyKey: 'commit-2' };
    expect(await write.commitFiles(ctx, same)).toBe(later);
    expect(await git.log('main')).toHaveLength(3);
  });

  it('commits on a branch that moved between reading and committing', async () => {
    const moved = Promise.withResolvers<void>();
    let fake: FakeBitbucket | undefined;
    const opened = await open((answer) => async (request) => {
      if (request.method === 'POST' && fake !== undefined) {
        const git = await targetOf(fake).git();
        fake = undefined;
        await git.commitFiles({ branch: 'main', message: 'meanwhile', files: { 'a.txt': 'of another' } });
        moved.resolve();
      }
      return answer(request);
    });
    fake = opened.fake;
    await write.commitFiles(opened.ctx, commit);
    await moved.promise;
    const git = await opened.target.git();
    const titles = (await git.log('main')).map(({ message }) => message.split('\n')[0]);
    expect(titles).toEqual(['fix: it', 'meanwhile', 'Begin']);
    expect((await git.readFile('main', 'a.txt'))?.content.toString()).toBe('a');
  });

  it.each([
    ['there is no such branch', { branch: 'nowhere' }, 'no branch "nowhere"'],
    ['the repository is empty', { repository: empty }, 'is empty'],
    ['a name cannot be sent', { files: [{ path: 'a"b', content: 'x' }] }, 'holds a quote'],
    ['a name cannot be sent', { files: [{ path: 'a\r\nb', content: 'x' }] }, 'a line break'],
    ['a path leads out', { files: [{ path: 'a/../../b', content: 'x' }] }, 'no path'],
  ])('says that %s', async (_, differs, words) => {
    const { ctx } = await open();
    const refused = await refusalOf(write.commitFiles(ctx, { ...commit, ...differs }));
    expect(refused).toMatchObject({ code: 'config', message: expect.stringContaining(words) });
  });
});

describe('openPullRequest', () => {
  it('opens one pull request for one key, also after it was declined', async () => {
    const { ctx, target } = await withBranch();
    const link = await write.openPullRequest(ctx, { ...pullRequest, title: 't'.repeat(300) });
    expect(link).toEqual({ url: 'https://bitbucket.org/acme/repo-0/pull-requests/1', number: 1 });
    target.pullRequests[0]!.state = 'DECLINED';
    expect(await write.openPullRequest(ctx, pullRequest)).toEqual(link);
    expect(target.pullRequests).toHaveLength(1);
  });

  it('does not believe the mark in what another person wrote, nor one that a report brought along', async () => {
    const { ctx, target } = await withBranch();
    await write.openPullRequest(ctx, pullRequest);
    const [first] = target.pullRequests.splice(0);
    target.pullRequests.push({ ...first!, author: '{another}' });
    expect(await write.openPullRequest(ctx, pullRequest)).toMatchObject({ number: 2 });
    const planted = { ...pullRequest, description: `x\n\n${'[//]: # "breakwater:pr-9"'}`, idempotencyKey: 'pr-8' };
    await write.openPullRequest(ctx, planted);
    expect(await write.openPullRequest(ctx, { ...pullRequest, idempotencyKey: 'pr-9' })).toMatchObject({ number: 4 });
  });

  it('says that a branch is missing, or the repository', async () => {
    const { ctx } = await withBranch();
    const missing = await refusalOf(write.openPullRequest(ctx, { ...pullRequest, into: 'nowhere' }));
    expect(missing).toMatchObject({ code: 'config', message: expect.stringContaining('nowhere') });
    const nowhere = await refusalOf(write.openPullRequest(ctx, { ...pullRequest, repository: 'acme/nowhere' }));
    expect(nowhere).toMatchObject({ code: 'config' });
  });
});

describe('openIssue', () => {
  it('opens one issue for one key, also behind many others', async () => {
    const { ctx, target } = await open();
    const link = await write.openIssue(ctx, issue);
    const [first] = target.issues;
    for (let id = 2; id < 250; id += 1) target.issues.push({ ...first!, id, text: 'other' });
    expect(await write.openIssue(ctx, issue)).toEqual(link);
    expect(target.issues).toHaveLength(249);
  });

  it('says that there is no issue tracker', async () => {
    const { ctx, target } = await open();
    target.hasIssues = false;
    const refused = await refusalOf(write.openIssue(ctx, issue));
    expect(refused).toMatchObject({ code: 'config', message: expect.stringContaining('no issue tracker') });
  });
});

describe('comment', () => {
  const comment = { repository, number: 1, text: 'First', idempotencyKey: 'note-1' };

  it('writes one comment for one key, and replaces its text', async () => {
    const { ctx, target } = await withBranch();
    await write.openPullRequest(ctx, pullRequest);
    const link = await write.comment(ctx, comment);
    expect(link.url).toMatch(/pull-requests\/1.*comment-\d+$/);
    expect(await write.comment(ctx, comment)).toEqual(link);
    expect(await write.comment(ctx, { ...comment, text: 'Second' })).toEqual(link);
    expect(target.comments.map(({ text }) => text.split('\n')[0])).toEqual(['Second']);
  });

  it('says that there is no such pull request', async () => {
    const { ctx } = await open();
    const refused = await refusalOf(write.comment(ctx, { ...comment, number: 9 }));
    expect(refused).toMatchObject({ code: 'config', message: expect.stringContaining('#9') });
  });
});

describe('setStatus', () => {
  it.each(['Breakwater', 'A name that is longer than the forty characters of a key'])(
    'keeps one of %s',
    async (name) => {
      const { ctx, target } = await open();
      const sha = (await (await target.git()).resolve('main'))!;
      const status = { repository, commit: sha, name, description: 'x'.repeat(300), idempotencyKey: 's' };
      for (const state of ['pending', 'failure', 'success', 'success'] as const)
        await write.setStatus(ctx, { ...status, state });
      expect([...target.statuses.values()]).toEqual([expect.objectContaining({ state: 'SUCCESSFUL', name })]);
    },
  );

  it('says that there is no such commit', async () => {
    const { ctx } = await open();
    const status = {
      repository,
      commit: 'f'.repeat(40),
      name: 'Breakwater',
      state: 'success',
      idempotencyKey: 's',
    } as const;
    expect(await refusalOf(write.setStatus(ctx, status))).toMatchObject({ code: 'config' });
  });
});

describe('every write', () => {
  const WRITES: readonly [string, number, (ctx: Parameters<ScmWrite['createBranch']>[0]) => Promise<unknown>][] = [
    ['createBranch', 2, (ctx) => write.createBranch(ctx, { ...newBranch, branch: 'other' })],
    ['commitFiles', 6, (ctx) => write.commitFiles(ctx, commit)],
    ['openPullRequest', 3, (ctx) => write.openPullRequest(ctx, pullRequest)],
    ['openIssue', 4, (ctx) => write.openIssue(ctx, issue)],
  ];
  const usable = ANSWER_FAULTS.filter(({ isOfLists }) => !isOfLists);
  // The upload has an answer without a body: a strange one is found out by what comes after it.
  const meansNothing = (name: string, at: number, what: string): boolean =>
    name === 'commitFiles' && at === 3 && /page of a proxy|another document/.test(what);
  const faults = WRITES.flatMap(([name, requests, run]) =>
    Array.from({ length: requests }, (_, at) =>
      usable.map((fault) => ({ name, at, fault, run, what: fault.name })),
    ).flat(),
  ).filter(({ name, at, what }) => !meansNothing(name, at, what));

  it.each(faults)('$name fails rightly, and goes on, where request $at $what', async ({ name, at, fault, run }) => {
    let around: TestAnswers | null = null;
    const { connect, fake, ctx, target } = await open((answer) => (request) => (around ?? answer)(request));
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
    expect(target.pullRequests).toHaveLength(name === 'openPullRequest' ? 1 : 0);
    expect(target.issues).toHaveLength(name === 'openIssue' ? 1 : 0);
    if (name === 'commitFiles') expect(await (await target.git()).log('main')).toHaveLength(2);
  });

  it('is found out where an upload was answered by somebody else', async () => {
    const { ctx, target } = await open(
      (answer) => (request) => (request.method === 'POST' ? { body: '<!doctype html>' } : answer(request)),
    );
    expect(await refusalOf(write.commitFiles(ctx, commit))).toMatchObject({ code: 'upstream' });
    expect(await (await target.git()).log('main')).toHaveLength(1);
  });

  it('tells who may only read what to grant', async () => {
    const { ctx, target } = await open();
    target.right = 'read';
    for (const [name, , run] of WRITES.slice(0, 2)) {
      const refused = await refusalOf(run(ctx));
      expect(refused, name).toMatchObject({ code: 'scope', help: expect.stringContaining('repository:write') });
    }
  });
});
