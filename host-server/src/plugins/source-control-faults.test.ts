import { type CredentialSchema, type Ctx, isConnectorError, type PostureAnswer, type Scm } from '@breakwater/sdk';
import {
  ANSWER_FAULTS,
  type AnswerFault,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswers,
  withFault,
} from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin as bitbucketPlugin } from '../../../plugins/scm-bitbucket/src/plugin.ts';
import { server as bitbucketServer } from '../../../plugins/scm-bitbucket/src/server/index.ts';
import { createFakeBitbucket } from '../../../plugins/scm-bitbucket/src/server/testing/fake-bitbucket.ts';
import { plugin as giteaPlugin } from '../../../plugins/scm-gitea/src/plugin.ts';
import { server as giteaServer } from '../../../plugins/scm-gitea/src/server/index.ts';
import { createFakeGitea } from '../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { plugin as githubPlugin } from '../../../plugins/scm-github/src/plugin.ts';
import { server as githubServer } from '../../../plugins/scm-github/src/server/index.ts';
import { createFakeGithub } from '../../../plugins/scm-github/src/server/testing/fake-github.ts';
import { plugin as gitlabPlugin } from '../../../plugins/scm-gitlab/src/plugin.ts';
import { server as gitlabServer } from '../../../plugins/scm-gitlab/src/server/index.ts';
import { createFakeGitlab } from '../../../plugins/scm-gitlab/src/server/testing/fake-gitlab.ts';

const TOKEN = 'made-for-tests-only-0123';
const HOOK = 'https://breakwater.example/api/v1/hooks/1';

/** A provider with one repository in which every call has something to do. */
interface Provider {
  readonly answer: TestAnswers;
  readonly repository: string;
  commit(): Promise<string>;
  /** Everything that a call can change. */
  effects(): unknown;
  close(): Promise<void>;
}

interface Kind {
  readonly scm: Scm;
  connect(baseUrl: URL, signal?: AbortSignal): Ctx<CredentialSchema>;
  open(): Provider;
}

type Connector = Parameters<typeof openTestConnection>[0];

const connectorOf =
  (connector: Connector, values: object): Kind['connect'] =>
  (baseUrl, signal) =>
    openTestConnection(connector, {
      values: { ...values },
      baseUrl,
      now: new Date('2026-11-23T00:00:00Z'),
      ...(signal === undefined ? {} : { signal }),
    });

/** Lists, whatever they are kept in, as data. */
const plain = (value: unknown): unknown => structuredClone(value instanceof Map ? [...value] : value);

const scmOf = (entry: { scm?: Scm } | undefined): Scm => {
  if (entry?.scm === undefined) throw new Error('It is no source control');
  return entry.scm;
};

const head = async (of: { git(): Promise<{ resolve(ref: string): Promise<string | null | undefined> }> }) =>
  (await (await of.git()).resolve('refs/heads/main')) ?? '';

const issueOf = {
  number: 1,
  title: 'A',
  body: '',
  user: 'ada',
  labels: [],
  state: 'open',
  head: 'topic',
  base: 'main',
};

/** The first repository of a fake of GitHub or Gitea, which keep theirs alike. */
const openedOf = (
  fake: ReturnType<typeof createFakeGithub> | ReturnType<typeof createFakeGitea>,
): ReturnType<Kind['open']> => {
  const [one] = fake.repositories;
  if (one === undefined) throw new Error('no repository');
  one.issues.push({ ...issueOf });
  return {
    answer: fake.answer,
    repository: String(one.id),
    commit: () => head(one),
    effects: () => plain([one.comments, one.statuses, one.hooks]),
    close: fake.close,
  };
};

const KINDS: Readonly<Record<string, Kind>> = {
  github: {
    scm: scmOf(githubServer.connectors['github']),
    connect: connectorOf(githubPlugin.connectors[0], { oauth_token: TOKEN, installation_id: '42' }),
    open: () => openedOf(createFakeGithub({ token: TOKEN })),
  },
  gitea: {
    scm: scmOf(giteaServer.connectors['gitea']),
    connect: connectorOf(giteaPlugin.connectors[0], {
      ...{ oauth_token: TOKEN, protocol: 'https', hosted_domain: 'gitea.example.com', port: 443 },
    }),
    open: () => openedOf(createFakeGitea({ token: TOKEN })),
  },
  gitlab: {
    scm: scmOf(gitlabServer.connectors['gitlab']),
    connect: connectorOf(gitlabPlugin.connectors[0], {
      ...{ oauth_token: TOKEN, refresh_token: 'refresh-for-tests', hosted_url: 'https://gitlab.example.com' },
    }),
    open: () => {
      const fake = createFakeGitlab({ token: TOKEN, scopes: ['api'], projects: 1 });
      const [one] = fake.repositories;
      if (one === undefined) throw new Error('no project');
      const thread = { iid: 1, author: 2, title: 'A', description: '', state: 'opened', labels: [] } as const;
      one.mergeRequests.push({ ...thread, source: 'topic', target: 'main' });
      return {
        answer: fake.answer,
        repository: String(one.id),
        commit: () => head(one),
        effects: () => [plain(one.notes), plain(one.statuses), plain(one.hooks)],
        close: fake.close,
      };
    },
  },
  bitbucket_cloud: {
    scm: scmOf(bitbucketServer.connectors['bitbucket_cloud']),
    connect: connectorOf(bitbucketPlugin.connectors[0], {
      ...{ oauth_token: TOKEN, refresh_token: 'refresh-for-tests', workspaces: 'acme' },
    }),
    open: () => {
      const scopes = ['account', 'repository:write', 'repository:admin', 'pullrequest:write', 'issue:write', 'webhook'];
      const fake = createFakeBitbucket({ token: TOKEN, scopes, workspaces: ['acme'], repositories: 1 });
      const [one] = fake.repositories;
      if (one === undefined) throw new Error('no repository');
      const thread = { id: 1, author: '{1}', title: 'A', text: '', state: 'OPEN', source: 'topic', target: 'main' };
      one.pullRequests.push(thread);
      return {
        answer: fake.answer,
        repository: `${one.workspace}/${one.uuid}`,
        commit: () => head(one),
        effects: () => [plain(one.comments), plain(one.statuses), plain(one.hooks)],
        close: fake.close,
      };
    },
  },
};

/** One call with one connection. `hookId`: of a hook that was made before. */
interface Call {
  readonly scm: Scm;
  readonly ctx: Ctx<CredentialSchema>;
  readonly repository: string;
  readonly commit: string;
  readonly hookId: string;
}

const hookOf = (repository: string, url: string) =>
  ({ repository, url, secret: 'secret', events: ['push'], idempotencyKey: 'hook' }) as const;

const CALLS: Readonly<Record<string, (call: Call) => Promise<unknown>>> = {
  comment: async ({ scm, ctx, repository }) =>
    scm.write?.comment(ctx, { repository, number: 1, text: 'Hello', idempotencyKey: 'comment' }),
  setStatus: async ({ scm, ctx, repository, commit }) =>
    scm.write?.setStatus(ctx, {
      ...{
        repository,
        commit,
        state: 'success',
        name: 'Breakwater',
        url: 'https://b.example/1',
        idempotencyKey: 'status',
      },
    }),
  createWebhook: async ({ scm, ctx, repository }) => scm.write?.createWebhook?.(ctx, hookOf(repository, `${HOOK}2`)),
  deleteWebhook: async ({ scm, ctx, repository, hookId: id }) => scm.write?.deleteWebhook?.(ctx, { repository, id }),
};

/** A provider that runs, in which a hook exists already. */
const start = async (kind: Kind) => {
  const provider = kind.open();
  let around: TestAnswers | undefined;
  const service = await startTestService((request) => (around ?? provider.answer)(request));
  onTestFinished(async () => {
    await service.close();
    await provider.close();
  });
  const { repository } = provider;
  const ctx = kind.connect(service.url);
  const made = await kind.scm.write?.createWebhook?.(ctx, hookOf(repository, HOOK));
  const hookId = made?.id ?? '';
  const call = { scm: kind.scm, repository, commit: await provider.commit(), hookId };
  /** The same call, of which one request meets the fault. */
  const withOne = <T>(fault: AnswerFault, at: number, run: (call: Call) => Promise<T>): Promise<T> => {
    const stop = new AbortController();
    const faulty = withFault(provider.answer, fault, at);
    around = faulty.answer;
    if (fault.isHeld === true) void faulty.struck.then(() => stop.abort());
    return run({ ...call, ctx: kind.connect(service.url, stop.signal) }).finally(() => {
      around = undefined;
    });
  };
  const count = async <T>(run: (call: Call) => Promise<T>) => {
    const before = service.requests.length;
    const value = await run({ ...call, ctx });
    return { value, requests: service.requests.length - before };
  };
  return { provider, withOne, count, rightly: (run: (call: Call) => Promise<unknown>) => run({ ...call, ctx }) };
};

/** Of a refusal; anything else is the error of a connector. */
const codeOf = (error: unknown): string => (isConnectorError(error) ? error.code : String(error));

const status = (code: number): AnswerFault => ({
  name: `answers ${code}`,
  code: 'config',
  answer: () => ({
    status: code,
    json: { type: 'error', message: 'It went wrong.', error: { message: 'It went wrong.' } },
  }),
});

/** What the service says of this one request: that there is no such thing, that something is in the way, or that it is not taken. */
const REFUSALS = [status(404), status(409), status(422)];

/** Sends a list on to another host, in the header and in the body. */
const FOREIGN: AnswerFault = {
  name: 'sends a list on to another host',
  code: 'upstream',
  answer: async (real) => {
    const answer = await real();
    const next = 'https://elsewhere.example/next?page=2';
    const { json } = answer;
    const isPage = typeof json === 'object' && json !== null && !Array.isArray(json) && 'values' in json;
    const link = { ...answer.headers, link: `<${next}>; rel="next"` };
    return { ...answer, headers: link, ...(isPage ? { json: { ...json, next } } : {}) };
  },
};

describe.each(Object.entries(KINDS))('%s', (_, kind) => {
  it.each(Object.entries(CALLS))(
    '%s fails rightly whatever the service does wrong, and goes on',
    async (_name, run) => {
      const clean = await start(kind);
      const { requests } = await clean.count(run);
      const expected = clean.provider.effects();
      const scene = await start(kind);
      const before = scene.provider.effects();
      for (let at = 0; at < requests; at += 1) {
        for (const fault of ANSWER_FAULTS.filter(({ isOfLists }) => isOfLists !== true)) {
          const said = await refusalOf(scene.withOne(fault, at, run).then(() => undefined));
          expect([fault.name, at, said.code]).toEqual([fault.name, at, fault.code]);
        }
        expect(scene.provider.effects()).toEqual(before);
      }
      // a refusal of one request is one of the whole, or means that there is nothing left to do
      for (let at = 0; at < requests; at += 1) {
        for (const fault of [...REFUSALS, FOREIGN]) {
          const code = await scene.withOne(fault, at, run).then(() => 'done', codeOf);
          expect([fault.name, at, ['done', 'config', 'scope', 'upstream'].includes(code) ? 'fits' : code]).toEqual([
            fault.name,
            at,
            'fits',
          ]);
        }
      }
      await scene.rightly(run);
      await scene.rightly(run);
      const counts = (effects: unknown) =>
        Object.values(Object(effects)).map((list) => Object.keys(Object(list)).length);
      expect(counts(scene.provider.effects())).toEqual(counts(expected));
    },
  );

  it('posture never calls right or wrong what it could not see', async () => {
    const { withOne, count } = await start(kind);
    const ask = async ({ scm, ctx, repository }: Call): Promise<readonly PostureAnswer[]> =>
      (await scm.posture?.(ctx, repository)) ?? [];
    const { value, requests } = await count(ask);
    const right = new Map(value.map((one) => [one.check, one.state]));
    expect(right.size).toBeGreaterThan(3);
    for (let at = 0; at < requests; at += 1) {
      for (const fault of [...ANSWER_FAULTS.filter(({ isOfLists }) => isOfLists !== true), ...REFUSALS, FOREIGN]) {
        const outcome = await withOne(fault, at, ask).then(
          (answers) => ({ answers, code: undefined }),
          (error: unknown) => ({ answers: [], code: codeOf(error) }),
        );
        const place = `${fault.name} at request ${at}`;
        if (['auth', 'rate_limited', 'unreachable'].includes(fault.code))
          expect([place, outcome.code]).toEqual([place, fault.code]);
        if (outcome.code !== undefined)
          expect([place, ['config', fault.code, 'upstream'].includes(outcome.code)]).toEqual([place, true]);
        const others = outcome.answers.filter(({ check, state }) => state !== 'unknown' && right.get(check) !== state);
        // that there is no such thing may mean that a setting is not made
        const wrong = others.filter(({ state }) => state === 'ok' || !REFUSALS.includes(fault));
        expect([place, wrong]).toEqual([place, []]);
      }
    }
  });
});
