import { createHmac } from 'node:crypto';
import { SERVICE } from '@breakwater/host-server/container.ts';
import type { BareRepository } from '@breakwater/sdk/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { startFakeBitbucket } from '../../../../../plugins/scm-bitbucket/src/server/testing/fake-bitbucket.ts';
import { startFakeGitea } from '../../../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { startFakeGithub } from '../../../../../plugins/scm-github/src/server/testing/fake-github.ts';
import { startFakeGitlab } from '../../../../../plugins/scm-gitlab/src/server/testing/fake-gitlab.ts';
import { type ConnectorScene, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';
import { pollOpenSubmissions } from './poll-open.ts';

const TOKEN = 'made-for-tests-only-0123';
const SCOPES = ['account', 'repository:write', 'pullrequest:write', 'issue:write', 'webhook'];

const PROVIDERS = ['github', 'gitlab', 'bitbucket_cloud', 'gitea'] as const;
type ProviderId = (typeof PROVIDERS)[number];

/** A pull request as its provider tells of it. */
interface Ended {
  number: number;
  branch: string;
  isMerged: boolean;
}

/** A repository of a provider: how people end a pull request there, and what the provider then sends. */
interface Provider {
  values: object;
  repository: { url: string; external_id: string };
  git(): Promise<BareRepository>;
  end(pull: Ended): void;
  delivery(pull: Ended): { headers: Record<string, string>; body: object };
  /** Header of the signature; GitLab sends the secret itself. */
  signature: { header: string; prefix?: string; isToken?: true };
}

const COMMIT = 'a'.repeat(40);
const required = <T>(value: T | undefined | null): T => {
  if (value === undefined || value === null) throw new Error('the provider has none');
  return value;
};
const byNumber = <T extends { number: number }>(all: readonly T[], { number }: Ended): T =>
  required(all.find((one) => one.number === number));

const start = async () => {
  const [github, gitlab, bitbucket, gitea] = await Promise.all([
    startFakeGithub({ token: TOKEN }),
    startFakeGitlab({ token: TOKEN, scopes: ['api'], projects: 1 }),
    startFakeBitbucket({ token: TOKEN, scopes: SCOPES, workspaces: ['acme'], repositories: 1 }),
    startFakeGitea({ token: TOKEN }),
  ]);
  return { github, gitlab, bitbucket, gitea };
};
type Fakes = Awaited<ReturnType<typeof start>>;

/** GitHub and Gitea say the same of a pull request, but for how a fork is told. */
const closed = ({ number, branch, isMerged }: Ended, repository: number) => ({
  ...{ action: 'closed', number, repository: { id: repository } },
  pull_request: {
    head: { ref: branch, sha: COMMIT, repo: { id: repository }, repo_id: repository },
    base: { ref: 'main', sha: COMMIT, repo: { id: repository }, repo_id: repository },
    merged: isMerged,
  },
});

const githubOf = ({ github }: Fakes): Provider => {
  const one = required(github.repositories[0]);
  return {
    values: { oauth_token: TOKEN, installation_id: '42' },
    repository: { url: `${github.url.origin}/${one.owner}/${one.name}.git`, external_id: String(one.id) },
    git: () => one.git(),
    end: (pull) => void Object.assign(byNumber(one.issues, pull), { state: 'closed', isMerged: pull.isMerged }),
    delivery: (pull) => ({ headers: { 'x-github-event': 'pull_request' }, body: closed(pull, one.id) }),
    signature: { header: 'x-hub-signature-256', prefix: 'sha256=' },
  };
};

const giteaOf = ({ gitea }: Fakes): Provider => {
  const one = required(gitea.repositories[0]);
  return {
    values: { oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) },
    repository: { url: `${gitea.url.origin}/${one.owner}/${one.name}.git`, external_id: String(one.id) },
    git: () => one.git(),
    end: (pull) => void Object.assign(byNumber(one.issues, pull), { state: 'closed', isMerged: pull.isMerged }),
    delivery: (pull) => ({ headers: { 'x-gitea-event': 'pull_request' }, body: closed(pull, one.id) }),
    signature: { header: 'x-gitea-signature' },
  };
};

const gitlabOf = ({ gitlab }: Fakes): Provider => {
  const one = required(gitlab.repositories[0]);
  return {
    values: { oauth_token: TOKEN, refresh_token: 'r', hosted_url: gitlab.url.origin },
    repository: { url: `${gitlab.url.origin}/${one.path}.git`, external_id: String(one.id) },
    git: () => one.git(),
    end: ({ number, isMerged }) => {
      required(one.mergeRequests.find(({ iid }) => iid === number)).state = isMerged ? 'merged' : 'closed';
    },
    delivery: ({ number, branch, isMerged }) => ({
      headers: { 'x-gitlab-event': 'Merge Request Hook' },
      body: {
        object_kind: 'merge_request',
        project: { id: one.id },
        object_attributes: {
          ...{ iid: number, action: isMerged ? 'merge' : 'close', source_branch: branch, target_branch: 'main' },
          ...{ source_project_id: one.id, target_project_id: one.id, last_commit: { id: COMMIT } },
        },
      },
    }),
    signature: { header: 'x-gitlab-token', isToken: true },
  };
};

const bitbucketOf = ({ bitbucket }: Fakes): Provider => {
  const one = required(bitbucket.repositories[0]);
  const about = { uuid: one.uuid, full_name: `${one.workspace}/${one.slug}` };
  return {
    values: { oauth_token: TOKEN, refresh_token: 'r', workspaces: 'acme' },
    repository: {
      url: `${bitbucket.url.origin}/${about.full_name}.git`,
      external_id: `${one.workspace}/${one.uuid}`,
    },
    git: () => one.git(),
    end: ({ number, isMerged }) => {
      required(one.pullRequests.find(({ id }) => id === number)).state = isMerged ? 'MERGED' : 'DECLINED';
    },
    delivery: ({ number, branch, isMerged }) => ({
      headers: { 'x-event-key': isMerged ? 'pullrequest:fulfilled' : 'pullrequest:rejected' },
      body: {
        repository: about,
        pullrequest: {
          id: number,
          source: { branch: { name: branch }, commit: { hash: COMMIT }, repository: about },
          destination: { branch: { name: 'main' } },
        },
      },
    }),
    signature: { header: 'x-hub-signature', prefix: 'sha256=' },
  };
};

let fakes: Fakes;
let providers: Record<ProviderId, Provider>;
let scene: ConnectorScene;
const repositories = new Map<ProviderId, string>();

const call = (method: string, path: string, body?: unknown) =>
  scene.server.call(method, path, { as: 'admin', ...(body === undefined ? {} : { body }) });

beforeAll(async () => {
  fakes = await start();
  providers = {
    ...{ github: githubOf(fakes), gitlab: gitlabOf(fakes) },
    ...{ bitbucket_cloud: bitbucketOf(fakes), gitea: giteaOf(fakes) },
  };
  const environment = {
    GITHUB_BASE_URL: fakes.github.url.origin,
    BITBUCKET_CLOUD_BASE_URL: fakes.bitbucket.url.origin,
  };
  scene = await startConnectorScene({ isWorking: true, environment });
  for (const id of PROVIDERS) {
    const saved = await scene.save(id, providers[id].values);
    expect(saved.body.data?.attributes.state, JSON.stringify(saved.body)).toBe('connected');
    const data = [{ nickname: id, repository_branch: 'main', ...providers[id].repository }];
    const made = await call('POST', '/create_repository_with_list', { source_control: id, data });
    expect(made.status, JSON.stringify(made.body)).toBe(200);
    repositories.set(id, made.body.data[0]._id);
  }
});
afterAll(async () => {
  await scene?.close();
  await Promise.all(Object.values(fakes).map((fake) => fake.close()));
});

const FOLDERS = ['told-merged', 'told-closed', 'asked-merged', 'asked-closed'] as const;
type Folder = (typeof FOLDERS)[number];

const flaskIn = (folder: Folder) => ({
  ...{ title: `Flask is vulnerable in ${folder}`, severity: 'high', type: 'SCA', rule_id: 'CVE-2023-30861' },
  ...{ file_path: `${folder}/requirements.txt`, component: 'flask', component_version: '1.0.0' },
  ...{ fixed_version: '2.3.2', purl: 'pkg:pypi/flask@1.0.0', ecosystem: 'pypi' },
});

const scan = async (id: ProviderId, folders: readonly Folder[]) => {
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings: folders.map(flaskIn) };
  const file = Buffer.from(JSON.stringify(report)).toString('base64');
  const body = { tool: 'breakwater', ext: 'json', file };
  const sent = await call('POST', `/upload_scan/${repositories.get(id)}?wait=100`, body);
  expect(sent.body.data?.status, JSON.stringify(sent.body)).toBe('done');
  return sent.body.data.counts;
};

const findingIn = async (id: ProviderId, folder: Folder) => {
  const [row] = await scene.rows<{ id: string }>(
    `select f.id from findings f join finding_files p on p.client_id = f.client_id and p.id = f.file_id
     where f.repository_id = $1 and p.path = $2`,
    [repositories.get(id), `${folder}/requirements.txt`],
  );
  return required(row).id;
};

/** Generates the fix of the finding in a folder and opens its pull request. */
const open = async (id: ProviderId, folder: Folder) => {
  const findingId = await findingIn(id, folder);
  const made = await call('POST', `/remediation/${findingId}`);
  expect(made.body.data?.attributes.processing_status, JSON.stringify(made.body)).toBe('ready');
  const opened = await call('POST', '/pull_request', { remediation_id: made.body.data._id });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  const { number, branch } = opened.body.data;
  return { findingId, remediationId: made.body.data._id, number, branch, isMerged: folder.endsWith('merged') };
};
type Opened = Awaited<ReturnType<typeof open>>;

/** What the provider sends to the address of the connection, signed with its secret. */
const deliver = async (id: ProviderId, pull: Ended, change: (proof: string) => string = (same) => same) => {
  const connection = { clientId: scene.server.users.clientId, connectorId: id };
  const address = required(await scene.server.container.get(SERVICE.connections).deliveryAddress(connection));
  const { headers, body } = providers[id].delivery(pull);
  const raw = JSON.stringify(body);
  const { header, prefix = '', isToken } = providers[id].signature;
  const proof = isToken ? address.secret : createHmac('sha256', address.secret).update(raw).digest('hex');
  const signed = { 'content-type': 'application/json', ...headers, [header]: `${prefix}${change(proof)}` };
  return fetch(`${scene.server.baseUrl}${address.path}`, { method: 'POST', headers: signed, body: raw });
};

const stateOf = async ({ findingId, remediationId }: Opened) => [
  (await call('GET', `/remediation/${remediationId}`)).body.data.attributes.processing_status,
  (await call('GET', `/findings/${findingId}`)).body.data.attributes.status,
];

const askProviders = async (): Promise<void> => {
  await scene.rows(`update remediations set polled_at = now() - interval '1 day' where number is not null`);
  await pollOpenSubmissions(scene.server.container.get(SERVICE.remediation), scene.server.scene.database);
};

const OPEN = ['pr_submitted', 'pr_submitted'];
const MERGED = ['applied', 'pr_accepted'];
const CLOSED = ['ready', 'ready'];

test.each(PROVIDERS)(
  '%s: a merged pull request is accepted and a closed one ready again, told by a signed delivery or asked for',
  async (id) => {
    const files = Object.fromEntries(FOLDERS.map((folder) => [`${folder}/requirements.txt`, 'flask==1.0.0\n']));
    await (await providers[id].git()).commitFiles({ branch: 'main', message: 'Project', files });
    await scan(id, FOLDERS);
    const [toldMerged, toldClosed, askedMerged, askedClosed] = [
      await open(id, 'told-merged'),
      await open(id, 'told-closed'),
      await open(id, 'asked-merged'),
      await open(id, 'asked-closed'),
    ];

    const forged = await deliver(id, toldMerged, (proof) => proof.replace(/.$/, (last) => (last === '0' ? '1' : '0')));
    expect(forged.status).toBe(403);
    expect(await stateOf(toldMerged)).toEqual(OPEN);
    for (const pull of [toldMerged, toldClosed]) {
      providers[id].end(pull);
      expect((await deliver(id, pull)).status).toBe(200);
    }
    expect(await stateOf(toldMerged)).toEqual(MERGED);
    expect(await stateOf(toldClosed)).toEqual(CLOSED);
    // sent twice, it says nothing new
    expect((await deliver(id, toldMerged)).status).toBe(200);
    expect(await stateOf(toldMerged)).toEqual(MERGED);

    await askProviders();
    expect([await stateOf(askedMerged), await stateOf(askedClosed)]).toEqual([OPEN, OPEN]);
    for (const pull of [askedMerged, askedClosed]) providers[id].end(pull);
    await askProviders();
    // the job of the server may ask at the same moment
    const patience = { timeout: 60_000, interval: 200 };
    await expect.poll(() => stateOf(askedMerged), patience).toEqual(MERGED);
    await expect.poll(() => stateOf(askedClosed), patience).toEqual(CLOSED);

    // a closed one is opened anew, on a branch of its own
    const again = await open(id, 'told-closed');
    expect(again.branch).not.toBe(toldClosed.branch);
    expect(again.number).not.toBe(toldClosed.number);

    expect(await scan(id, ['told-closed', 'asked-closed'])).toMatchObject({ closed: 2 });
    expect(await stateOf(toldMerged)).toEqual(['applied', 'mitigated']);
    expect(await stateOf(askedMerged)).toEqual(['applied', 'mitigated']);
  },
  240_000,
);
