import { SERVICE } from '@breakwater/host-server/container.ts';
import { startTestService, type TestAnswer, type TestService } from '@breakwater/sdk/testing';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createFakeSlack,
  SLACK_ANSWERS,
  SLACK_WEBHOOK,
} from '../../../../../plugins/notify/src/server/testing/fake-slack.ts';
import { createUsers, type TestUsers } from '../../../../../tools/testing/users.ts';
import { say } from '../../../platform/model/sentence.ts';
import { type ConnectorScene, startConnectorScene } from '../../../testing/connectors/connector-scene.ts';
import { type Notice, notify } from '../index.ts';
import { type ChannelDeps, sendChannelMessages } from './send-messages.ts';

const TEAMS_WEBHOOK = 'https://prod-1.westeurope.logic.azure.com/workflows/a/triggers/manual/paths/invoke?sig=abcdefgh';
const PATH = '/client/notification-channels';

let scene: ConnectorScene;
let service: TestService;
let teams: TestService;
let others: TestUsers;
let teamsAnswer: TestAnswer = { status: 202 };
const slack = createFakeSlack();

beforeAll(async () => {
  service = await startTestService(slack.answer);
  teams = await startTestService(() => teamsAnswer);
  scene = await startConnectorScene({
    environment: {
      BREAKWATER_PUBLIC_URL: 'https://breakwater.example',
      SLACK_BASE_URL: service.url.href,
      MICROSOFT_TEAMS_BASE_URL: teams.url.href,
    },
  });
  others = await createUsers(scene.server.scene.database, 'Other Organisation');
});
afterAll(async () => {
  await scene.close();
  await service.close();
  await teams.close();
});
beforeEach(async () => {
  slack.messages.length = 0;
  slack.next.length = 0;
  slack.trouble = undefined;
  await scene.rows('truncate notifications, notification_channels, channel_messages, mails');
  const saved = await scene.save('slack', { webhook_url: SLACK_WEBHOOK, channel: '#security' });
  expect(saved.body.data.attributes.state, JSON.stringify(saved.body)).toBe('connected');
});

const deps = (): ChannelDeps => scene.server.container.get(SERVICE.notificationChannels);
const call = (method: string, path: string, body?: unknown, as: 'admin' | 'cyberoper' | 'developer' = 'admin') =>
  scene.server.call(method, `${PATH}${path}`, { as, ...(body === undefined ? {} : { body }) });
const choose = (body: object, connector = 'slack') => call('PUT', `/${connector}`, body);
const listed = async (connector = 'slack') =>
  (await call('GET', '')).body.data.find((one: { connector_id: string }) => one.connector_id === connector);
const tell = (change: Partial<Notice> = {}) => {
  const { clientId, admin, cyberoper } = scene.server.users;
  return scene.server.scene.database.forClient(clientId, (db) =>
    notify(db, {
      ...{ clientId, type: 'critical_found', title: '1 new critical finding: trivy on shop', severity: 'critical' },
      ...{ link: '/findings/all?repository=1', to: { userIds: [admin.id, cyberoper.id] } },
      ...change,
    }),
  );
};
const send = (): Promise<number> => sendChannelMessages(deps());
const makeDue = () => scene.rows(`update channel_messages set due_at = now() - interval '1 second'`);
const rows = () =>
  scene.rows<Record<string, unknown>>(
    'select connector_id, title, status, attempts, last_error from channel_messages order by id',
  );
const titles = (): unknown[] => slack.messages.map(({ blocks }) => blocks[0]?.text?.text);

describe('what a channel is told', () => {
  test('one message of what was chosen, however many people are told, with a link to this installation', async () => {
    await choose({ notification_types: ['critical_found', 'kev_match'] });
    await tell();
    await tell({ type: 'scan_finished', title: 'Imported' });
    expect(await send()).toBe(1);
    expect(await send()).toBe(0);
    expect(titles()).toEqual(['1 new critical finding: trivy on shop']);
    expect(JSON.stringify(slack.messages)).toContain('https://breakwater.example/findings/all?repository=1');
    expect(await rows()).toMatchObject([{ status: 'sent', attempts: 1, last_error: null }]);
  });

  test('also where nobody else is told, and once where it is told to several in turn', async () => {
    await choose({ notification_types: ['scan_finished'] });
    const { clientId, admin } = scene.server.users;
    await scene.server.scene.database.forClient(clientId, async (db) => {
      const notice = { clientId, type: 'scan_finished', title: 'Imported: trivy' } as const;
      expect(await notify(db, { ...notice, to: { userIds: [] } })).toBe(0);
      await notify(db, { ...notice, to: { userIds: [admin.id] } });
    });
    await tell({ type: 'scan_finished', title: 'Imported: trivy' });
    expect(await send()).toBe(2);
  });

  test('what a transaction takes back is never sent', async () => {
    await choose({ notification_types: ['critical_found'] });
    const { clientId } = scene.server.users;
    const failing = scene.server.scene.database.forClient(clientId, async (db) => {
      await notify(db, { clientId, type: 'critical_found', title: 'No', to: { userIds: [] } });
      throw new Error('taken back');
    });
    await expect(failing).rejects.toThrow('taken back');
    expect(await send()).toBe(0);
  });

  test('of notices with a severity those from the chosen one on; others always', async () => {
    await choose({ notification_types: ['sla_due', 'kev_match'], min_severity: 'high' });
    await tell({ type: 'sla_due', title: 'Critical', severity: 'critical' });
    await tell({ type: 'sla_due', title: 'High', severity: 'high' });
    await tell({ type: 'sla_due', title: 'Medium', severity: 'medium' });
    const { clientId } = scene.server.users;
    await scene.server.scene.database.forClient(clientId, (db) =>
      notify(db, { clientId, type: 'kev_match', title: 'Of none', to: { userIds: [] } }),
    );
    await send();
    expect(titles()).toEqual(['Critical', 'High', 'Of none']);
  });

  test('a channel says whom a finding was assigned to, and a notice of one person alone is not told', async () => {
    await choose({ notification_types: ['finding_assigned', 'sla_due'] });
    const { admin } = scene.server.users;
    const channelTitle = ([name = '']: readonly string[]) => say('Assigned to {name}', { name });
    await tell({ type: 'finding_assigned', title: 'Assigned to you', to: { userIds: [admin.id] }, channelTitle });
    await tell({ type: 'sla_due', title: 'Of yours', channelTitle: null });
    await send();
    expect(titles()).toEqual([
      `Assigned to ${(await scene.rows<{ username: string }>('select username from users where id = $1', [admin.id]))[0]?.username}`,
    ]);
  });

  test('texts of strangers are shown as they are, without marks', async () => {
    await choose({ notification_types: ['critical_found'] });
    await tell({ title: '<!channel> <https://evil.example|here>\n*x*\0', message: '@everyone\u202E\0' });
    await send();
    const [message] = slack.messages;
    expect(message?.text).toBe('&lt;!channel&gt; &lt;https:\u200B//evil.example|here&gt; *x*');
    expect(message?.blocks[0]?.text).toMatchObject({
      type: 'plain_text',
      text: '<!channel> <https://evil.example|here> *x*',
    });
    expect(message?.blocks[1]?.text).toMatchObject({ type: 'plain_text', text: '@everyone\\u202E' });
  });

  test('without a public address there is no link', async () => {
    await choose({ notification_types: ['critical_found'] });
    await tell();
    await sendChannelMessages({ ...deps(), publicOrigin: undefined });
    expect(JSON.stringify(slack.messages)).not.toContain('http');
  });
});

describe('a service that does not take it', () => {
  beforeEach(() => choose({ notification_types: ['critical_found'] }));
  const states = async () => (await rows()).map(({ status }) => status);

  test.each([
    ['invalid_payload', SLACK_ANSWERS.invalidPayload],
    ['forbidden', SLACK_ANSWERS.forbidden],
    ['an archived channel', SLACK_ANSWERS.archived],
  ])('%s: the message is dead at once, the next one is sent', async (_name, answer) => {
    slack.next.push(answer);
    await tell();
    await tell({ title: 'Second' });
    expect(await send()).toBe(1);
    expect(await states()).toEqual(['failed', 'sent']);
    expect((await listed()).failed).toMatchObject({ count: 1, reason: expect.stringMatching(/Slack/) });
    expect((await listed()).problem).toBeNull();
  });

  test('an error is tried again with growing waits, and the message is dead in the end; an admin sends it again', async () => {
    slack.trouble = SLACK_ANSWERS.broken;
    await tell();
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      expect(await send()).toBe(0);
      expect(await rows()).toMatchObject([{ status: 'queued', attempts: attempt }]);
      // not due yet
      expect(await send()).toBe(0);
      expect(await rows()).toMatchObject([{ attempts: attempt }]);
      await makeDue();
    }
    await send();
    expect(await rows()).toMatchObject([{ status: 'failed', attempts: 6 }]);
    slack.trouble = undefined;
    expect((await call('POST', '/slack/resend', undefined, 'cyberoper')).status).toBe(403);
    expect((await call('POST', '/slack/resend')).body.data).toEqual({ queued: 1 });
    expect(await send()).toBe(1);
    expect(titles()).toHaveLength(1);
    expect((await listed()).failed).toEqual({ count: 0, reason: null });
  });

  test('asked too often: it waits as long as Slack says, which is no failed attempt', async () => {
    slack.next.push(SLACK_ANSWERS.tooMany);
    await tell();
    await send();
    const [row] = await scene.rows<{ attempts: number; wait: number; status: string }>(
      'select attempts, status, extract(epoch from due_at - now())::integer as wait from channel_messages',
    );
    expect(row).toMatchObject({ attempts: 0, status: 'queued' });
    expect(row?.wait).toBeGreaterThan(30);
    // the connection pauses; once it is checked, the message goes
    expect((await listed()).problem).toMatch(/too often/);
    await makeDue();
    expect(await send()).toBe(0);
    await scene.save('slack', { channel: '#alerts' });
    await makeDue();
    expect(await send()).toBe(1);
  });

  test('a webhook that is gone: messages wait until the connection is mended, and no longer than a day', async () => {
    slack.trouble = SLACK_ANSWERS.noService;
    await tell();
    await tell({ title: 'Too late' });
    await send();
    expect(await rows()).toMatchObject([{ status: 'queued', attempts: 0 }, { status: 'queued' }]);
    expect((await scene.attributes('slack')).state).toBe('needsAuth');
    slack.trouble = undefined;
    await scene.save('slack', { webhook_url: SLACK_WEBHOOK });
    await makeDue();
    await scene.rows(`update channel_messages set expires_at = now() - interval '1 second' where title = 'Too late'`);
    expect(await send()).toBe(1);
    expect(await states()).toEqual(['sent', 'expired']);
  });

  test('a slow service holds up nobody else', async () => {
    teamsAnswer = { status: 202 };
    await scene.save('microsoft-teams', { webhook_url: TEAMS_WEBHOOK });
    await choose({ notification_types: ['critical_found'] }, 'microsoft-teams');
    const before = teams.requests.length;
    slack.trouble = { ends: 'held' };
    await tell();
    await tell({ title: 'Second' });
    const sending = send();
    await expect.poll(() => teams.requests.length, { timeout: 10_000 }).toBe(before + 2);
    await sending;
    expect((await rows()).filter(({ status }) => status === 'sent')).toHaveLength(2);
    // one attempt, then the channel is left alone until the next run
    expect((await rows()).filter(({ attempts }) => attempts === 0)).toHaveLength(1);
    slack.trouble = undefined;
    await scene.rows('delete from channel_messages');
    await scene.call('DELETE', 'microsoft-teams', '');
  });

  test('a switch that is off keeps messages; without a connection they go', async () => {
    await scene.call('PUT', 'slack', '/enabled', { body: { enabled: false } });
    await tell();
    await send();
    expect(await rows()).toMatchObject([{ status: 'queued', attempts: 0 }]);
    await scene.call('PUT', 'slack', '/enabled', { body: { enabled: true } });
    await scene.call('DELETE', 'slack', '');
    await makeDue();
    expect(await send()).toBe(0);
    expect(await rows()).toEqual([]);
    expect(await listed()).toMatchObject({ is_configured: false });
  });
});

describe('processes', () => {
  beforeEach(() => choose({ notification_types: ['critical_found'] }));

  test('of several at once each message is sent by one', async () => {
    for (let index = 0; index < 4; index += 1) await tell({ title: `Message ${index}` });
    const counts = await Promise.all([send(), send(), send()]);
    expect(counts.reduce((sum, count) => sum + count)).toBe(4);
    expect(titles().sort()).toEqual(['Message 0', 'Message 1', 'Message 2', 'Message 3']);
  });

  test('one that dies after the answer sends it once more; a second time it is given up', async () => {
    await tell();
    const { channels } = deps();
    const dying: ChannelDeps = {
      ...deps(),
      channels: {
        ...channels,
        send: async (...request) => {
          await channels.send(...request);
          throw new Error('killed');
        },
      },
    };
    await expect(sendChannelMessages(dying)).rejects.toThrow('killed');
    // its claim keeps others away
    expect(await send()).toBe(0);
    await makeDue();
    await expect(sendChannelMessages(dying)).rejects.toThrow('killed');
    await makeDue();
    expect(await send()).toBe(0);
    expect(slack.messages).toHaveLength(2);
    expect(await rows()).toMatchObject([{ status: 'failed', last_error: expect.stringContaining('twice') }]);
  });
});

describe('the test message', () => {
  test('arrives at once, and says why where it does not', async () => {
    expect((await call('POST', '/slack/test')).body).toEqual({ success: true });
    expect(titles()).toEqual(['This is a test by Breakwater']);
    slack.next.push(SLACK_ANSWERS.archived);
    const refused = await call('POST', '/slack/test');
    expect(refused.body).toMatchObject({ code: 'upstream_failed', detail: expect.stringContaining('archived') });
    const nothing = await call('POST', '/microsoft-teams/test');
    expect(nothing.body.code).toBe('integration_not_configured');
  });
});

describe('who may', () => {
  test('admins choose, security operators look, developers see nothing', async () => {
    expect((await call('GET', '', undefined, 'cyberoper')).status).toBe(200);
    expect((await call('GET', '', undefined, 'developer')).status).toBe(403);
    for (const as of ['cyberoper', 'developer'] as const) {
      expect((await call('PUT', '/slack', { notification_types: ['kev_match'] }, as)).status).toBe(403);
      expect((await call('POST', '/slack/test', undefined, as)).status).toBe(403);
      expect((await call('POST', '/slack/resend', undefined, as)).status).toBe(403);
    }
    expect((await listed()).notification_types).toEqual([]);
    expect(slack.messages).toEqual([]);
  });

  test('another organisation neither sees the choice nor gets or sends a message', async () => {
    await choose({ notification_types: ['critical_found'] });
    const as = { token: others.admin.token };
    const seen = await scene.server.call('GET', PATH, { as });
    expect(seen.body.data.find((one: { connector_id: string }) => one.connector_id === 'slack')).toMatchObject({
      is_configured: false,
      name: null,
      notification_types: [],
    });
    expect((await scene.server.call('POST', `${PATH}/slack/test`, { as })).body.code).toBe(
      'integration_not_configured',
    );
    await scene.server.scene.database.forClient(others.clientId, (db) =>
      notify(db, { clientId: others.clientId, type: 'critical_found', title: 'Theirs', to: { userIds: [] } }),
    );
    // chosen without a connection: dropped
    await scene.server.call('PUT', `${PATH}/slack`, { as, body: { notification_types: ['critical_found'] } });
    await scene.server.scene.database.forClient(others.clientId, (db) =>
      notify(db, { clientId: others.clientId, type: 'critical_found', title: 'Theirs', to: { userIds: [] } }),
    );
    expect(await send()).toBe(0);
    expect(await rows()).toEqual([]);
    expect((await scene.server.call('POST', `${PATH}/slack/resend`, { as })).body.data).toEqual({ queued: 0 });
  });

  test('what is no channel is refused, and what is no choice', async () => {
    for (const id of ['gitea', 'nothing', 'webhook']) {
      expect((await call('PUT', `/${id}`, { notification_types: [] })).status, id).toBe(404);
    }
    const wrong = [
      { notification_types: ['nothing'] },
      { min_severity: 'huge' },
      { other: 1 },
      { notification_types: 'kev_match' },
    ];
    for (const body of wrong) expect((await choose(body)).status, JSON.stringify(body)).toBe(422);
    expect((await choose({ notification_types: ['kev_match', 'kev_match'] })).status).toBe(200);
    expect((await choose({ min_severity: 'high' })).status).toBe(200);
    expect((await choose({})).status).toBe(200);
    expect(await listed()).toMatchObject({
      notification_types: ['kev_match'],
      min_severity: 'high',
      name: '#security',
    });
  });

  test('the secret address is shown to nobody', async () => {
    await choose({ notification_types: ['critical_found'] });
    slack.trouble = { status: 500, body: SLACK_WEBHOOK };
    await tell();
    await send();
    const seen = JSON.stringify([await listed(), await rows(), (await scene.call('GET', 'slack', '/history')).body]);
    expect(seen).not.toContain('XXXXXXXX');
    expect(seen).not.toContain('T00000000');
  });
});
