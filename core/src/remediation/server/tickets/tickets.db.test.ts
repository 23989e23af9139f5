import { createHmac } from 'node:crypto';
import { SERVICE } from '@breakwater/host-server/container.ts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ConnectorScene, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';
import type { ServiceAnswer, ServiceRequest } from '../../../testing/connectors/fake-service.ts';
import { insertRandomFindings } from '../../../testing/random-findings.ts';
import { RETRY_SECONDS, sendDueTickets } from './send-ticket.ts';

const SECRET = 'signing-secret-of-the-test';

let scene: ConnectorScene;
let findings: string[];
/** Tickets that the receiver saw, without tests of the connection. */
let taken: ServiceRequest[] = [];
/** To the test of the connection. */
let checked: ServiceAnswer = { status: 200 };
let answer: (request: ServiceRequest) => ServiceAnswer = () => ({ status: 201, body: { key: 'SEC-1' } });

beforeAll(async () => {
  scene = await startConnectorScene();
  scene.service.behave((request) => {
    if (request.headers['x-breakwater-event'] !== 'remediation.ticket') return checked;
    taken.push(request);
    return answer(request);
  });
  const { clientId, cyberoper } = scene.server.users;
  const made = await insertRandomFindings(scene.server.scene.owner, {
    clientId,
    users: [cyberoper.id],
    count: 60,
    start: 3,
  });
  findings = made.findings.filter(({ status }) => status === 'enriched').map(({ id }) => id);
});
afterAll(() => scene.close());

const call = (method: string, path: string, body?: unknown) =>
  scene.server.call(method, path, { as: 'cyberoper', ...(body === undefined ? {} : { body }) });
const send = (id: string) => call('POST', '/webhook/send_ticket', { remediation_id: id });
const save = (values: object) => scene.server.call('PUT', '/client', { as: 'admin', body: { issue_webhook: values } });

/** A remediation of type issue, which needs no files. */
const prepare = async (): Promise<string> => {
  const made = await call('POST', `/issues/${findings.pop()}`);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body.data._id;
};
const mapping = { summary: '{{finding.title}} in {{repository.name}}', project: 'SEC', id: '{{remediation.id}}' };
const connect = async (more: object = {}) => {
  const saved = await save({ url: `${scene.service.url}/hooks/in?key=1`, mapping, ...more });
  expect(saved.status, JSON.stringify(saved.body)).toBe(200);
};
/** Lets the time of the next attempt come. */
const runDue = async (): Promise<number> => {
  await scene.rows(`update ticket_deliveries set next_at = now() - interval '1 second' where status = 'pending'`);
  return sendDueTickets(scene.server.container.get(SERVICE.remediation), scene.server.scene.database);
};

test('without a webhook nothing is sent, and it says so', async () => {
  const refused = await send(await prepare());
  expect([refused.status, refused.body.code]).toEqual([409, 'integration_not_configured']);
});

test('a mapping with an unknown name is 422 beside its field', async () => {
  const refused = await save({ url: `${scene.service.url}/hooks/in`, mapping: { summary: '{{finding.password}}' } });
  expect([refused.status, refused.body.detail[0].loc]).toEqual([422, ['body', 'issue_webhook', 'mapping', 'summary']]);
});

test('the ticket holds what the mapping says, is signed, and is sent once', async () => {
  await connect({ signing_secret: SECRET });
  const id = await prepare();
  const preview = await call('POST', '/webhook/preview_ticket', { remediation_id: id });
  expect(preview.body.data.ticket).toMatchObject({ project: 'SEC', id });
  expect(taken).toHaveLength(0);
  const sent = await send(id);
  expect(sent.body, JSON.stringify(sent.body)).toMatchObject({
    success: true,
    data: { status: 'delivered', status_code: 201, body: '{"key":"SEC-1"}', title: 'Successfully send webhook' },
  });
  const [request] = taken;
  expect(request?.path).toBe('/hooks/in?key=1');
  expect(JSON.parse(request?.body ?? '')).toEqual(preview.body.data.ticket);
  const { 'webhook-id': delivery, 'webhook-timestamp': at, ...headers } = request?.headers ?? {};
  const hmac = (content: string) => createHmac('sha256', SECRET).update(content);
  expect(headers['webhook-signature']).toBe(`v1,${hmac(`${delivery}.${at}.${request?.body}`).digest('base64')}`);
  expect(headers['x-breakwater-signature']).toBe(`sha256=${hmac(request?.body ?? '').digest('hex')}`);
  expect((await send(id)).body).toEqual(sent.body);
  expect(taken).toHaveLength(1);
  expect(JSON.stringify(await call('GET', '/client'))).not.toContain(SECRET);
});

test('down, then up: the same delivery arrives exactly once', async () => {
  taken = [];
  answer = () => ({ hangUp: true });
  const id = await prepare();
  const failed = await send(id);
  expect(failed.body).toMatchObject({
    success: false,
    data: {
      status: 'pending',
      status_code: null,
      title: 'Send webhook failed',
      description: 'No response was received from webhook',
    },
  });
  answer = () => ({ status: 503, body: { detail: 'We are moving house.' } });
  expect(await runDue()).toBe(1);
  answer = () => ({ status: 200, body: 'ok' });
  expect(await runDue()).toBe(1);
  expect(await runDue()).toBe(0);
  const ids = new Set(taken.map(({ headers }) => headers['webhook-id']));
  expect(ids).toEqual(new Set([failed.body.data.delivery_id]));
  expect(new Set(taken.map(({ body }) => body)).size).toBe(1);
  expect((await send(id)).body.data.status).toBe('delivered');
});

test('what the webhook says of a refusal is told; after the last attempt it is dead, until somebody sends it again', async () => {
  answer = () => ({ status: 400, body: { detail: 'No such project.' } });
  const id = await prepare();
  const failed = await send(id);
  expect(failed.body.data).toMatchObject({ status: 'pending', status_code: 400, description: 'No such project.' });
  for (const _ of RETRY_SECONDS) expect(await runDue()).toBe(1);
  expect(await runDue()).toBe(0);
  const [row] = await scene.rows<{ status: string; attempts: number }>(
    'select status, attempts from ticket_deliveries where id = $1',
    [failed.body.data.delivery_id],
  );
  expect(row).toEqual({ status: 'dead', attempts: RETRY_SECONDS.length + 1 });
  const [remediation] = await scene.rows<{ finding_id: string }>('select finding_id from remediations where id = $1', [
    id,
  ]);
  expect(await scene.rows(`select link from notifications where notification_type = 'ticket_failed'`)).toEqual([
    { link: `/findings/all/finding-details/${remediation?.finding_id}` },
  ]);
  answer = () => ({ status: 200 });
  const again = await send(id);
  expect(again.body.data).toMatchObject({ status: 'delivered', delivery_id: failed.body.data.delivery_id });
});

test('two processes at once send what is due once', async () => {
  answer = () => ({ status: 500 });
  await send(await prepare());
  taken = [];
  answer = () => ({ status: 200, waitMs: 50 });
  await scene.rows(`update ticket_deliveries set next_at = now() - interval '1 second' where status = 'pending'`);
  const deps = scene.server.container.get(SERVICE.remediation);
  const counts = await Promise.all([1, 2, 3].map(() => sendDueTickets(deps, scene.server.scene.database)));
  expect(counts.reduce((sum, count) => sum + count)).toBe(1);
  expect(taken).toHaveLength(1);
});

test('saved while its receiver is down: it is kept and says so, and what was sent meanwhile arrives once it is up', async () => {
  taken = [];
  checked = { hangUp: true };
  answer = () => ({ hangUp: true });
  await connect();
  expect(await scene.attributes('webhook')).toMatchObject({
    ...{ state: 'retrying', is_configured: true },
    state_detail: { code: 'unreachable', message: expect.stringContaining('reach') },
  });
  const failed = await send(await prepare());
  expect(failed.body.data).toMatchObject({ status: 'pending', description: 'No response was received from webhook' });
  checked = { status: 200 };
  answer = () => ({ status: 200 });
  expect(await runDue()).toBe(1);
  expect(await runDue()).toBe(0);
  expect(taken.map(({ headers }) => headers['webhook-id'])).toEqual(Array(2).fill(failed.body.data.delivery_id));
  // what answers again is checked at once, not when its next attempt would be due
  expect((await scene.attributes('webhook')).state).toBe('checking');
});
