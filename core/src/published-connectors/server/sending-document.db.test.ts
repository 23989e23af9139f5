import { SERVICE } from '@breakwater/host-server/container.ts';
import { startTestService, type TestService } from '@breakwater/sdk/testing';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createFakeDesk, deskDocument } from '../../../../sdk/src/declarative/__fixtures__/fake-desk.ts';
import { sendChannelMessages } from '../../notifications/server/channels/send-messages.ts';
import { notify } from '../../notifications/server/index.ts';
import { followDueTickets } from '../../remediation/server/tickets/follow-tickets.ts';
import { type ConnectorScene, startConnectorScene } from '../../testing/connectors/connector-scene.ts';
import { insertRandomFindings } from '../../testing/random-findings.ts';

/** A document that makes tickets and sends messages: tested with its service, published, added and used. */

const TOKEN = 'desk-token-for-tests-only';
const desk = createFakeDesk(TOKEN);
let scene: ConnectorScene;
let service: TestService;
let document: Awaited<ReturnType<typeof deskDocument>>;
let findings: string[];
/** Its id in the organisation. */
let connector: string;

beforeAll(async () => {
  document = await deskDocument();
  service = await startTestService(desk.answer);
  const environment = {
    BREAKWATER_PUBLIC_URL: 'https://breakwater.example',
    CONNECTOR_DRAFT_BASE_URL: `${service.url.href}v2`,
  };
  scene = await startConnectorScene({ environment });
  const { clientId, cyberoper } = scene.server.users;
  const order = { clientId, users: [cyberoper.id], count: 60, start: 3 };
  const made = await insertRandomFindings(scene.server.scene.owner, order);
  findings = made.findings.filter(({ status }) => status === 'enriched').map(({ id }) => id);
});
afterAll(async () => {
  await scene.close();
  await service.close();
});

const call = (method: string, path: string, body?: unknown, as: 'admin' | 'cyberoper' = 'admin') =>
  scene.server.call(method, path, { as, ...(body === undefined ? {} : { body }) });
const values = { token: TOKEN, queue: 'security' };
const tryIt = (more: object = {}) => call('POST', '/user_connectors/test', { document, values, ...more });

test('a test sends nothing until it may, and what is recorded then is published', async () => {
  const without = await tryIt();
  expect([without.status, without.body.detail]).toEqual([200, undefined]);
  expect(without.body.data).toMatchObject({ identity: 'ada@pier.example', is_unsent: true, fixtures: null });
  expect([desk.tickets.length, desk.messages.length]).toEqual([1, 0]);
  const { body } = await tryIt({ sends: true });
  expect(body.data.operations.map((one: { name: string; is_ok: boolean }) => [one.name, one.is_ok])).toEqual([
    ['check', true],
    ['tickets.createTicket', true],
    ['notify.send', true],
    ['tickets.ticket', true],
  ]);
  expect([desk.tickets.length, desk.messages.length]).toEqual([2, 1]);
  expect(JSON.stringify(body)).not.toContain(TOKEN);
  const { rows } = await scene.server.scene.owner.query(
    "select details->'sends' as sends from audit_entries where kind = 'connector.tested' order by id",
  );
  expect(rows).toEqual([{ sends: false }, { sends: true }]);
  const published = await call('POST', '/user_connectors/publish', { document, fixtures: body.data.fixtures });
  expect([published.status, published.body.detail]).toEqual([200, undefined]);
});

describe('refused', () => {
  test('tickets of which nothing was recorded', async () => {
    const { data } = (await tryIt({ sends: true })).body;
    const id = document.id;
    const { tickets: _, ...calls } = data.fixtures.connectors[id].calls;
    const { 'tickets.createTicket': _made, 'tickets.ticket': _read, ...expected } = data.fixtures.connectors[id].expect;
    const exchanges = data.fixtures.connectors[id].exchanges.filter(
      ({ request }: { request: { path: string } }) => !request.path.startsWith('/tickets'),
    );
    const { situations: _s, ...rest } = data.fixtures.connectors[id];
    const fixtures = { connectors: { [id]: { ...rest, calls, expect: expected, exchanges } } };
    const actions = { ...document.actions, ticket: { ...document.actions.ticket, read: undefined, close: undefined } };
    const files = { document: { ...document, version: '2.0.0', actions }, fixtures };
    const { status, body } = await call('POST', '/user_connectors/publish', JSON.parse(JSON.stringify(files)));
    expect(status).toBe(422);
    expect(JSON.stringify(body.detail)).toContain('It makes tickets, and none was recorded');
  });

  test('a test of an address that is itself the secret', async () => {
    const { baseUrl: _, ...others } = document;
    const { body } = await call('POST', '/user_connectors/test', {
      document: { ...others, auth: { type: 'address', value: '{{token}}' } },
      values: { ...values, token: 'https://api.pier.example/hook/1234' },
    });
    expect(body.detail).toMatchObject([
      { loc: ['body', 'document', 'auth'], msg: expect.stringContaining('cannot be recorded') },
    ]);
  });
});

test('who adds it sees what it sends, and connects it', async () => {
  const [offer] = (await call('GET', '/user_connectors/list')).body.data;
  expect(offer.attributes).toMatchObject({ title: 'Pier Desk', sends: ['notify', 'ticket'], added: null });
  const added = await call('POST', `/user_connectors/add/${offer._id}`, { hosts: document.permissions.egress });
  connector = added.body.data.connector;
  const after = (await call('GET', `/user_connectors/${offer._id}`)).body.data.attributes;
  expect(after.added).toMatchObject({ connector, sends: ['notify', 'ticket'] });
  const environment = connector.toUpperCase().replaceAll('-', '_');
  scene.deps.providerBaseUrls = new Map([[environment, new URL(`${service.url.href}v2`)]]);
  const saved = await scene.save(connector, values);
  expect(saved.body.data.attributes, JSON.stringify(saved.body)).toMatchObject({ state: 'connected' });
});

test('a ticket says what people saw before, escaped, is made once, followed, and closed with its finding', async () => {
  desk.tickets.length = 1;
  expect((await call('GET', '/tickets/targets')).body.data).toEqual([
    { connector_id: connector, title: 'Pier Desk', problem: null },
  ]);
  const made = await call('POST', `/issues/${findings.pop()}`, undefined, 'cyberoper');
  const remediation = made.body.data._id;
  const asked = { remediation_id: remediation };
  const preview = await call('POST', '/webhook/preview_ticket', asked, 'cyberoper');
  const finding: string = (await call('GET', `/remediation/${remediation}`)).body.data.attributes.finding_id;
  const url = `https://breakwater.example/findings/all/finding-details/${finding}`;
  expect(preview.body.data.ticket).toMatchObject({ url, title: expect.any(String) });
  desk.faults.losesAnswer = true;
  const lost = await call('POST', '/webhook/send_ticket', asked, 'cyberoper');
  expect(lost.body.data?.ticket ?? null).toBeNull();
  desk.faults.losesAnswer = false;
  const sent = await call('POST', '/webhook/send_ticket', asked, 'cyberoper');
  expect(sent.body, JSON.stringify(sent.body)).toMatchObject({
    success: true,
    data: { ticket: { key: 'PD-2', url: 'https://pier.example/t/2', status: 'open' } },
  });
  expect(desk.tickets).toHaveLength(2);
  expect(desk.tickets[1]?.body).toContain(`[Open in Breakwater](${url})`);
  // a scan no longer finds it
  await scene.rows(`update findings set status = 'mitigated' where id = $1`, [finding]);
  await scene.rows(`update ticket_deliveries set follow_at = now() - interval '1 second'`);
  expect(await followDueTickets(scene.server.container.get(SERVICE.remediation), scene.server.scene.database)).toBe(1);
  expect(desk.tickets[1]).toMatchObject({ state: 'solved', note: expect.stringContaining('a scan no longer finds') });
  expect((await call('GET', `/remediation/${remediation}`)).body.data.attributes.tickets).toMatchObject([
    { connector_id: connector, ticket: { key: 'PD-2', status: 'solved', is_done: true } },
  ]);
});

test('its channel is told what was chosen, with nothing of it understood as a mention or link', async () => {
  desk.messages.length = 0;
  const chosen = await call('PUT', `/client/notification-channels/${connector}`, {
    notification_types: ['critical_found'],
  });
  expect([chosen.status, chosen.body.detail]).toEqual([200, undefined]);
  const { clientId } = scene.server.users;
  await scene.server.scene.database.forClient(clientId, (db) =>
    notify(db, {
      ...{ clientId, type: 'critical_found', severity: 'critical', title: '@everyone [x](https://evil.example)' },
      ...{ link: '/findings', to: { userIds: [] } },
    }),
  );
  expect(await sendChannelMessages(scene.server.container.get(SERVICE.notificationChannels))).toBe(1);
  expect(desk.messages).toMatchObject([
    {
      text: '@\u200Beveryone \\[x\\](https\\://evil.example)',
      link: expect.stringMatching(/^\[.+\]\(https:\/\/breakwater\.example\/findings\)$/),
    },
  ]);
});
