import { startTestServer, type TestServer } from '@breakwater/tools/testing/server.ts';
import { createUsers, type TestUsers } from '@breakwater/tools/testing/users.ts';
import { decodeJwt } from 'jose';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertRandomFindings } from '../../../testing/random-findings.ts';
import { changedSettings, DEFAULT_SETTINGS } from '../../model/settings/priority-settings.ts';
import { loadReferenceData } from '../feeds/reference-data.ts';
import { previewSettings } from './preview-settings.ts';
import { rescoreSettings } from './rescore-settings.ts';
import { settingsState } from './stored-rules.ts';

const PATH = '/client/prioritisation';
let server: TestServer;
let others: TestUsers;

beforeAll(async () => {
  server = await startTestServer();
  others = await createUsers(server.scene.database, 'Other');
  const { owner } = server.scene;
  const users = [server.users.developer.id];
  await insertRandomFindings(owner, { clientId: server.users.clientId, users, count: 400, start: 7 });
  // as an import of today would have scored them
  await rescoreAll();
});
afterAll(() => server.close());

const rescoreAll = async (): Promise<void> => {
  const { clientId } = server.users;
  await server.scene.database.forClient(clientId, (db) =>
    settingsState.request(db, { clientId }, { version: 0, total: 0 }),
  );
  await rescoreSettings(server.scene.database, server.users.clientId, new AbortController().signal);
};
type As = 'superadmin' | 'admin' | 'cyberoper' | 'developer' | { token: string };
const call = (method: string, path: string, as: As, body?: unknown) =>
  server.call(method, path, { as, ...(body === undefined ? {} : { body }) });
const read = async (as: As = 'admin') => (await call('GET', PATH, as)).body.data.attributes;
const put = (body: unknown, as: As = 'admin') => call('PUT', PATH, as, body);
const preview = (body: unknown, as: As = 'admin') => call('POST', `${PATH}/preview`, as, body);

const OPEN = `select f.id, f.priority from findings f join repositories r on r.client_id = f.client_id and r.id = f.repository_id
  where f.client_id = $1 and f.is_open`;
const openFindings = async () =>
  (await server.scene.owner.query<{ id: string; priority: number }>(OPEN, [server.users.clientId])).rows;

test('who may read and who may write', async () => {
  const statuses = async (method: string, path: string, body?: unknown) =>
    Promise.all(
      (['superadmin', 'admin', 'cyberoper', 'developer'] as const).map(
        async (as) => (await call(method, path, as, body)).status,
      ),
    );
  expect(await statuses('GET', PATH)).toEqual([200, 200, 200, 403]);
  expect(await statuses('GET', `${PATH}/history`)).toEqual([200, 200, 200, 403]);
  expect(await statuses('POST', `${PATH}/preview`, {})).toEqual([403, 200, 403, 403]);
  expect(await statuses('PUT', PATH, {})).toEqual([403, 200, 403, 403]);
  expect(await read()).toMatchObject({ toggle: false, version: 0, updated_at: null, updated_by: null });
});

test.each([
  [{ toggel: true }, ['body', 'toggel']],
  [{ complianceStandards: { dora: 1 } }, ['body', 'complianceStandards']],
  [{ complianceStandars: { hipaa: 1 } }, ['body', 'complianceStandars', 'hipaa']],
  [{ toggle: 'yes' }, ['body', 'toggle']],
  [{ exploitabilityFactors: { epss: 101 } }, ['body', 'exploitabilityFactors', 'epss']],
  [{ exploitabilityFactors: { epss: -1 } }, ['body', 'exploitabilityFactors', 'epss']],
  [{ exploitabilityFactors: { epss: 1.5 } }, ['body', 'exploitabilityFactors', 'epss']],
  [{ exploitabilityFactors: { epss: null } }, ['body', 'exploitabilityFactors', 'epss']],
  [{ exploitabilityFactors: [] }, ['body', 'exploitabilityFactors']],
  [{ version: -1 }, ['body', 'version']],
])('%j is refused beside its field', async (body, loc) => {
  for (const answer of [await put(body), await preview(body)]) {
    expect(answer.status).toBe(422);
    expect(answer.body.detail).toEqual([expect.objectContaining({ loc })]);
  }
  expect((await read()).version).toBe(0);
});

const ZERO = {
  toggle: true,
  industryStandardFrameworks: { cvss: 0, cwe: 0 },
  exploitabilityFactors: { activeExploits: 0, easeExploitation: 0, epss: 0 },
  impactOnCriticalSystems: { vulnSensitiveData: 0, vulnImpactingCriticalData: 0 },
};

test('settings under which nothing would count are refused, unless they are off', async () => {
  for (const answer of [await put(ZERO), await preview(ZERO)]) {
    expect(answer.status).toBe(422);
    expect(answer.body.detail[0]).toMatchObject({ loc: ['body', 'toggle'], type: 'no_weight' });
  }
  expect((await preview({ ...ZERO, toggle: false })).status).toBe(200);
});

const CHANGE = { toggle: true, exploitabilityFactors: { epss: 80 }, industryStandardFrameworks: { cvss: 5, cwe: 90 } };

test('the preview says what saving then does', async () => {
  const before = await openFindings();
  const { body } = await preview(CHANGE);
  const said = body.data;
  expect(said).toMatchObject({ total: before.length, looked_at: before.length, is_estimate: false });
  expect(said.changed).toBeGreaterThan(0);
  expect(said.changed).toBe(said.raised + said.lowered);
  expect(await openFindings()).toEqual(before);
  const { status, body: saved } = await put({ ...CHANGE, version: 0 });
  expect(status).toBe(202);
  expect(saved.data.attributes).toMatchObject({
    ...{ toggle: true, version: 1, weights: said.weights, updated_by: { username: server.users.admin.username } },
    recomputation: { is_running: true, percentage: 0, done: 0, job_id: expect.any(String) },
  });
  const jobId = saved.data.attributes.recomputation.job_id;
  expect((await call('GET', `/jobs/${jobId}`, 'admin')).body.data.attributes).toMatchObject({ status: 'queued' });
  await rescoreAll();
  expect((await call('GET', `/jobs/${jobId}`, 'admin')).body.data.attributes).toMatchObject({
    ...{ kind: 'prioritisation.rescore', status: 'done', percentage: 100 },
  });
  expect((await read()).recomputation).toMatchObject({ is_running: false, job_id: null });
  const old = new Map(before.map(({ id, priority }) => [id, priority]));
  const after = await openFindings();
  const moved = after.filter(({ id, priority }) => priority !== old.get(id));
  expect(moved.length).toBe(said.changed);
  const top = [...after].sort((a, b) => b.priority - a.priority || (a.id < b.id ? 1 : -1)).slice(0, 10);
  expect(said.top_after.map(({ _id }: { _id: string }) => _id)).toEqual(top.map(({ id }) => id));
  for (const band of said.bands) {
    expect(
      after.filter(({ priority }) => Math.floor(priority) >= band.from && Math.floor(priority) <= band.to).length,
    ).toBe(band.after);
  }
  expect((await preview({})).body.data).toMatchObject({ changed: 0, raised: 0, lowered: 0 });
});

test('of many findings a sample is looked at, and named as such', async () => {
  const settings = changedSettings(DEFAULT_SETTINGS, { toggle: false });
  const request = { clientId: server.users.clientId, settings, reference: await loadReferenceData() };
  const [all, some] = await server.scene.database.forClient(request.clientId, async (db) => [
    await previewSettings(db, request),
    await previewSettings(db, { ...request, limits: { most: 50, sample: 40 } }),
  ]);
  expect(some.is_estimate).toBe(true);
  expect(Math.abs(some.looked_at - 40)).toBeLessThanOrEqual(1);
  expect(some.total).toBe(all.total);
  const counted = some.bands.reduce((sum, { after }) => sum + after, 0);
  expect(Math.abs(counted - all.total)).toBeLessThanOrEqual(some.bands.length);
  expect(some.top_before).toEqual(all.top_before);
});

test('of two changes at once each is a version; one from an old version is a conflict', async () => {
  const { version } = await read();
  const answers = await Promise.all([
    put({ complianceStandars: { dora: 11 } }),
    put({ complianceStandars: { soc2: 12 } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([202, 202]);
  const now = await read();
  expect(now).toMatchObject({ version: version + 2, complianceStandars: { dora: 11, soc2: 12, nist: 0 } });
  const late = await Promise.all([
    put({ complianceStandars: { nist: 1 }, version: now.version }),
    put({ complianceStandars: { nist: 2 }, version: now.version }),
  ]);
  expect(late.map(({ status }) => status).sort()).toEqual([202, 409]);
  // the same again is no change
  expect((await put({ toggle: true, complianceStandars: { dora: 11 } })).status).toBe(200);
  const history = (await call('GET', `${PATH}/history`, 'cyberoper')).body.data;
  expect(history.map(({ _id }: { _id: string }) => _id)).toEqual(['4', '3', '2', '1']);
  expect(history.at(-1).attributes).toMatchObject({ toggle: true, updated_by: { _id: server.users.admin.id } });
});

test('nobody sees or changes the settings of another organisation', async () => {
  const mine = await read();
  const token = { token: others.admin.token };
  expect(await read(token)).toMatchObject({ ...DEFAULT_SETTINGS, version: 0 });
  expect((await call('GET', `${PATH}/history`, token)).body.data).toEqual([]);
  expect((await preview(CHANGE, token)).body.data).toMatchObject({
    total: 0,
    changed: 0,
    top_before: [],
    top_after: [],
  });
  expect((await put({ toggle: true }, token)).status).toBe(200);
  expect(await read()).toEqual(mine);
});

test('GET /client carries the settings, to a developer none', async () => {
  const detail = async (as: As) => decodeJwt((await call('GET', '/client', as)).body.data);
  expect((await detail('cyberoper'))['prioritisation']).toMatchObject({
    toggle: true,
    exploitabilityFactors: { activeExploits: 25, easeExploitation: 10, epss: 80 },
    complianceStandars: { dora: 11 },
  });
  expect((await detail('developer'))['prioritisation']).toBeNull();
});
