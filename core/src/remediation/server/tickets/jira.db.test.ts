import { SERVICE } from '@breakwater/host-server/container.ts';
import { startTestService, type TestService } from '@breakwater/sdk/testing';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createFakeJira, deliveryOf } from '../../../../../plugins/tickets/src/server/testing/fake-jira.ts';
import { DONE, TRANSITIONS } from '../../../../../plugins/tickets/src/server/testing/state.ts';
import { type ConnectorScene, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';
import { insertRandomFindings } from '../../../testing/random-findings.ts';
import { followDueTickets } from './follow-tickets.ts';
import { sendDueTickets, sendTicket } from './send-ticket.ts';

const TOKEN = 'jira-token-for-tests-only';
const SECRET = 'webhook-secret-for-tests-only';

let scene: ConnectorScene;
let service: TestService;
let findings: string[];
const jira = createFakeJira({ edition: 'data-center', token: TOKEN });

beforeAll(async () => {
  service = await startTestService(jira.answer);
  scene = await startConnectorScene({ environment: { BREAKWATER_PUBLIC_URL: 'https://breakwater.example' } });
  const { clientId, cyberoper } = scene.server.users;
  const made = await insertRandomFindings(scene.server.scene.owner, {
    clientId,
    users: [cyberoper.id],
    count: 60,
    start: 3,
  });
  findings = made.findings.filter(({ status }) => status === 'enriched').map(({ id }) => id);
});
afterAll(async () => {
  await scene.close();
  await service.close();
});

const call = (method: string, path: string, body?: unknown) =>
  scene.server.call(method, path, { as: 'cyberoper', ...(body === undefined ? {} : { body }) });
const send = (id: string, more: object = {}) => call('POST', '/webhook/send_ticket', { remediation_id: id, ...more });
const deps = () => scene.server.container.get(SERVICE.remediation);
const read = async (id: string) => (await call('GET', `/remediation/${id}`)).body.data.attributes;
const findingOf = async (id: string) =>
  (await call('GET', `/findings/${(await read(id)).finding_id}`)).body.data.attributes;

/** A remediation of type issue, which needs no files. */
const prepare = async (): Promise<string> => {
  const made = await call('POST', `/issues/${findings.pop()}`);
  expect(made.status, JSON.stringify(made.body)).toBe(200);
  return made.body.data._id;
};
/** Its issue in Jira. */
const sent = async (id: string) => {
  const answer = await send(id);
  expect(answer.body, JSON.stringify(answer.body)).toMatchObject({ success: true });
  return jira.issues.find(({ key }) => key === answer.body.data.ticket.key)!;
};
/** Lets the time of the next question come. */
const follow = async (): Promise<number> => {
  await scene.rows(`update ticket_deliveries set follow_at = now() - interval '1 second' where follow_at is not null`);
  return followDueTickets(deps(), scene.server.scene.database);
};

test('what cannot be connected says why in the words of Jira; what can is a target', async () => {
  expect((await call('GET', '/tickets/targets')).body.data).toEqual([]);
  const values = { base_url: service.url.href, access_token: TOKEN, project: 'SEC', issue_type: 'Epic' };
  const wrong = (await scene.save('jira_data_center', values)).body.data.attributes;
  expect(wrong.state_detail).toMatchObject({ code: 'config', help: 'Its issue types are: Task, Bug.' });
  const saved = await scene.save('jira_data_center', { issue_type: 'Bug', webhook_secret: SECRET });
  expect(saved.body.data.attributes.state, JSON.stringify(saved.body)).toBe('connected');
  expect((await call('GET', '/tickets/targets')).body.data).toEqual([
    { connector_id: 'jira_data_center', title: 'Jira Data Center', problem: null },
  ]);
});

test('the form is offered projects and types with fields that are not stored, and only to who may write them', async () => {
  const offers = (field: string, values: object, as: 'admin' | 'cyberoper' = 'admin') =>
    scene.call('POST', 'jira_cloud', '/offers', { as, body: { field, values } });
  const typed = { base_url: service.url.href, email: 'ada@example.com', api_token: 'wrong' };
  expect((await offers('project', typed, 'cyberoper')).status).toBe(403);
  expect((await offers('project', {})).body).toMatchObject({
    code: 'integration_not_configured',
    detail: expect.stringContaining('Enter: Site, E-mail, API token.'),
  });
  expect((await offers('email', typed)).body.code).toBe('validation_failed');
  expect((await offers('project', { ...typed, base_url: 'nowhere' })).body.code).toBe('validation_failed');
  expect((await offers('project', typed)).body).toMatchObject({ code: 'upstream_failed' });
  expect((await scene.attributes('jira_cloud')).fields.email).toMatchObject({ set: false });
  const ofStored = (field: string, values: object) =>
    scene.call('POST', 'jira_data_center', '/offers', { body: { field, values } });
  const projects = await ofStored('project', { project: '?', issue_type: '' });
  expect(projects.body.data).toEqual({
    values: [
      { value: 'OPS', label: 'Operations (OPS)' },
      { value: 'SEC', label: 'Security (SEC)' },
    ],
    is_complete: true,
  });
  const types = await ofStored('issue_type', { project: 'OPS' });
  expect(types.body.data.values.map(({ value }: { value: string }) => value)).toEqual(['Task', 'Bug']);
  expect((await ofStored('issue_type', { project: 'NONE' })).body.detail).toContain('There is no project NONE');
  // the stored token never goes to a host that it was not stored for
  const elsewhere = await ofStored('project', { base_url: 'http://127.0.0.1:9' });
  expect(elsewhere.body.detail).toContain('Enter: Personal access token.');
});

test('six at once make one issue, linked to its finding; the fix is issued', async () => {
  const id = await prepare();
  const preview = await call('POST', '/webhook/preview_ticket', { remediation_id: id });
  expect(preview.body.data.ticket).toMatchObject({ project: 'SEC', type: 'Bug' });
  const answers = await Promise.all(Array.from({ length: 6 }, () => send(id)));
  expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true);
  expect(answers.filter(({ body }) => body.success).length).toBeGreaterThan(0);
  expect(jira.issues).toHaveLength(1);
  const { finding_id, ...attributes } = await read(id);
  const url = `https://breakwater.example/findings/all/finding-details/${finding_id}`;
  expect([...jira.issues[0]!.links.values()]).toMatchObject([{ url }]);
  expect(attributes).toMatchObject({
    processing_status: 'issued',
    reference_url: 'https://jira.example.com/browse/SEC-1',
    tickets: [{ connector_id: 'jira_data_center', ticket: { key: 'SEC-1', status: 'To Do', is_done: false } }],
  });
  expect((await findingOf(id)).status).toBe('issued');
});

test('a process that dies between creation and saving leaves one issue', async () => {
  const id = await prepare();
  const { connections } = deps();
  const dying = {
    ...deps(),
    connections: {
      ...connections,
      use: async (...request: Parameters<typeof connections.use>) => {
        await connections.use(...request);
        throw new Error('killed');
      },
    },
  };
  const before = jira.issues.length;
  const { clientId, cyberoper } = scene.server.users;
  const viewer = { clientId, userId: cyberoper.id, seesAll: true };
  await expect(sendTicket(dying as typeof dying & ReturnType<typeof deps>, { viewer, id })).rejects.toThrow('killed');
  expect(jira.issues).toHaveLength(before + 1);
  // its claim keeps others away until it ends
  expect((await send(id)).status).toBe(409);
  expect(await sendDueTickets(deps(), scene.server.scene.database)).toBe(0);
  await scene.rows(`update ticket_deliveries set claimed_until = now() - interval '1 second', next_at = now() - interval '1 second'
    where claimed_until is not null`);
  expect(await sendDueTickets(deps(), scene.server.scene.database)).toBe(1);
  expect(jira.issues).toHaveLength(before + 1);
  expect((await read(id)).tickets[0].ticket.key).toBe(jira.issues.at(-1)?.key);
});

test('an issue that is done in Jira waits for the next scan: by a signed delivery, and never as a verdict', async () => {
  const id = await prepare();
  const issue = await sent(id);
  const { verdict } = await findingOf(id);
  const { webhook_path: path } = await scene.attributes('jira_data_center');
  issue.status = DONE;
  const { headers, body } = deliveryOf(issue, SECRET);
  const deliver = (signed: Record<string, string>) =>
    fetch(new URL(path, scene.server.baseUrl), { method: 'POST', headers: signed, body });
  expect((await deliver(deliveryOf(issue, 'another secret').headers)).status).toBe(403);
  expect((await read(id)).processing_status).toBe('issued');
  expect((await deliver(headers)).status).toBe(200);
  expect(await read(id)).toMatchObject({
    processing_status: 'applied',
    tickets: [{ ticket: { status: 'Done', is_done: true } }],
  });
  expect(await findingOf(id)).toMatchObject({ status: 'pr_accepted', verdict });
});

test('without deliveries Jira is asked; an issue that was deleted can be sent anew', async () => {
  const id = await prepare();
  const issue = await sent(id);
  issue.status = TRANSITIONS[0]!.to;
  expect(await follow()).toBeGreaterThan(0);
  expect((await read(id)).tickets[0].ticket.status).toBe('In Review');
  jira.issues.splice(jira.issues.indexOf(issue), 1);
  await follow();
  expect(await read(id)).toMatchObject({
    processing_status: 'ready',
    reference_url: null,
    tickets: [{ is_gone: true }],
  });
  expect((await sent(id)).id).not.toBe(issue.id);
});

test('the issue of a mitigated finding is closed with a comment; what stands in the way is told', async () => {
  const id = await prepare();
  const issue = await sent(id);
  const { finding_id } = await read(id);
  await scene.rows(`update findings set status = 'mitigated' where id = $1`, [finding_id]);
  jira.transitions = [
    { id: '5', name: 'Close', to: DONE, fields: { customfield_1: { name: 'Team', required: true } } },
  ];
  await follow();
  expect((await read(id)).tickets[0].problem).toContain('The transition "Close" asks for "Team".');
  const told = `select link from notifications where notification_type = 'ticket_failed' and title like $1`;
  const link = `/findings/all/finding-details/${finding_id}`;
  expect(await scene.rows(told, [`${issue.key} could not be closed%`])).toEqual([{ link }]);
  jira.transitions = TRANSITIONS;
  await follow();
  expect(issue.status).toEqual(DONE);
  expect(issue.comments).toHaveLength(1);
  expect((await read(id)).tickets[0]).toMatchObject({ problem: null, ticket: { is_done: true } });
  const rows = await scene.rows<{ follow_at: Date | null }>(
    'select follow_at from ticket_deliveries where remediation_id = $1',
    [id],
  );
  expect(rows).toEqual([{ follow_at: null }]);
});

test('beside a webhook it is named; each takes the ticket once', async () => {
  const url = 'https://tickets.example/in';
  const saved = await scene.server.call('PUT', '/client', {
    as: 'admin',
    body: { issue_webhook: { url, mapping: { summary: '{{finding.title}}' } } },
  });
  expect(saved.status).toBe(200);
  const id = await prepare();
  const unnamed = await call('POST', '/webhook/preview_ticket', { remediation_id: id });
  expect(Object.keys(unnamed.body.data.ticket)).toEqual(['summary']);
  const named = await send(id, { connector_id: 'jira_data_center' });
  expect(named.body).toMatchObject({ success: true, data: { connector_id: 'jira_data_center', status_code: null } });
  expect((await send(id, { connector_id: 'jira_data_center' })).body).toEqual(named.body);
  expect((await send(id, { connector_id: 'jira_cloud' })).body.code).toBe('integration_not_configured');
});
