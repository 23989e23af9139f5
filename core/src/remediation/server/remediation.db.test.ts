import { createHmac } from 'node:crypto';
import { SERVICE } from '@breakwater/host-server/container.ts';
import type { ScmEvent } from '@breakwater/sdk';
import { git } from '@breakwater/sdk/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type FakeGitea, startFakeGitea } from '../../../../plugins/scm-gitea/src/server/testing/fake-gitea.ts';
import { type ConnectorScene, startConnectorScene } from '../../testing/connectors/connector-scene.ts';
import { takeUpBroken } from './apply/take-up.ts';
import { pollOpenSubmissions } from './follow/poll-open.ts';

const TOKEN = 'gitea-token-1';
const REQUIREMENTS = '# what the shop needs\nflask==1.0.0  # web\njinja2==3.1.4\n';

let gitea: Awaited<ReturnType<typeof startFakeGitea>>;
let scene: ConnectorScene;
let repositoryId: string;

const provider = (): FakeGitea['repositories'][number] => {
  const [repository] = gitea.repositories;
  if (repository === undefined) throw new Error('no repository');
  return repository;
};

beforeAll(async () => {
  gitea = await startFakeGitea({ token: TOKEN });
  scene = await startConnectorScene({ isWorking: true });
  const values = { oauth_token: TOKEN, protocol: 'http', hosted_domain: '127.0.0.1', port: Number(gitea.url.port) };
  const saved = await scene.save('gitea', values);
  expect(saved.body.data.attributes.state, JSON.stringify(saved.body)).toBe('connected');
  const data = [
    {
      nickname: 'shop',
      url: `${gitea.url.origin}/acme/repo-1.git`,
      external_id: String(provider().id),
      repository_branch: 'main',
    },
  ];
  const made = await scene.server.call('POST', '/create_repository_with_list', {
    as: 'admin',
    body: { source_control: 'gitea', data },
  });
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  repositoryId = made.body.data[0]._id;
});
afterAll(async () => {
  await scene.close();
  await gitea.close();
});

const commit = async (files: Record<string, string>): Promise<void> => {
  await (await provider().git()).commitFiles({ branch: 'main', message: 'Change', files });
};
const fileAt = async (branch: string, name: string): Promise<string | undefined> =>
  (await (await provider().git()).readFile(`refs/heads/${branch}`, name))?.content.toString('utf8');

type As = 'admin' | 'cyberoper' | 'developer';
const call = (method: string, path: string, body?: unknown, as: As = 'cyberoper') =>
  scene.server.call(method, path, { as, ...(body === undefined ? {} : { body }) });

const upload = async (name: string, findings: object[]) => {
  const report = { format: 'breakwater-findings', version: 1, tool: { name: 'Acme' }, findings };
  const file = Buffer.from(JSON.stringify(report)).toString('base64');
  const body = { tool: 'breakwater', ext: 'json', file, part: name };
  return (await call('POST', `/upload_scan/${repositoryId}?wait=100`, body, 'admin')).body.data;
};

let part = 0;
/** A finding about a package, by a real import. @returns its id */
const findFlask = async (changes: object = {}): Promise<string> => {
  part += 1;
  const finding = {
    ...{ title: `Flask is vulnerable ${part}`, severity: 'high', type: 'SCA', rule_id: `CVE-2023-3086${part}` },
    ...{ file_path: 'requirements.txt', component: 'flask', component_version: '1.0.0', fixed_version: '2.3.2' },
    ...{ purl: 'pkg:pypi/flask@1.0.0', ecosystem: 'pypi', ...changes },
  };
  const sent = await upload(`part-${part}`, [finding]);
  expect(sent, JSON.stringify(sent)).toMatchObject({ status: 'done', counts: { new: 1 } });
  const [row] = await scene.rows<{ id: string }>('select id from findings where first_scan_id = $1', [sent.scan_id]);
  return row?.id ?? '';
};

const finding = async (id: string) => (await call('GET', `/findings/${id}`)).body.data.attributes;
const generate = async (id: string) => {
  const answer = await call('POST', `/remediation/${id}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return { id: answer.body.data._id, ...answer.body.data.attributes };
};
const read = async (id: string) => (await call('GET', `/remediation/${id}`)).body.data.attributes;
/** What a delivery of the provider says of a pull request. */
const pullRequest = (change: Partial<Extract<ScmEvent, { kind: 'pull-request' }>>): ScmEvent => {
  const event = { kind: 'pull-request', number: 1, branch: 'fix', into: 'main', action: 'merged' } as const;
  return { ...event, repository: String(provider().id), commit: 'a'.repeat(40), isFromFork: false, ...change };
};
const notices = async () =>
  (await scene.rows<{ notification_type: string }>('select notification_type from notifications order by id')).map(
    (row) => row.notification_type,
  );

test('from finding to merged pull request: the branch holds the change, and the finding follows', async () => {
  await commit({ 'requirements.txt': REQUIREMENTS });
  const findingId = await findFlask();
  expect((await call('GET', `/findings/${findingId}/remediation`)).body).toEqual({ data: null });
  const made = await generate(findingId);
  expect(made).toMatchObject({
    ...{ processing_status: 'ready', remediation_type: 'pull_request', finding_id: findingId, branch: 'main' },
    ...{ files: ['requirements.txt'], repository: 'shop', is_edited: false, failure: null },
  });
  expect(made.code_diff).toContain('-flask==1.0.0  # web\n+flask==2.3.2  # web\n');
  expect(made.code_diff_original).toBe(made.code_diff);
  expect((await finding(findingId)).status).toBe('ready');
  expect((await call('GET', `/findings/${findingId}/remediation`)).body.data._id).toBe(made.id);

  // by hand nobody moves what a remediation holds
  const byHand = await call('PUT', `/findings/${findingId}`, { status: 'enriched' });
  expect([byHand.status, byHand.body.code]).toEqual([409, 'conflict']);
  const bulk = await call('PUT', '/findings/bulk', { ids: [findingId], change: { status: 'mitigated' } });
  expect(bulk.body.data.refused).toEqual([{ _id: findingId, why: expect.stringContaining('remediation') }]);

  const opened = await call('POST', '/pull_request', { remediation_id: made.id });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  const { branch } = opened.body.data;
  expect(opened.body.data).toEqual({
    ...{ remediation_id: made.id, number: 1, repository: 'shop', branch: made.fix_branch, target: 'main' },
    url: expect.stringContaining('/acme/repo-1/pulls/1'),
  });
  expect(await fileAt(branch, 'requirements.txt')).toBe(REQUIREMENTS.replace('1.0.0', '2.3.2'));
  expect(await fileAt('main', 'requirements.txt')).toBe(REQUIREMENTS);
  expect((await finding(findingId)).status).toBe('pr_submitted');

  // asked for again, it is the same one
  expect((await call('POST', '/pull_request', { remediation_id: made.id })).body).toEqual(opened.body);
  expect(provider().issues).toHaveLength(1);
  expect((await call('POST', `/remediation/${findingId}`)).status).toBe(409);

  const { afterDelivery } = scene.server.container.get(SERVICE.connectionsDeps);
  const event = pullRequest({ number: 1, branch, action: 'merged' });
  const connection = { clientId: scene.server.users.clientId, connectorId: 'gitea' };
  await afterDelivery?.(connection, [
    pullRequest({ number: 2, branch }),
    pullRequest({ number: 1, branch, isFromFork: true }),
  ]);
  expect((await read(made.id)).processing_status).toBe('pr_submitted');
  await afterDelivery?.(connection, [event]);
  await afterDelivery?.(connection, [event]);
  const merged = await read(made.id);
  expect(merged.processing_status).toBe('applied');
  expect(merged.history.map(({ kind, actor }: { kind: string; actor: string }) => [kind, actor !== null])).toEqual([
    ['merge', false],
    ['open_pull_request', true],
    ['planned', true],
    ['generate', true],
  ]);
  expect((await finding(findingId)).status).toBe('pr_accepted');
  expect(await notices()).toEqual(expect.arrayContaining(['remediation_ready', 'pr_opened', 'pr_merged']));
});

test('a closed pull request gives the fix back, and the next one is another', async () => {
  await commit({ 'requirements.txt': REQUIREMENTS });
  const findingId = await findFlask();
  const { id } = await generate(findingId);
  const first = (await call('POST', '/pull_request', { remediation_id: id })).body.data;
  const { afterDelivery } = scene.server.container.get(SERVICE.connectionsDeps);
  await afterDelivery?.({ clientId: scene.server.users.clientId, connectorId: 'gitea' }, [
    pullRequest({ number: first.number, branch: first.branch, action: 'closed' }),
  ]);
  expect((await read(id)).processing_status).toBe('ready');
  expect((await finding(findingId)).status).toBe('ready');
  const closed = provider().issues.find(({ number }) => number === first.number);
  if (closed !== undefined) closed.state = 'closed';
  const second = (await call('POST', '/pull_request', { remediation_id: id })).body.data;
  expect(second.number).not.toBe(first.number);
  expect(second.branch).not.toBe(first.branch);
});

test('a process that died after the commit leaves one pull request', async () => {
  await commit({ 'requirements.txt': REQUIREMENTS, 'other/requirements.txt': REQUIREMENTS });
  const { id } = await generate(await findFlask({ file_path: 'other/requirements.txt' }));
  const before = provider().issues.length;
  const opened = (await call('POST', '/pull_request', { remediation_id: id })).body.data;
  await scene.rows(
    `update remediations set processing_status = 'ready', reference_url = null, number = null, run_id = gen_random_uuid(),
       run_until = now() + interval '1 hour' where id = $1`,
    [id],
  );
  // of what it did, only branch and commit are there
  provider().issues.pop();
  const busy = await call('POST', '/pull_request', { remediation_id: id });
  expect([busy.status, busy.body.detail]).toEqual([409, expect.stringContaining('being worked on')]);
  // its lease has ended
  await scene.rows(`update remediations set run_until = now() - interval '1 second' where id = $1`, [id]);
  const again = await call('POST', '/pull_request', { remediation_id: id });
  expect(again.body.data).toEqual(opened);
  expect(provider().issues).toHaveLength(before + 1);
  const git = await provider().git();
  expect(await git.log(`refs/heads/${opened.branch}`, { without: 'refs/heads/main' })).toHaveLength(1);
});

test('a generation whose process died is done again by the job, and given up after three deaths', async () => {
  await commit({ 'dead/requirements.txt': REQUIREMENTS });
  const { id } = await generate(await findFlask({ file_path: 'dead/requirements.txt' }));
  const actor = scene.server.users.cyberoper.id;
  const die = (attempts: number) =>
    scene.rows(
      `update remediations set processing_status = 'processing', code_diff = null, run_id = gen_random_uuid(),
         run_until = now() - interval '1 second', run_request = $2 where id = $1`,
      [id, JSON.stringify({ actor, attempts, work: { kind: 'generate', type: 'pull_request' } })],
    );
  const status = () => expect.poll(async () => (await read(id)).processing_status, { timeout: 60_000, interval: 200 });
  const takeUp = () => takeUpBroken(scene.server.container.get(SERVICE.remediation), scene.server.scene.database);
  await die(0);
  await takeUp();
  await status().toBe('ready');
  expect((await read(id)).code_diff).toContain('+flask==2.3.2');
  await die(3);
  await takeUp();
  await status().toBe('failed');
  expect((await read(id)).failure).toContain('Generate it again');
});

test('a path that a tool begins with the root of the repository, as Checkov does, is the file without the slash', async () => {
  await commit({ 'requirements.txt': REQUIREMENTS });
  const made = await generate(await findFlask({ file_path: '/requirements.txt' }));
  expect(made).toMatchObject({ processing_status: 'ready', failure: null, files: ['requirements.txt'] });
});

test('many at once open one', async () => {
  await commit({ 'many/requirements.txt': REQUIREMENTS });
  const { id } = await generate(await findFlask({ file_path: 'many/requirements.txt' }));
  const before = provider().issues.length;
  const answers = await Promise.all(
    Array.from({ length: 6 }, () => call('POST', '/pull_request', { remediation_id: id })),
  );
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(answers.some(({ status }) => status === 200)).toBe(true);
  expect(provider().issues).toHaveLength(before + 1);
});

test('files that moved take the fix along where it fits; else it is made anew, and somebody looks first', async () => {
  await commit({ 'moved/requirements.txt': REQUIREMENTS });
  const { id } = await generate(await findFlask({ file_path: 'moved/requirements.txt' }));
  await commit({ 'moved/requirements.txt': REQUIREMENTS.replace('flask==1.0.0', 'flask==1.0.1') });
  const refused = await call('POST', '/pull_request', { remediation_id: id });
  expect([refused.status, refused.body.detail]).toEqual([409, expect.stringContaining('generated anew')]);
  expect((await read(id)).code_diff).toContain('-flask==1.0.1');
  await commit({
    'moved/requirements.txt': `requests==2.32.3\n${REQUIREMENTS.replace('flask==1.0.0', 'flask==1.0.1')}`,
  });
  const opened = await call('POST', '/pull_request', { remediation_id: id });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  expect(await fileAt(opened.body.data.branch, 'moved/requirements.txt')).toBe(
    `requests==2.32.3\n${REQUIREMENTS.replace('flask==1.0.0', 'flask==2.3.2')}`,
  );
});

test('an edit must fit the file as it is and touch no other', async () => {
  await commit({ 'edit/requirements.txt': REQUIREMENTS });
  const { id, code_diff: diff } = await generate(await findFlask({ file_path: 'edit/requirements.txt' }));
  const edit = (body: object, as: As = 'cyberoper') => call('PUT', `/remediation/${id}/edit`, body, as);
  const refusal = async (code_diff: string) => {
    const { status, body } = await edit({ code_diff });
    expect([status, body.detail[0].loc]).toEqual([422, ['body', 'code_diff']]);
    return body.detail[0].msg;
  };
  expect(await refusal(diff.replaceAll('edit/requirements.txt', 'README.md'))).toContain('README.md');
  expect(await refusal(diff.replaceAll('edit/requirements.txt', '../../etc/passwd'))).toContain('passwd');
  expect(await refusal(diff.replace('-flask==1.0.0', '-flask==0.9'))).toContain('does not fit');
  expect(await refusal('nonsense')).toContain('Line 1');
  expect((await read(id)).is_edited).toBe(false);
  const changed = await edit({ code_diff: diff.replace('+flask==2.3.2', '+flask==2.3.3'), title: 'By hand' });
  expect(changed.status, JSON.stringify(changed.body)).toBe(200);
  expect(changed.body.data.attributes).toMatchObject({ is_edited: true, title: 'By hand', code_diff_original: diff });
  const opened = (await call('POST', '/pull_request', { remediation_id: id })).body.data;
  expect(await fileAt(opened.branch, 'edit/requirements.txt')).toContain('flask==2.3.3');
  expect((await edit({ title: 'Too late' })).status).toBe(409);
});

test('two people edit: who saves second loses nothing, and the generated change can be put back', async () => {
  await commit({ 'two/requirements.txt': REQUIREMENTS });
  const { id, code_diff: diff, revision } = await generate(await findFlask({ file_path: 'two/requirements.txt' }));
  const edit = (body: object, as: As = 'cyberoper') => call('PUT', `/remediation/${id}/edit`, body, as);
  const [one, two] = await Promise.all([
    edit({ revision, code_diff: diff.replace('+flask==2.3.2', '+flask==2.3.3') }),
    edit({ revision, code_diff: diff.replace('+flask==2.3.2', '+flask==2.3.4') }, 'admin'),
  ]);
  expect([one.status, two.status].toSorted()).toEqual([200, 409]);
  const late = await edit({ revision, title: 'Mine' });
  expect([late.status, late.body.detail]).toEqual([409, expect.stringContaining('Somebody else')]);
  const now = await read(id);
  expect([now.title === 'Mine', now.is_edited]).toEqual([false, true]);
  const back = await edit({ revision: now.revision, code_diff: now.code_diff_original });
  expect(back.body.data.attributes, JSON.stringify(back.body)).toMatchObject({
    ...{ code_diff: diff, is_edited: false, revision },
  });
});

test('values of a template are previewed without being written', async () => {
  await commit({ 'tpl/Dockerfile': 'FROM alpine:3.20\nRUN apk add curl\n' });
  const findingId = await findFlask({
    ...{ title: 'Runs as root', type: 'IaC', rule_id: 'DS002', file_path: 'tpl/Dockerfile', component: undefined },
    ...{ component_version: undefined, fixed_version: undefined, purl: undefined, ecosystem: undefined },
  });
  const { id, template_fields: fields, template_values: values, failure } = await generate(findingId);
  expect(fields, String(failure)).toMatchObject([{ key: 'user' }]);
  const before = await read(id);
  const preview = async (user: string, as: As = 'cyberoper') =>
    call('POST', `/remediation/preview-template/${id}`, { template_values: { user } }, as);
  const shown = await preview('10001:10001');
  expect(shown.body.data.code_diff, JSON.stringify(shown.body)).toContain('+USER 10001:10001');
  expect((await preview('no user!\nRUN evil')).body.data).toEqual({
    code_diff: null,
    problems: { user: fields[0].message },
  });
  expect((await preview('app', 'developer')).status).toBe(404);
  expect({ ...(await read(id)), template_values: values }).toEqual(before);
});

test('an issue is written from the finding and opened once; the text of a report means nothing in it', async () => {
  const hostile = 'Look ```\n@everyone closes #1 <img src=x onerror=alert(1)>';
  const findingId = await findFlask({
    title: 'Closes #1 @team',
    description: hostile,
    file_path: 'issue/requirements.txt',
  });
  const answer = await call('POST', `/issues/${findingId}`);
  expect(answer.body.data.attributes).toMatchObject({
    processing_status: 'ready',
    remediation_type: 'issue',
    code_diff: null,
  });
  expect(answer.body.data.attributes.description).toContain('````text\nLook ```\n@everyone');
  const { _id: id } = answer.body.data;
  expect((await call('POST', '/pull_request', { remediation_id: id })).status).toBe(409);
  const opened = await call('POST', '/create_issue', { remediation_id: id });
  expect(opened.body.data, JSON.stringify(opened.body)).toMatchObject({
    branch: null,
    target: null,
    url: expect.stringContaining('/issues/'),
  });
  expect((await call('POST', '/create_issue', { remediation_id: id })).body).toEqual(opened.body);
  expect((await notices()).filter((type) => type === 'issue_opened')).toHaveLength(1);
  expect((await finding(findingId)).status).toBe('issued');
});

test('what has no fix says why, and the finding stands as before', async () => {
  const findingId = await findFlask({ file_path: 'nowhere/requirements.txt', fixed_version: undefined });
  const made = await generate(findingId);
  expect(made.processing_status).toBe('failed');
  expect((await notices()).at(-1)).toBe('remediation_failed');
  expect(made.failure).not.toBe('');
  expect((await finding(findingId)).status).toBe('enriched');
  expect((await call('POST', '/pull_request', { remediation_id: made.id })).status).toBe(409);
  expect((await call('PUT', `/findings/${findingId}`, { status: 'mitigated' })).status).toBe(200);
  expect((await call('POST', `/remediation/${findingId}`)).status).toBe(409);
});

test('a developer fixes what is theirs; all else is not there', async () => {
  await commit({ 'theirs/requirements.txt': REQUIREMENTS });
  const findingId = await findFlask({ file_path: 'theirs/requirements.txt' });
  const { id } = await generate(findingId);
  const attempts = async () =>
    Promise.all([
      call('GET', `/remediation/${id}`, undefined, 'developer'),
      call('PUT', `/remediation/${id}/edit`, { title: 'Mine' }, 'developer'),
      call('POST', `/remediation/fill-template/${id}`, { template_values: {} }, 'developer'),
      call('POST', '/pull_request', { remediation_id: id }, 'developer'),
      call('POST', '/create_issue', { remediation_id: id }, 'developer'),
      call('POST', `/remediation/${findingId}`, undefined, 'developer'),
    ]);
  expect((await attempts()).map(({ status }) => status)).toEqual([404, 404, 404, 404, 404, 404]);
  expect((await call('PUT', `/findings/${findingId}`, { issue_owner: scene.server.users.developer.id })).status).toBe(
    200,
  );
  expect((await call('PUT', `/remediation/${id}/edit`, { title: 'Mine' }, 'developer')).status).toBe(200);
  expect((await call('POST', '/pull_request', { remediation_id: id }, 'developer')).status).toBe(200);
});

test('many are generated and opened as a job: progress, refusals with reasons, one pull request for one change', async () => {
  await commit({ 'bulk/a/requirements.txt': REQUIREMENTS, 'bulk/b/requirements.txt': REQUIREMENTS });
  const good = [
    await findFlask({ file_path: 'bulk/a/requirements.txt' }),
    await findFlask({ file_path: 'bulk/b/requirements.txt' }),
    // another flaw of the same package
    await findFlask({ file_path: 'bulk/b/requirements.txt', rule_id: 'CVE-2018-1000656' }),
  ];
  const bad = await findFlask({
    file_path: 'bulk/none/requirements.txt',
    component: 'gone',
    purl: 'pkg:pypi/gone@1',
    fixed_version: undefined,
  });
  const plan = async (as: As) => (await call('POST', '/bulk_actions/plan', { findings: [...good, bad] }, as)).body.data;
  expect(await plan('cyberoper')).toMatchObject({
    targets: [{ repository: 'shop', branch: 'main', findings: 4, can_open: true }],
    ...{ ready: [], opened: 0 },
  });
  expect(await plan('developer')).toEqual({ targets: [], ready: [], opened: 0 });
  const before = provider().issues.length;
  const unknown = '00000000-0000-7000-8000-000000000000';
  const started = await call('POST', '/bulk_actions/generate_patch', {
    findings: [...good, bad, unknown],
    apply_pr: true,
  });
  expect(started.status).toBe(202);
  const job = async () => (await call('GET', `/jobs/${started.body.data.job_id}`)).body.data.attributes;
  await expect.poll(async () => (await job()).status, { timeout: 100_000, interval: 200 }).toBe('done');
  const end = await job();
  expect(end, JSON.stringify(end)).toMatchObject({ total: 5, done: 3, refused_count: 2, percentage: 100 });
  expect(end.refused).toEqual(expect.arrayContaining([bad, unknown].map((_id) => ({ _id, why: expect.any(String) }))));
  expect(provider().issues).toHaveLength(before + 2);
  expect(await Promise.all(good.map(async (id) => (await finding(id)).status))).toEqual(Array(3).fill('pr_submitted'));
  expect(await plan('cyberoper')).toMatchObject({ ready: [], opened: 3 });
});

/** What people do with a pull request or an issue at the provider. */
const endAtProvider = (number: number, change: { isMerged?: boolean }): void => {
  Object.assign(provider().issues.find((one) => one.number === number) ?? {}, { state: 'closed', ...change });
};
const poll = async (): Promise<number> => {
  await scene.rows(`update remediations set polled_at = now() - interval '1 day' where number is not null`);
  return pollOpenSubmissions(scene.server.container.get(SERVICE.remediation), scene.server.scene.database);
};
const openPull = async (folder: string) => {
  await commit({ [`${folder}/requirements.txt`]: REQUIREMENTS });
  const findingId = await findFlask({ file_path: `${folder}/requirements.txt` });
  const { id } = await generate(findingId);
  const opened = await call('POST', '/pull_request', { remediation_id: id });
  expect(opened.status, JSON.stringify(opened.body)).toBe(200);
  return { findingId, id, part: `part-${part}`, number: opened.body.data.number };
};

test('where no delivery comes the provider is asked: merged, accepted, and fixed by the next scan; closed gives the fix back', async () => {
  const merged = await openPull('poll-a');
  const closed = await openPull('poll-b');
  expect(await poll()).toBeGreaterThanOrEqual(2);
  expect((await finding(merged.findingId)).status).toBe('pr_submitted');
  endAtProvider(merged.number, { isMerged: true });
  endAtProvider(closed.number, {});
  await poll();
  await expect
    .poll(async () => (await finding(merged.findingId)).status, { timeout: 60_000, interval: 200 })
    .toBe('pr_accepted');
  await expect
    .poll(async () => (await finding(closed.findingId)).status, { timeout: 60_000, interval: 200 })
    .toBe('ready');
  expect((await read(merged.id)).processing_status).toBe('applied');
  expect(await read(closed.id)).toMatchObject({ processing_status: 'ready', reference_url: null, number: null });
  // asked about lately, nobody is asked again
  const deps = scene.server.container.get(SERVICE.remediation);
  expect(await pollOpenSubmissions(deps, scene.server.scene.database)).toBe(0);
  expect(await upload(merged.part, [])).toMatchObject({ status: 'done', counts: { closed: 1 } });
  expect((await finding(merged.findingId)).status).toBe('mitigated');
});

/** A delivery as Gitea sends it to the address that it was given, with its signature. */
const deliver = async (event: string, body: object, change: (signature: string) => string = (same) => same) => {
  const connection = { clientId: scene.server.users.clientId, connectorId: 'gitea' };
  const address = await scene.server.container.get(SERVICE.connections).deliveryAddress(connection);
  const raw = JSON.stringify(body);
  const signature = change(
    createHmac('sha256', address?.secret ?? '')
      .update(raw)
      .digest('hex'),
  );
  const headers = { 'content-type': 'application/json', 'x-gitea-event': event, 'x-gitea-signature': signature };
  return fetch(`${scene.server.baseUrl}${address?.path}`, { method: 'POST', headers, body: raw });
};

test('an issue that was closed is done, by a signed delivery and where the provider is asked', async () => {
  const issueOf = async (): Promise<{ findingId: string; number: number }> => {
    const findingId = await findFlask({ file_path: `issues-${part}/requirements.txt` });
    const { _id } = (await call('POST', `/issues/${findingId}`)).body.data;
    const opened = await call('POST', '/create_issue', { remediation_id: _id });
    return { findingId, number: opened.body.data.number };
  };
  const told = await issueOf();
  const asked = await issueOf();
  const body = { action: 'closed', number: told.number, repository: { id: provider().id } };
  expect(
    (await deliver('issues', body, (signature) => signature.replace(/^./, (digit) => (digit === '0' ? '1' : '0'))))
      .status,
  ).toBe(403);
  expect((await finding(told.findingId)).status).toBe('issued');
  expect((await deliver('issues', body)).status).toBe(200);
  expect((await finding(told.findingId)).status).toBe('pr_accepted');
  endAtProvider(asked.number, {});
  await poll();
  await expect
    .poll(async () => (await finding(asked.findingId)).status, { timeout: 60_000, interval: 200 })
    .toBe('pr_accepted');
});

test('an action named by a tag is pinned to the commit of the tag', async () => {
  const workflow = '.github/workflows/ci.yml';
  const text = 'on: push\njobs:\n  build:\n    runs-on: linux\n    steps:\n      - uses: acme/repo-1@v1\n';
  await commit({ [workflow]: text });
  const bare = await provider().git();
  const tagged = (await bare.branches()).get('main') ?? '';
  await git({ args: ['--git-dir', bare.folder, 'tag', 'v1', tagged] });
  await commit({ 'later.txt': 'later' });
  const id = await findFlask({
    ...{ type: 'CI/CD', rule_id: 'unpinned-uses', file_path: workflow, start_line: 6, end_line: 6 },
    ...{ component: undefined, component_version: undefined, fixed_version: undefined, purl: undefined },
    ecosystem: undefined,
  });
  const made = await generate(id);
  expect(made, made.failure).toMatchObject({ processing_status: 'ready', files: [workflow] });
  expect(made.code_diff).toContain(`+      - uses: acme/repo-1@${tagged} # v1\n`);
});

test('a provider that sets a limit is left alone until that has passed', async () => {
  await openPull('limit-a');
  await openPull('limit-b');
  const asked = () => gitea.requests.filter(({ path }) => /\/pulls\/\d+$/.test(path)).length;
  const before = asked();
  gitea.faults.add({
    when: ({ path }) => /\/pulls\/\d+$/.test(path),
    fault: { answer: () => ({ status: 429, headers: { 'retry-after': '600' }, json: {} }) },
  });
  expect(await poll()).toBe(1);
  expect(asked()).toBe(before + 1);
  expect(await poll()).toBe(0);
  expect(asked()).toBe(before + 1);
  expect((await scene.attributes('gitea')).state).toBe('paused');
});

test('a repository that goes takes its remediations along', async () => {
  const before = await scene.rows('select 1 from remediations where repository_id = $1', [repositoryId]);
  expect(before.length).toBeGreaterThan(0);
  expect((await call('DELETE', `/repositories/${repositoryId}`, undefined, 'admin')).status).toBe(200);
  expect(await scene.rows('select 1 from remediations')).toEqual([]);
  expect(await scene.rows('select 1 from remediation_events')).toEqual([]);
});
