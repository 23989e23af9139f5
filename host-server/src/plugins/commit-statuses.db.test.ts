import { COMMIT_STATUS_JOB } from '@breakwater/core/ingest/server/index.ts';
import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { startFakeGitea } from '../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { SERVICE } from '../container.ts';

const TOKEN = 'gitea-token-for-tests-0123456789';
const ORIGIN = 'https://breakwater.example.com';

let gitea: Awaited<ReturnType<typeof startFakeGitea>>;
let server: TestServer;
beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN, repositories: 12 });
  server = await startTestServer({
    isWorking: true,
    environment: {
      GITEA_BASE_URL: `${gitea.url.origin}/api/v1`,
      BREAKWATER_ALLOW_PRIVATE_HOSTS: 'true',
      BREAKWATER_PUBLIC_URL: ORIGIN,
    },
  });
  const values = { oauth_token: TOKEN, protocol: 'https', hosted_domain: 'git.example.com', port: 443 };
  const saved = await call('PUT', `/connectors/${encodeURIComponent('source-control/gitea')}`, { values });
  expect(saved.body.data.attributes.state).toBe('connected');
});
afterAll(async () => {
  await server?.close();
  await gitea?.close();
});

const call = (method: string, path: string, body?: unknown) =>
  server.call(method, path, { as: 'admin', ...(body === undefined ? {} : { body }) });

const until = async <T>(look: () => Promise<T | undefined> | T | undefined): Promise<T> => {
  for (;;) {
    const found = await look();
    if (found !== undefined) return found;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
};

let used = 2;
/** A repository of its own at the provider and here. */
const addRepository = async () => {
  used += 1;
  const [fake] = gitea.repositories.filter(({ id }) => id === used);
  if (fake === undefined) throw new Error('the fake has too few repositories');
  const url = `${gitea.url.origin}/acme/${fake.name}.git`;
  const data = [{ nickname: fake.name, url, external_id: String(fake.id), repository_branch: 'main' }];
  const { body } = await call('POST', '/create_repository_with_list', { source_control: 'gitea', data });
  const commit = await (await fake.git()).resolve('refs/heads/main');
  return { id: String(body.data[0]._id), fake, commit };
};

interface Result {
  rule: string;
  level?: 'error' | 'warning' | 'note';
  text?: string;
  path?: string;
}
const sarif = (results: readonly Result[]) =>
  JSON.stringify({
    version: '2.1.0',
    $schema: 'https://json.schemastore.org/sarif-2.1.0.json',
    runs: [
      {
        tool: { driver: { name: 'Lint', rules: [] } },
        results: results.map(({ rule, level = 'error', text = rule, path = 'src/a.ts' }) => ({
          ruleId: rule,
          level,
          message: { text },
          locations: [{ physicalLocation: { artifactLocation: { uri: path }, region: { startLine: 3 } } }],
        })),
      },
    ],
  });

const upload = async (id: string, results: readonly Result[], more: object = {}) => {
  const report = Buffer.from(sarif(results)).toString('base64');
  const answer = await call('POST', `/upload_scan/${id}?wait=60`, { file: report, tool: 'sarif', ...more });
  expect(answer.body).toMatchObject({ success: true });
  return String(answer.body.data.scan_id);
};

const scanOf = async (id: string) => (await call('GET', `/scans/${id}`)).body.data.attributes;
const ended = (id: string, state: string) =>
  until(async () => ((await scanOf(id)).commit_status?.state === state ? scanOf(id) : undefined));

beforeEach(async () => {
  await call('PUT', '/client', { pipeline_integration: true });
});

/** Newest first: the check of this commit at the provider. */
const shown = ({ fake, commit }: Awaited<ReturnType<typeof addRepository>>) =>
  fake.statuses.find((one) => one.commit === commit)?.status;

test('an upload of a commit fails its check at a new finding of high severity, with their number and the list of them', async () => {
  const repository = await addRepository();
  const { id, fake, commit } = repository;
  const scan = await upload(id, [{ rule: 'sql' }, { rule: 'style', level: 'note' }], { commit });
  expect(await ended(scan, 'failure')).toMatchObject({ status: 'done', commit_status: { problem: null } });
  expect(shown(repository)).toMatchObject({
    context: 'Breakwater',
    status: 'failure',
    description: '2 new findings: 1 high, 1 low. Fails on critical and high.',
  });
  const url = new URL(String(shown(repository)?.['target_url']));
  expect(`${url.origin}${url.pathname}`).toBe(`${ORIGIN}/findings`);
  const filters = `filters[repository]=${id}&filters[first_scan]=${url.searchParams.get('first_scan')}`;
  expect((await call('GET', `/findings?${filters}`)).body.meta.pagination.total).toBe(2);
  // the next commit brings nothing new
  const next = await (await fake.git()).commitFiles({ branch: 'main', message: 'Next', files: { a: 'b' } });
  const second = await upload(id, [{ rule: 'sql' }, { rule: 'style', level: 'note' }], { commit: next });
  await ended(second, 'success');
  expect(shown({ ...repository, commit: next })?.['description']).toBe('No new findings.');
});

/** A scan of the server of a pull request, as it stands when it has ended; its report comes by an upload. */
const scanOfPullRequest = (repository: string, commit: string, branch: string, number: number) =>
  server.scene.owner.query(
    `insert into scan_requests (client_id, scan_type, repository_id, branch, commit_hash, pull_request, status, trigger, finished_at)
     values ($1, 'all', $2, $3, $4, $5, 'done', 'push', now())`,
    [server.users.clientId, repository, branch, commit, number],
  );

test('a pull request gets one comment with what the default branch does not have; text of a report stays text', async () => {
  const repository = await addRepository();
  const { id, fake } = repository;
  const git = await fake.git();
  fake.issues.push({
    number: 7,
    title: 'A',
    body: '',
    user: 'ada',
    labels: [],
    state: 'open',
    head: 'topic',
    base: 'main',
  });
  await upload(id, [{ rule: 'old' }]);
  const commit = await git.commitFiles({ branch: 'topic', message: 'Topic', files: { a: 'b' } });
  await scanOfPullRequest(id, commit, 'topic', 7);
  const hostile = 'x` @ada #1 <img src=//a> [a](javascript:b) |\u202E c <!-- breakwater:k -->';
  const results = [{ rule: 'old' }, { rule: hostile, text: hostile, path: 'src/a`|b.ts' }];
  const scan = await upload(id, results, { commit, branch: 'topic' });
  await ended(scan, 'failure');
  const [comment, ...more] = fake.comments;
  expect(more).toEqual([]);
  expect((await scanOf(scan)).commit_status.comment_url).toContain('http');
  const rows = comment?.body.split('\n').filter((line) => line.startsWith('| High')) ?? [];
  expect(rows).toHaveLength(1);
  const [row = ''] = rows;
  // outside of spans of code there are only our own words and links
  const outside = row.replaceAll(/`[^`]*`/g, '');
  expect(outside).toMatch(/^\| High \| \[\]\(https:\/\/breakwater\.example\.com\/findings\/[0-9a-f-]+\) \| {2}\|$/);
  expect(row).not.toContain('\u202E');
  // the next commit repairs it: the same comment says so
  const next = await git.commitFiles({ branch: 'topic', message: 'Repair', files: { a: 'c' } });
  await scanOfPullRequest(id, next, 'topic', 7);
  await ended(await upload(id, [{ rule: 'old' }], { commit: next, branch: 'topic' }), 'success');
  expect(fake.comments).toHaveLength(1);
  expect(fake.comments[0]?.body).toContain('no new findings');
});

/** As if the wait for the next try were over: the run that failed has ended, and the next one is not left to the poller. */
const retryNow = async (id: string): Promise<void> => {
  const { owner, database } = server.scene;
  const { clientId } = server.users;
  const ready = `update job_state set due_at = now() where job = $1 and key = $2 and state ->> 'runUntil' is null`;
  await until(async () => {
    const { rowCount } = await owner.query(ready, [COMMIT_STATUS_JOB.name, id]);
    return rowCount === 1 ? true : undefined;
  });
  await owner.query('update commit_statuses set retry_at = null where repository_id = $1', [id]);
  const jobs = server.container.get(SERVICE.jobs);
  await database.forClient(clientId, (db) => jobs.enqueue(db, COMMIT_STATUS_JOB, { clientId, repositoryId: id }));
};

test('what the provider refuses is seen on the scan and tried again; the import is done', async () => {
  const repository = await addRepository();
  const { id, commit } = repository;
  const scopes = gitea.known.scopes;
  gitea.known.scopes = scopes.filter((scope) => scope !== 'write:repository').concat('read:repository');
  let scan: string;
  try {
    scan = await upload(id, [{ rule: 'sql' }], { commit });
    const refused = await until(async () => {
      const attributes = await scanOf(scan);
      return attributes.commit_status?.problem == null ? undefined : attributes;
    });
    expect(refused).toMatchObject({ status: 'done', counts: { new: 1 }, commit_status: { state: null } });
    expect(refused.commit_status.problem).toMatch(/^Gitea: .*write/);
  } finally {
    gitea.known.scopes = scopes;
  }
  await retryNow(id);
  expect(await ended(scan, 'failure')).toMatchObject({ commit_status: { problem: null } });
  expect(shown(repository)).toMatchObject({ status: 'failure' });
});

const nothingIsDue = (repositoryIds: readonly string[]): Promise<boolean> =>
  until(async () => {
    const { rows } = await server.scene.owner.query(
      `select from job_state where job = $1 and key = any($2) and due_at is not null`,
      [COMMIT_STATUS_JOB.name, repositoryIds],
    );
    return rows.length === 0 ? true : undefined;
  });

test('nothing is told where nobody wants it, or no provider is known, or only the beginning of a hash', async () => {
  const repository = await addRepository();
  const short = await upload(repository.id, [{ rule: 'sql' }], { commit: repository.commit?.slice(0, 10) });
  const named = await until(async () => (await scanOf(short)).commit_status ?? undefined);
  expect(named.problem).toContain('Send all 40 characters');
  await call('PUT', '/client', { pipeline_integration: false });
  const quiet = await addRepository();
  const unwanted = await upload(quiet.id, [{ rule: 'sql' }], { commit: quiet.commit });
  // the setting is read when the import is done
  await until(async () => ((await scanOf(unwanted)).status === 'done' ? true : undefined));
  await nothingIsDue([quiet.id]);
  const data = [{ nickname: 'plain', url: 'https://git.example.com/plain.git' }];
  const { body } = await call('POST', '/create_repository_with_list', { source_control: 'git', data });
  await call('PUT', '/client', { pipeline_integration: true });
  const plain = await upload(body.data[0]._id, [{ rule: 'sql' }], { commit: 'a'.repeat(40) });
  await until(async () => ((await scanOf(plain)).status === 'done' ? true : undefined));
  await nothingIsDue([quiet.id, body.data[0]._id]);
  expect((await scanOf(plain)).commit_status).toBeNull();
  expect((await scanOf(unwanted)).commit_status).toBeNull();
  expect(quiet.fake.statuses).toEqual([]);
});
