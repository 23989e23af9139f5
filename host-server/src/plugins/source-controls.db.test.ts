import { connectorJobs } from '@breakwater/core/connectors/server/index.ts';
import { enqueueDueWebhooks } from '@breakwater/core/source-control/server/index.ts';
import { commitTo, file, startGitServer } from '@breakwater/core/testing/git-server.ts';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import {
  isListing,
  REPOSITORIES,
  type SourceControls,
  startSourceControls,
} from '../../../e2e/harness/source-controls.ts';
import * as bitbucketSends from '../../../plugins/scm-bitbucket/src/server/testing/deliveries.ts';
import * as giteaSends from '../../../plugins/scm-gitea/src/server/testing/deliveries.ts';
import * as githubSends from '../../../plugins/scm-github/src/server/testing/deliveries.ts';
import * as gitlabSends from '../../../plugins/scm-gitlab/src/server/testing/deliveries.ts';
import { SERVICE } from '../container.ts';

const ORIGIN = 'https://breakwater.example.com';
const IDS = ['github', 'gitlab', 'bitbucket_cloud', 'gitea'] as const;
type Id = (typeof IDS)[number];

interface Delivery {
  url: string;
  headers: Record<string, string>;
  body: string;
}

/** One repository of a provider, which it has under `externalId`. */
interface Place {
  readonly externalId: string;
  readonly url: string;
  hookCount(): number;
  push(): Promise<Delivery[]>;
  commit(branch: string): Promise<string>;
  openRequest(number: number, branch: string): void;
  /** Of the check of a commit, the newest. */
  statusOf(commit: string): string | undefined;
  comments(): string[];
  addFile(name: string, text: string): Promise<string>;
  /** Merges a pull request, or closes an issue as done. @returns what the hooks send of it */
  end(kind: 'pull' | 'issue', number: number): Promise<Delivery[]>;
}

/** What is open at the provider, as it has been ended. */
const ended = <T extends object>(all: readonly T[], isMeant: (one: T) => boolean, change: Partial<T>): T => {
  const found = all.find(isMeant);
  if (found === undefined) throw new Error('nothing of that number is open');
  return Object.assign(found, change);
};

let providers: SourceControls;
let server: TestServer;

/** The repositories from this number on; the first ones of some providers are empty. */
const FIRST = 5;

const at = <T>(all: readonly T[], index: number): T => {
  const found = all[FIRST + index];
  if (found === undefined) throw new Error('the provider has too few repositories');
  return found;
};

const placesOf: Readonly<Record<Id, (index: number) => Place>> = {
  github: (index) => {
    const repository = at(providers.github.repositories, index);
    return {
      ...placeLikeGithub(repository),
      push: () => githubSends.pushDeliveries(repository, 'main'),
      end: (_, number) => {
        const change = { state: 'closed', isMerged: true, state_reason: 'completed' };
        return githubSends.closedDeliveries(
          repository,
          ended(repository.issues, (one) => one.number === number, change),
        );
      },
    };
  },
  gitea: (index) => {
    const repository = at(providers.gitea.repositories, index);
    return {
      ...placeLikeGithub(repository),
      push: () => giteaSends.pushDeliveries(repository, 'main'),
      end: (_, number) => {
        const change = { state: 'closed', isMerged: true };
        const issue = ended(repository.issues, (one) => one.number === number, change);
        return giteaSends.closedDeliveries(repository, issue);
      },
    };
  },
  gitlab: (index) => {
    const project = at(providers.gitlab.repositories, index);
    return {
      externalId: String(project.id),
      url: `${project.server}/${project.path}.git`,
      hookCount: () => project.hooks.size,
      push: () => gitlabSends.pushDeliveries(project, 'main'),
      commit: (branch) => addCommit(project, branch),
      openRequest: (iid, source) => {
        const thread = { iid, author: 2, title: 'A', description: '', state: 'opened', labels: [], source } as const;
        project.mergeRequests.push({ ...thread, target: 'main' });
      },
      statusOf: (commit) => {
        const found = project.statuses.findLast(({ sha, name }) => sha === commit && name === 'Breakwater');
        return found === undefined ? undefined : stateIn(found.fields);
      },
      comments: () => project.notes.map(({ body }) => body),
      addFile: (name, text) => addFile(project, name, text),
      end: (kind, number) => {
        const [all, state] =
          kind === 'pull' ? [project.mergeRequests, 'merged' as const] : [project.issues, 'closed' as const];
        return gitlabSends.closedDeliveries(
          project,
          ended(all, ({ iid }) => iid === number, { state }),
        );
      },
    };
  },
  bitbucket_cloud: (index) => {
    const repository = at(providers.bitbucket_cloud.repositories, index);
    const { workspace, slug, uuid } = repository;
    return {
      externalId: `${workspace}/${uuid}`,
      url: `${repository.server}/${workspace}/${slug}.git`,
      hookCount: () => repository.hooks.size,
      push: () => bitbucketSends.pushDeliveries(repository, 'main'),
      commit: (branch) => addCommit(repository, branch),
      openRequest: (id, source) =>
        void repository.pullRequests.push({
          id,
          author: '{1}',
          title: 'A',
          text: '',
          state: 'OPEN',
          source,
          target: 'main',
        }),
      statusOf: (commit) => stateIn(repository.statuses.get(`${commit} Breakwater`)),
      comments: () => repository.comments.map(({ text }) => text),
      addFile: (name, text) => addFile(repository, name, text),
      end: (kind, number) => {
        const [all, state] = kind === 'pull' ? [repository.pullRequests, 'MERGED'] : [repository.issues, 'resolved'];
        return bitbucketSends.closedDeliveries(
          repository,
          ended(all, (one) => one.id === number, { state }),
        );
      },
    };
  },
};

const stateIn = (status: unknown): string | undefined =>
  /"(?:state|status)":"(\w+)"/.exec(JSON.stringify(status) ?? '')?.[1];

interface WithGit {
  git(): Promise<{
    commitFiles(commit: { branch: string; message: string; files: Record<string, string> }): Promise<string>;
  }>;
}

const addCommit = async (of: WithGit, branch: string) =>
  (await of.git()).commitFiles({ branch, message: 'More', files: { [`${branch}.txt`]: branch } });

const addFile = async (of: WithGit, name: string, text: string) =>
  (await of.git()).commitFiles({ branch: 'main', message: 'A file', files: { [name]: text } });

type LikeGithub = SourceControls['github' | 'gitea']['repositories'][number];

function placeLikeGithub(repository: LikeGithub): Omit<Place, 'push' | 'end'> {
  return {
    externalId: String(repository.id),
    url: `${repository.server}/${repository.owner}/${repository.name}.git`,
    hookCount: () => repository.hooks.length,
    commit: (branch) => addCommit(repository, branch),
    openRequest: (number, head) => {
      const issue = { number, title: 'A', body: '', user: 'ada', labels: [], state: 'open', head, base: 'main' };
      repository.issues.push(issue);
    },
    statusOf: (commit) => stateIn(repository.statuses.find((one) => one.commit === commit)?.status),
    comments: () => repository.comments.map(({ body }) => body),
    addFile: (name, text) => addFile(repository, name, text),
  };
}

/** How its requests name a repository. */
const nameOf = (id: Id, { externalId, url }: Place): string =>
  ({
    github: `/repositories/${externalId}/`,
    gitlab: `/projects/${externalId}/`,
    bitbucket_cloud: externalId.slice(externalId.indexOf('/')),
    gitea: new URL(url).pathname.replace(/\.git$/, '/'),
  })[id];

const tokenOf = (id: Id) => ({ oauth_token: providers[id].tokens.access, refresh_token: providers[id].tokens.refresh });
const valuesOf: Readonly<Record<Id, () => object>> = {
  github: () => ({ ...tokenOf('github'), installation_id: '42' }),
  gitlab: () => tokenOf('gitlab'),
  bitbucket_cloud: () => ({ ...tokenOf('bitbucket_cloud'), workspaces: 'harbour' }),
  gitea: () => ({ ...tokenOf('gitea'), protocol: 'https', hosted_domain: 'git.example.com', port: 443 }),
};

type As = 'admin' | 'cyberoper' | 'developer';
const call = (method: string, path: string, body?: unknown, as: As = 'admin') =>
  server.call(method, path, { as, ...(body === undefined ? {} : { body }) });

const connect = async (id: Id) => {
  const saved = await call('PUT', `/connectors/${id}`, {
    values: valuesOf[id](),
  });
  expect(saved.body, JSON.stringify(saved.body)).toMatchObject({
    data: {
      attributes: {
        state: 'connected',
      },
    },
  });
};

beforeAll(async () => {
  providers = await startSourceControls();
  const environment = {
    ...providers.environment,
    BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true',
    BREAKWATER_PUBLIC_URL: ORIGIN,
  };
  server = await startTestServer({ isWorking: true, environment });
  for (const id of IDS) await connect(id);
});
afterAll(async () => {
  await server?.close();
  await providers?.close();
});

const until = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

/** As the poller does every 15 s. */
const lookForDueConnections = () => {
  const [, findDue] = connectorJobs;
  const jobs = server.container.get(SERVICE.jobs);
  return server.scene.database.forClient(server.users.clientId, (db) => jobs.enqueue(db, findDue, {}));
};

const add = async (id: Id, { externalId, url }: Place): Promise<string> => {
  const data = [
    { nickname: `${id} ${externalId}`.slice(0, 60), url, external_id: externalId, repository_branch: 'main' },
  ];
  const { status, body } = await call('POST', '/create_repository_with_list', { source_control: id, data });
  expect(status, JSON.stringify(body)).toBeLessThan(300);
  return String(body.data[0]._id);
};

const webhook = async (id: string, method = 'GET') => (await call(method, `/repositories/${id}/webhook`)).body.data;

/** As the poller does every minute. */
const makeDue = () =>
  enqueueDueWebhooks({ webhooks: server.container.get(SERVICE.webhooks), jobs: server.container.get(SERVICE.jobs) });

const added = async (id: Id, place: Place): Promise<string> => {
  const repository = await add(id, place);
  await makeDue();
  await until(async () => ((await webhook(repository)).state === 'none' ? undefined : true));
  return repository;
};

const send = async ({ url, headers, body }: Delivery) => {
  expect(url.startsWith(`${ORIGIN}/api/v1/hooks/`)).toBe(true);
  const answer = await fetch(`${server.baseUrl}${new URL(url).pathname}`, { method: 'POST', headers, body });
  return answer.status;
};

/** Its name in the calls of sign-ins. */
const PROVIDER: Readonly<Record<Id, string>> = {
  github: 'github',
  gitlab: 'gitlab',
  bitbucket_cloud: 'bitbucket',
  gitea: 'gitea',
};

/** A report with one finding of high severity. */
const SARIF = Buffer.from(
  JSON.stringify({
    version: '2.1.0',
    runs: [
      {
        tool: { driver: { name: 'Lint', rules: [] } },
        results: [
          {
            ...{ ruleId: 'sql', level: 'error', message: { text: 'A query is built of input' } },
            locations: [{ physicalLocation: { artifactLocation: { uri: 'src/a.ts' }, region: { startLine: 3 } } }],
          },
        ],
      },
    ],
  }),
);

/** Of a check: pending is not the end. */
const isEnded = (state: string | undefined): boolean => state !== undefined && !/^(?:pending|inprogress)$/i.test(state);

/** Imports two flaws of one package. @returns their findings: of a file that names it, and of none */
const importFlask = async (repository: string): Promise<[string, string]> => {
  const flaw = {
    severity: 'high',
    type: 'SCA',
    component: 'flask',
    component_version: '1.0.0',
    fixed_version: '2.3.2',
  };
  const package_ = { purl: 'pkg:pypi/flask@1.0.0', ecosystem: 'pypi' };
  const findings = ['requirements.txt', 'setup.py'].map((file_path, index) => {
    return { ...flaw, ...package_, file_path, title: `Flaw ${index}`, rule_id: `CVE-2023-3086${index}` };
  });
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings };
  const file = Buffer.from(JSON.stringify(report)).toString('base64');
  const sent = await call('POST', `/upload_scan/${repository}?wait=60`, { tool: 'breakwater', ext: 'json', file });
  expect(sent.body, JSON.stringify(sent.body)).toMatchObject({ data: { status: 'done', counts: { new: 2 } } });
  const { rows } = await server.scene.owner.query<{ id: string }>(
    `select f.id from findings f join finding_definitions x on x.client_id = f.client_id and x.id = f.definition_id
     where f.repository_id = $1 order by x.title`,
    [repository],
  );
  return [rows[0]?.id ?? '', rows[1]?.id ?? ''];
};

const requestsOf = async (repository: string) =>
  (await server.scene.owner.query('select trigger, status from scan_requests where repository_id = $1', [repository]))
    .rows;

describe.each(IDS)('%s', (id) => {
  test('gets one webhook for each repository; what it signs asks for one scan, what it does not sign for none', async () => {
    await call('PUT', '/client', { autonomous_scan: true });
    const place = placesOf[id](0);
    const repository = await added(id, place);
    expect(await webhook(repository)).toMatchObject({ is_available: true, state: 'active', problem: null });
    // asked again, by the job and by people, also at once
    const again = await Promise.all([1, 2, 3].map(() => call('POST', `/repositories/${repository}/webhook`)));
    expect(again.map(({ status }) => status).filter((status) => status !== 409 && status !== 200)).toEqual([]);
    await makeDue();
    expect(place.hookCount()).toBe(1);

    const [delivery, ...others] = await place.push();
    if (delivery === undefined) throw new Error('the hook does not want pushes');
    expect(others).toEqual([]);
    const forged = { ...delivery, body: delivery.body.replace(/[0-9a-f]{40}/, 'f'.repeat(40)) };
    const isSigned = id !== 'gitlab';
    const wrong = isSigned ? forged : { ...delivery, headers: { ...delivery.headers, 'x-gitlab-token': 'other' } };
    expect(await send(wrong)).toBe(403);
    expect(await requestsOf(repository)).toEqual([]);
    const statuses = await Promise.all([send(delivery), send(delivery), send(delivery)]);
    expect(statuses).toEqual([200, 200, 200]);
    expect(await send(delivery)).toBe(200);
    expect(await requestsOf(repository)).toMatchObject([{ trigger: 'push' }]);
    await call('PUT', '/client', { autonomous_scan: false });
  });

  test('has its webhook deleted by a person, with the repository, and says why one could not be made or deleted', async () => {
    const place = placesOf[id](1);
    const repository = await added(id, place);
    expect((await call('DELETE', `/repositories/${repository}/webhook`, undefined, 'developer')).status).toBe(403);
    expect(await webhook(repository, 'DELETE')).toMatchObject({ state: 'none', problem: null, next_at: null });
    expect(place.hookCount()).toBe(0);
    // who removed it does not get it back unasked
    await makeDue();
    const { faults } = providers[id];
    const met = faults.add({
      when: ({ path, method }) => path.includes('/hooks') && method !== 'GET',
      fault: {
        answer: () => ({ status: 422, json: { message: 'url is blocked', error: { message: 'url is blocked' } } }),
      },
    });
    const refused = await webhook(repository, 'POST');
    expect(refused).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/.{20}/),
      next_at: expect.any(String),
    });
    expect(met.length).toBeGreaterThan(0);
    faults.clear();
    expect(await webhook(repository, 'POST')).toMatchObject({ state: 'active', problem: null });
    faults.add({
      when: ({ method }) => method === 'DELETE',
      fault: { answer: () => ({ status: 403, json: { message: 'no', error: { message: 'no' } } }) },
    });
    // the right that is missing stands there
    expect(await webhook(repository, 'DELETE')).toMatchObject({
      state: 'failed',
      problem: expect.stringMatching(/"Webhooks"|role Maintainer|"webhook"|write access to "repository"/),
      next_at: null,
    });
    faults.clear();
    expect((await call('DELETE', `/repositories/${repository}`)).status).toBe(200);
    await until(() => (place.hookCount() === 0 ? true : undefined));
  });

  test('a connection that is removed takes its webhooks along; what stays at the provider is said', async () => {
    const [place, other] = [placesOf[id](2), placesOf[id](3)];
    const [repository, kept] = [await added(id, place), await added(id, other)];
    const [delivery] = await other.push();
    const { faults } = providers[id];
    const isOfOther = (path: string) => decodeURIComponent(path).includes(nameOf(id, other));
    faults.add({
      when: ({ method, path }) => method === 'DELETE' && isOfOther(path),
      fault: { answer: () => ({ status: 403, json: { message: 'no', error: { message: 'no' } } }) },
    });
    expect((await call('DELETE', `/connectors/${id}`)).status).toBe(200);
    faults.clear();
    expect([place.hookCount(), other.hookCount()]).toEqual([0, 1]);
    expect(await webhook(repository)).toMatchObject({ state: 'none' });
    expect(await webhook(kept)).toMatchObject({ state: 'failed', problem: expect.stringContaining('not deleted') });
    if (delivery !== undefined) expect(await send(delivery)).toBe(404);
    // another secret and another address: the earlier one proves nothing
    await connect(id);
    await makeDue();
    for (const one of [repository, kept]) {
      await until(async () => ((await webhook(one)).state === 'active' ? true : undefined));
    }
    expect(place.hookCount()).toBe(1);
    if (delivery !== undefined) expect(await send(delivery)).toBe(404);
  });

  test('shows the check of a commit, and one comment on its pull request', async () => {
    await call('PUT', '/client', { pipeline_integration: true });
    const place = placesOf[id](4);
    const repository = await add(id, place);
    const commit = await place.commit('topic');
    place.openRequest(7, 'topic');
    await server.scene.owner.query(
      `insert into scan_requests (client_id, scan_type, repository_id, branch, commit_hash, pull_request, status, trigger, finished_at)
       values ($1, 'all', $2, 'topic', $3, 7, 'done', 'push', now())`,
      [server.users.clientId, repository, commit],
    );
    const body = { file: SARIF.toString('base64'), tool: 'sarif', commit, branch: 'topic' };
    expect((await call('POST', `/upload_scan/${repository}?wait=60`, body)).body).toMatchObject({ success: true });
    expect(await until(() => (isEnded(place.statusOf(commit)) ? place.statusOf(commit) : undefined))).toMatch(/^fail/i);
    const [comment, ...more] = await until(() => (place.comments().length === 0 ? undefined : place.comments()));
    expect([comment, more]).toEqual([expect.stringContaining('1 new finding'), []]);
    await call('PUT', '/client', { pipeline_integration: false });
  });

  test('a pull request that is merged there and an issue that is closed there end the fix here, where the delivery is signed', async () => {
    const place = placesOf[id](7);
    const repository = await added(id, place);
    await place.addFile('requirements.txt', 'flask==1.0.0\n');
    const [patched, asked] = await importFlask(repository);
    const made = (await call('POST', `/remediation/${patched}`)).body.data;
    const pull = (await call('POST', '/pull_request', { remediation_id: made._id })).body.data;
    expect(pull).toMatchObject({ number: expect.any(Number) });
    const opened = await call('POST', `/issues/${asked}`);
    expect(opened.status, JSON.stringify(opened.body)).toBe(200);
    const issue = (await call('POST', '/create_issue', { remediation_id: opened.body.data._id })).body.data;
    const statusOf = async (finding: string) => (await call('GET', `/findings/${finding}`)).body.data.attributes.status;
    const statuses = async () => [await statusOf(patched), await statusOf(asked)];
    expect(await statuses()).toEqual(['pr_submitted', 'issued']);
    const deliveries = [...(await place.end('pull', pull.number)), ...(await place.end('issue', issue.number))];
    expect(deliveries).toHaveLength(2);
    const unsigned = (headers: Delivery['headers']) =>
      Object.fromEntries(Object.entries(headers).filter(([name]) => !/signature|token/.test(name)));
    for (const one of deliveries) expect(await send({ ...one, headers: unsigned(one.headers) })).toBe(403);
    expect(await statuses()).toEqual(['pr_submitted', 'issued']);
    for (const one of [...deliveries, ...deliveries]) expect(await send(one)).toBe(200);
    await until(async () => ((await statuses()).every((status) => status === 'pr_accepted') ? true : undefined));
  });

  test('many calls whose token ended at once renew it once', async () => {
    const { tokens } = providers[id];
    const before = tokens.renewals;
    // its time is over for all of them before any of them asks
    await server.scene.owner.query(
      `update connections set refreshed_at = now() - interval '1 hour' where connector_id = $1`,
      [id],
    );
    tokens.expire();
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => call('GET', `/api/oauth/${PROVIDER[id]}/repos`)),
    );
    expect(answers.map(({ status, body }) => (status === 200 ? body.meta.pagination.total : body))).toEqual(
      Array(20).fill(REPOSITORIES),
    );
    expect(tokens.renewals - before).toBe(1);
  });

  test('a limit of requests is waited for where it is short, else it pauses the connection and ends by itself', async () => {
    const { faults } = providers[id];
    const repos = () => call('GET', `/api/oauth/${PROVIDER[id]}/repos`);
    const limit = (seconds: number) => ({
      answer: () => ({ status: 429, headers: { 'retry-after': String(seconds) }, json: { message: 'slow down' } }),
    });
    const short = faults.add({ when: isListing, times: 1, fault: limit(1) });
    expect((await repos()).body.meta?.pagination.total).toBe(REPOSITORIES);
    expect(short).toHaveLength(1);

    const long = faults.add({ when: isListing, fault: limit(600) });
    expect((await repos()).body).toMatchObject({ code: 'upstream_failed' });
    expect(long).toHaveLength(1);
    const { attributes } = (await call('GET', `/connectors/${id}`)).body.data;
    expect(attributes).toMatchObject({ state: 'paused', state_detail: { retry_at: expect.any(String) } });
    // nobody asks meanwhile
    expect((await repos()).body).toMatchObject({ code: 'conflict' });
    expect(long).toHaveLength(1);
    faults.clear();
    await server.scene.owner.query('update connections set retry_at = now() where connector_id = $1', [id]);
    await lookForDueConnections();
    const resumed = await until(async () => {
      const answer = await repos();
      return answer.status === 200 ? answer : undefined;
    });
    expect(resumed.body.meta.pagination.total).toBe(REPOSITORIES);
  });
});

/** What a repository could be said to lie at, so that a token goes there. */
const FOREIGN = (url: URL): string[] => [
  `https://elsewhere.example${url.pathname}`,
  `https://${url.hostname}.elsewhere.example${url.pathname}`,
  `https://elsewhere.example/${url.host}${url.pathname}`,
  `https://${url.hostname}:9${url.pathname}`,
  `${url.protocol}//[::1]:${url.port}${url.pathname}`,
];

describe('the token of a clone', () => {
  test.each(IDS)('of %s goes to the host of its connection alone', async (id) => {
    const connections = server.container.get(SERVICE.connections);
    const key = { clientId: server.users.clientId, connectorId: id };
    const own = new URL(placesOf[id](5).url);
    expect(await connections.cloneLogin(key, own)).toMatchObject({ password: providers[id].tokens.access });
    for (const url of FOREIGN(own)) {
      expect([url, await connections.cloneLogin(key, new URL(url))]).toEqual([url, null]);
    }
    const other = { ...key, clientId: '0191c2e0-7b1a-7000-8000-000000000001' };
    expect(await connections.cloneLogin(other, own).catch(() => null)).toBeNull();
  });

  test('is not asked for by a server elsewhere, whatever the repository is said to be', async () => {
    const elsewhere = await startGitServer({ login: 'nobody:knows' });
    try {
      commitTo(elsewhere.create('r.git'), [file('a.py', 'x')]);
      const repository = await add('gitea', { ...placesOf.gitea(6), url: `${elsewhere.url}/r.git` });
      const asked = await call('POST', '/request_repo_scan', { scan_type: 'all', repositories: [repository] });
      expect(asked.status, JSON.stringify(asked.body)).toBe(202);
      const [scan] = asked.body.data.scan_requests;
      const ended = await until(async () => {
        const { attributes } = (await call('GET', `/scan_requests/${scan}`)).body.data;
        return ['done', 'failed'].includes(attributes.status) ? attributes : undefined;
      });
      expect(ended).toMatchObject({ status: 'failed', code: 'clone_refused' });
      expect(elsewhere.requests.length).toBeGreaterThan(0);
      expect(elsewhere.requests.filter(({ authorization }) => authorization !== undefined)).toEqual([]);
      expect(JSON.stringify(ended)).not.toContain(providers.gitea.tokens.access);
    } finally {
      await elsewhere.close();
    }
  });
});
