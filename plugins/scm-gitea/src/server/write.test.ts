import type { CredentialSchema, Ctx, ScmEvent, ScmWrite } from '@breakwater/sdk';
import {
  ANSWER_FAULTS,
  type AnswerFault,
  type BareRepository,
  createBareRepository,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswers,
  withFault,
} from '@breakwater/sdk/testing';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { createFakeGitea, type FakeGitea } from './testing/fake-gitea.ts';

const TOKEN = 'made-for-tests-only';
const values = { oauth_token: TOKEN, protocol: 'https', hosted_domain: 'gitea.example.com', port: 443 };
const { scm } = server.connectors['gitea']!;
const write = scm!.write as Required<ScmWrite>;
const repository = '1';

async function connect(answer: TestAnswers, signal?: AbortSignal) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const ctx = openTestConnection(plugin.connectors[0], { values, baseUrl: service.url, ...(signal && { signal }) });
  return { service, ctx };
}

async function open(template?: BareRepository) {
  const gitea = createFakeGitea({ token: TOKEN, ...(template && { template }) });
  onTestFinished(() => gitea.close());
  const one = gitea.repositories[0]!;
  return { gitea, one, git: await one.git(), ...(await connect(gitea.answer)) };
}

type Ctx1 = Ctx<CredentialSchema>;
const FILES = [
  { path: 'src/a.ts', content: 'export const a = 1;\n' },
  { path: 'docs/ü b.md', content: new Uint8Array([0, 255, 254]) },
  { path: 'README.md', content: null },
];

/** Each write, as it is asked for the second time too. */
const WRITES: [string, (ctx: Ctx1, key: string) => Promise<unknown>][] = [
  [
    'createBranch',
    (ctx, key) => write.createBranch(ctx, { repository, branch: `fix/${key}`, from: 'main', idempotencyKey: key }),
  ],
  [
    'commitFiles',
    (ctx, key) =>
      write.commitFiles(ctx, { repository, branch: 'topic', message: 'Fix it', files: FILES, idempotencyKey: key }),
  ],
  [
    'openPullRequest',
    (ctx, key) =>
      write.openPullRequest(ctx, {
        repository,
        from: 'topic',
        into: 'main',
        title: 'T',
        description: 'D',
        idempotencyKey: key,
      }),
  ],
  [
    'openIssue',
    (ctx, key) =>
      write.openIssue(ctx, { repository, title: 'T', description: 'D', labels: ['security'], idempotencyKey: key }),
  ],
  ['comment', (ctx, key) => write.comment(ctx, { repository, number: 1, text: 'Hello', idempotencyKey: key })],
  [
    'setStatus',
    (ctx, key) =>
      write.setStatus(ctx, {
        repository,
        commit: key.padEnd(40, '0'),
        state: 'success',
        name: 'scan',
        idempotencyKey: key,
      }),
  ],
  [
    'createWebhook',
    (ctx, key) =>
      write.createWebhook(ctx, {
        repository,
        url: `https://b.example/${key}`,
        secret: 's',
        events: ['push'],
        idempotencyKey: key,
      }),
  ],
  ['deleteWebhook', (ctx) => write.deleteWebhook(ctx, { repository, id: '1' })],
];

/** A repository in which every write has something to do, made once and copied. */
let template: BareRepository;
let first: string;

beforeAll(async () => {
  template = await createBareRepository();
  await template.commitFiles({ branch: 'main', message: 'Begin', files: { 'README.md': '# Repository\n' } });
  first = await template.commitFiles({ branch: 'main', message: 'b', files: { 'b.txt': 'b' } });
  await template.setBranch('topic', first);
  await template.commitFiles({ branch: 'topic', message: 'change', files: { 'c.txt': 'c' } });
});
afterAll(() => template?.remove());

async function prepared() {
  const scene = await open(template);
  scene.one.issues.push({ number: 1, title: 'I', body: '', user: 'gopher', labels: [], state: 'open' });
  scene.one.hooks.push({ id: 1, events: ['push'], active: true, config: { url: 'https://old.example' } });
  return { ...scene, first };
}

/** Everything that a write can change. */
async function effects({ gitea, git }: { gitea: FakeGitea; git: Awaited<ReturnType<typeof open>>['git'] }) {
  const [{ issues, comments, statuses, hooks }] = [gitea.repositories[0]!];
  const branches = await git.branches();
  const commits = (await git.log('topic')).length;
  return { branches: [...branches.keys()], commits, issues, comments, statuses, hooks };
}

describe.each(WRITES)('%s', (name, run) => {
  const keyOf = (scene: { first: string }) => (name === 'setStatus' ? scene.first : 'key-1');

  it('has one effect for one key, and says the same again', async () => {
    const scene = await prepared();
    const before = structuredClone(await effects(scene));
    const first = await run(scene.ctx, keyOf(scene));
    const once = structuredClone(await effects(scene));
    expect(once).not.toEqual(before);
    expect(await run(scene.ctx, keyOf(scene))).toEqual(first);
    expect(await effects(scene)).toEqual(once);
  });

  it('has one effect when any answer of the service is lost', async () => {
    const clean = await prepared();
    const lost: Pick<AnswerFault, 'answer'> = {
      answer: async (real) => {
        await real();
        return { ends: 'cut' };
      },
    };
    await run(clean.ctx, keyOf(clean));
    const expected = await effects(clean);
    const writes = clean.service.requests.flatMap(({ method }, index) => (method === 'GET' ? [] : [index]));
    expect(writes.length).toBeGreaterThan(0);
    for (const at of writes) {
      const scene = await prepared();
      const { answer } = withFault(scene.gitea.answer, lost, at);
      const { ctx } = await connect(answer);
      expect((await refusalOf(run(ctx, keyOf(scene)))).code).toMatch(/upstream|unreachable/);
      await run(ctx, keyOf(scene));
      expect(await effects(scene)).toEqual(expected);
    }
  });

  it('fails with the right code whatever the service does wrong, at each of its requests', async () => {
    const scene = await prepared();
    const before = structuredClone(await effects(scene));
    const { service, ...clean } = await prepared();
    await run(clean.ctx, keyOf(clean));
    for (const fault of ANSWER_FAULTS.filter(({ isOfLists }) => isOfLists !== true)) {
      for (const at of service.requests.keys()) {
        const stop = new AbortController();
        // A label that a run before this one made would save it a request.
        scene.one.labels.length = 0;
        const { answer, struck } = withFault(scene.gitea.answer, fault, at);
        if (fault.isHeld) void struck.then(() => stop.abort());
        const { ctx } = await connect(answer, stop.signal);
        const said = await refusalOf(run(ctx, keyOf(scene)));
        expect([fault.name, at, said.code]).toEqual([fault.name, at, fault.code]);
      }
    }
    const { branches, ...rest } = await effects(scene);
    expect({ ...rest, branches }).toEqual(before);
  });
});

describe('commits', () => {
  it('are one commit of all files, whatever their names and bytes', async () => {
    const { ctx, git } = await open();
    const files = [...FILES, { path: 'gone', content: null }];
    const hash = await write.commitFiles(ctx, {
      repository,
      branch: 'main',
      message: 'Fix',
      files,
      idempotencyKey: 'k',
    });
    expect(await git.resolve('main')).toBe(hash);
    expect((await git.log('main')).length).toBe(2);
    const listed = await git.listFiles('main');
    expect(listed.map(({ path }) => path)).toEqual(['docs/ü b.md', 'src/a.ts']);
    expect((await git.readFile('main', 'docs/ü b.md'))?.content).toEqual(Buffer.from([0, 255, 254]));
    expect(await scm!.readFile!(ctx, { repository, path: 'docs/ü b.md', at: 'main' })).toEqual(
      Buffer.from([0, 255, 254]),
    );
  });

  it.each(['theirs.txt', 'README.md'])('go on top of what was pushed to %s meanwhile', async (path) => {
    const { gitea, git } = await open();
    let hasPushed = false;
    const { ctx } = await connect(async (request) => {
      if (request.method === 'POST' && !hasPushed) {
        hasPushed = true;
        await git.commitFiles({ branch: 'main', message: 'theirs', files: { [path]: 'theirs' } });
      }
      return gitea.answer(request);
    });
    const files = [{ path: 'README.md', content: 'ours' }];
    await write.commitFiles(ctx, { repository, branch: 'main', message: 'ours', files, idempotencyKey: 'k' });
    expect((await git.log('main')).map(({ message }) => message.split('\n')[0])).toEqual(['ours', 'theirs', 'Begin']);
    expect((await git.readFile('main', 'README.md'))?.content.toString()).toBe('ours');
  });

  it('are not made where nothing changes, and not on what is protected or not there', async () => {
    const { ctx, git, one } = await open();
    const commit = (branch: string, content: string, path = 'README.md') =>
      write.commitFiles(ctx, { repository, branch, message: 'x', files: [{ path, content }], idempotencyKey: content });
    expect(await commit('main', '# Repository\n')).toBe(await git.resolve('main'));
    expect(await refusalOf(commit('none', 'x'))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('no branch "none"'),
    });
    expect(await refusalOf(commit('main', 'x', 'README.md/below'))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('does not take the commit'),
    });
    one.protection = {};
    expect(await refusalOf(commit('main', 'y'))).toMatchObject({
      code: 'scope',
      help: expect.stringContaining('protected branch'),
    });
    expect((await git.log('main')).length).toBe(1);
  });

  it.each([
    '../../user',
    'a/../../b',
    '/etc/passwd',
    'a//b',
    '.git/config',
    'x/.GIT/hooks/a',
    '',
    'a\u0000b',
    '\ud800',
  ])('refuse the path %j', async (path) => {
    const { ctx, service } = await open();
    const files = [{ path, content: 'x' }];
    const work = write.commitFiles(ctx, { repository, branch: 'main', message: 'x', files, idempotencyKey: 'k' });
    expect((await refusalOf(work)).code).toBe('config');
    expect((await refusalOf(scm!.readFile!(ctx, { repository, path, at: 'main' }))).code).toBe('config');
    expect(service.requests.filter(({ method }) => method !== 'GET')).toEqual([]);
  });

  it.each(['../x', 'a b', 'x..y', '-x', 'a/.b', 'x.lock', 'a\nb', '', '@{1}'])(
    'refuse the branch %j',
    async (branch) => {
      const { ctx } = await open();
      const work = write.createBranch(ctx, { repository, branch, from: 'main', idempotencyKey: 'k' });
      expect((await refusalOf(work)).code).toBe('config');
    },
  );
});

describe('branches', () => {
  const create = (ctx: Ctx1, branch = 'fix/1') =>
    write.createBranch(ctx, { repository, branch, from: 'main', idempotencyKey: 'k' });

  it('that exist are taken while they hold nothing of others', async () => {
    const { ctx, git } = await open();
    await create(ctx);
    await git.commitFiles({ branch: 'main', message: 'moved', files: { m: '1' } });
    await create(ctx);
    await write.commitFiles(ctx, { repository, branch: 'fix/1', message: 'ours', files: FILES, idempotencyKey: 'k' });
    const ours = await git.resolve('fix/1');
    await create(ctx);
    expect(await git.resolve('fix/1')).toBe(ours);
    await git.commitFiles({ branch: 'fix/1', message: 'theirs', files: { t: '1' } });
    expect(await refusalOf(create(ctx))).toMatchObject({
      code: 'config',
      message: expect.stringContaining('commits of others'),
    });
    expect(await refusalOf(create(ctx, 'main/below'))).toMatchObject({ code: 'config' });
  });
});

describe('what stands in the way', () => {
  const issue = (ctx: Ctx1) => write.openIssue(ctx, { repository, title: 'T', description: 'D', idempotencyKey: 'k' });
  const branch = (ctx: Ctx1) => write.createBranch(ctx, { repository, branch: 'x', from: 'main', idempotencyKey: 'k' });

  it.each<[string, (gitea: FakeGitea) => void, (ctx: Ctx1) => Promise<unknown>, string, RegExp, RegExp]>([
    [
      'an archived repository',
      ({ repositories: [one] }) => {
        one!.isArchived = true;
      },
      branch,
      'config',
      /archived/,
      /Unarchive/,
    ],
    [
      'issues switched off',
      ({ repositories: [one] }) => {
        one!.hasIssues = false;
      },
      issue,
      'config',
      /issues switched off/,
      /Advanced settings/,
    ],
    [
      'a user without the role',
      ({ repositories: [one] }) => {
        one!.permissions = { admin: false, push: false, pull: true };
      },
      branch,
      'scope',
      /may not write to acme\/repo-1/,
      /role "Write"/,
    ],
    [
      'a token that may only read',
      ({ known }) => {
        known.scopes = ['read:user', 'read:repository'];
      },
      branch,
      'scope',
      /required scope\(s\): \[write:repository\]/,
      /write access to "repository"/,
    ],
    [
      'a repository that is gone',
      ({ repositories }) => void (repositories as unknown[]).pop(),
      branch,
      'config',
      /does not show this repository/,
      /access to it/,
    ],
  ])('%s is said with what to do', async (_, change, run, errorCode, message, help) => {
    const { gitea, ctx } = await open();
    change(gitea);
    expect(await refusalOf(run(ctx))).toMatchObject({
      code: errorCode,
      message: expect.stringMatching(message),
      help: expect.stringMatching(help),
    });
  });

  it('another pull request, or no difference', async () => {
    const { ctx } = await prepared();
    const pull = (from: string, key: string) =>
      write.openPullRequest(ctx, { repository, from, into: 'main', title: 'T', description: 'D', idempotencyKey: key });
    await pull('topic', '1');
    expect((await refusalOf(pull('topic', '2'))).message).toContain('already exists');
    expect((await refusalOf(pull('main', '3'))).message).toContain('are the same');
    expect((await refusalOf(pull('none', '4'))).code).toBe('config');
  });
});

it('takes a mark for its own only where it wrote the text itself', async () => {
  const { ctx, one } = await prepared();
  const text = '<!-- breakwater:k -->';
  one.comments.push({ id: 1, issue: 1, user: 'mallory', body: text });
  one.issues.push({ number: 2, title: 'Trap', body: text, user: 'mallory', labels: [], state: 'open' });
  await write.comment(ctx, { repository, number: 1, text: `Found it. ${text}`, idempotencyKey: 'k' });
  const { number } = await write.openIssue(ctx, { repository, title: 'T', description: 'D', idempotencyKey: 'k' });
  expect(one.comments).toHaveLength(2);
  expect(one.comments[0]!.body).toBe(text);
  expect(number).toBe(3);
  await write.comment(ctx, { repository, number: 1, text: 'Anew', idempotencyKey: 'k' });
  expect(one.comments[1]!.body).toMatch(/^Anew\n\n/);
});

it('finds what a key made on a later page, however small pages are', async () => {
  const { ctx, one } = await prepared();
  const mark = '<!-- breakwater:k -->';
  const row = { title: 'I', user: 'gopher', labels: [], state: 'open' };
  one.issues.push(
    ...Array.from({ length: 250 }, (_, index) => ({ ...row, number: index + 2, body: index === 3 ? mark : '' })),
  );
  const issue = () => write.openIssue(ctx, { repository, title: 'T', description: 'D', idempotencyKey: 'k' });
  expect((await issue()).number).toBe(5);
});

it('makes labels that are not there, each once', async () => {
  const { ctx, one } = await open();
  one.labels.push({ id: 1, name: 'security' });
  const issue = (key: string) =>
    write.openIssue(ctx, {
      repository,
      title: key,
      description: 'D',
      labels: ['security', 'breakwater'],
      idempotencyKey: key,
    });
  await issue('1');
  await issue('2');
  expect(one.labels.map(({ name }) => name)).toEqual(['security', 'breakwater']);
  expect(one.issues.map(({ labels }) => labels)).toEqual([
    [1, 2],
    [1, 2],
  ]);
});

it('brings a hook of the same address to the new secret and events', async () => {
  const { ctx, one } = await open();
  const hook = (secret: string, events: ScmEvent['kind'][]) =>
    write.createWebhook(ctx, { repository, url: 'https://b.example/h', secret, events, idempotencyKey: secret });
  const { id } = await hook('one', ['push']);
  expect(await hook('two', ['push', 'pull-request', 'issue'])).toEqual({ id });
  expect(one.hooks).toEqual([
    expect.objectContaining({
      events: ['push', 'pull_request', 'issues'],
      config: { url: 'https://b.example/h', secret: 'two', content_type: 'json' },
    }),
  ]);
});
