import { type ChannelMessage, ConnectorError, type Json } from '@breakwater/sdk';
import {
  ANSWER_FAULTS,
  openTestConnection,
  refusalOf,
  startTestService,
  type TestAnswer,
} from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { slackMessage } from './slack-message.ts';
import { teamsMessage } from './teams-card.ts';
import { SLACK_ANSWERS, SLACK_WEBHOOK } from './testing/fake-slack.ts';

const TEAMS_WEBHOOK =
  'https://prod-12.westeurope.logic.azure.com:443/workflows/abc/triggers/manual/paths/invoke?api-version=2016-06-01&sp=%2Ftriggers%2Fmanual%2Frun&sv=1.0&sig=Xy%2Fz_-1';
const URLS: Record<string, string> = { slack: SLACK_WEBHOOK, 'microsoft-teams': TEAMS_WEBHOOK };

const message: ChannelMessage = {
  idempotencyKey: 'key',
  title: '2 new critical findings: trivy on shop',
  text: 'Look at them.',
  kind: 'Critical finding',
  severity: 'critical',
  link: { label: 'Open in Breakwater', url: 'https://breakwater.example/findings/all?repository=1&x=2' },
};

async function open(id: string, answer: () => TestAnswer, webhook_url = URLS[id]) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const connector = plugin.connectors.find((one) => one.id === id)!;
  return { service, ctx: openTestConnection(connector, { values: { webhook_url }, baseUrl: service.url }) };
}
const codeOf = (id: string) => server.connectors[id]!;

describe('Slack', () => {
  it('is checked by a message without a text, which appears nowhere', async () => {
    const { ctx, service } = await open('slack', () => ({ status: 400, body: 'no_text' }));
    expect(await codeOf('slack').check!(ctx)).toEqual({ identity: 'A Slack channel' });
    expect(service.requests.map(({ method, path, body }) => ({ method, path, body }))).toEqual([
      { method: 'POST', path: new URL(SLACK_WEBHOOK).pathname, body: '{"text":""}' },
    ]);
  });

  it('gets one message in blocks', async () => {
    const { ctx, service } = await open('slack', () => ({ body: 'ok' }));
    await codeOf('slack').notify!.send(ctx, message);
    expect(service.requests).toHaveLength(1);
    expect(JSON.parse(service.requests[0]!.body)).toMatchObject({
      text: message.title,
      mrkdwn: false,
      blocks: [
        { type: 'header', text: { type: 'plain_text', text: message.title } },
        { type: 'section', text: { type: 'plain_text', text: 'Look at them.' } },
        {
          type: 'section',
          text: { text: '<https://breakwater.example/findings/all?repository=1&amp;x=2|Open in Breakwater>' },
        },
        { type: 'context', elements: [{ text: 'Critical finding · Critical' }] },
      ],
    });
  });

  it.each([
    [SLACK_ANSWERS.invalidPayload, 'config'],
    [SLACK_ANSWERS.forbidden, 'scope'],
    [SLACK_ANSWERS.noService, 'auth'],
    [SLACK_ANSWERS.archived, 'scope'],
    [{ status: 403, body: 'invalid_token' }, 'auth'],
    [{ status: 400, body: 'something new' }, 'upstream'],
    [{ status: 200, body: '<html>Sign in</html>' }, 'upstream'],
    [SLACK_ANSWERS.broken, 'upstream'],
  ])('says what %j means', async (answer, code) => {
    const { ctx, service } = await open('slack', () => answer);
    const error = await refusalOf(codeOf('slack').notify!.send(ctx, message));
    expect(error).toMatchObject({ code });
    expect(error.message).not.toContain('XXXXXXXX');
    // it is not repeated within a step: Slack knows no message again
    expect(service.requests).toHaveLength(1);
  });

  it('says how long to wait', async () => {
    const { ctx } = await open('slack', () => SLACK_ANSWERS.tooMany);
    expect(await refusalOf(codeOf('slack').notify!.send(ctx, message))).toMatchObject({
      code: 'rate_limited',
      retryAfterMs: 37_000,
    });
  });
});

describe('Teams', () => {
  it('is checked by a message without cards, which the workflow goes through and posts nothing', async () => {
    const { ctx, service } = await open('microsoft-teams', () => ({ status: 202 }));
    expect(await codeOf('microsoft-teams').check!(ctx)).toEqual({ identity: 'A Teams channel' });
    const [request] = service.requests;
    expect(JSON.parse(request!.body)).toEqual({ type: 'message', attachments: [] });
    expect(request!.path).toBe('/workflows/abc/triggers/manual/paths/invoke');
    expect(request!.query.get('sig')).toBe('Xy/z_-1');
  });

  it('gets one card', async () => {
    const { ctx, service } = await open('microsoft-teams', () => ({ status: 202 }));
    await codeOf('microsoft-teams').notify!.send(ctx, message);
    const { attachments } = JSON.parse(service.requests[0]!.body);
    expect(attachments).toMatchObject([
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        content: {
          type: 'AdaptiveCard',
          actions: [{ type: 'Action.OpenUrl', title: 'Open in Breakwater', url: message.link?.url }],
        },
      },
    ]);
  });

  const refused = (status: number, code: string): TestAnswer => ({ status, json: { error: { code, message: code } } });
  it.each([
    [refused(400, 'WorkflowTriggerIsNotEnabled'), 'scope'],
    [refused(400, 'TriggerInputSchemaMismatch'), 'config'],
    [refused(401, 'DirectApiAuthorizationRequired'), 'auth'],
    [refused(404, 'WorkflowNotFound'), 'auth'],
    [{ status: 410, body: 'gone' }, 'auth'],
    [refused(502, 'NoResponse'), 'upstream'],
  ])('says what %j means', async (answer, code) => {
    const { ctx } = await open('microsoft-teams', () => answer);
    const error = await refusalOf(codeOf('microsoft-teams').notify!.send(ctx, message));
    expect(error).toMatchObject({ code });
    expect(error.message).not.toContain('Xy');
  });
});

describe.each(['slack', 'microsoft-teams'])('%s', (id) => {
  // what a page of a proxy or another document says is not read where a status alone is the answer (Teams)
  const faults = ANSWER_FAULTS.filter(
    ({ isOfLists, isHeld, code, name }) =>
      !isOfLists &&
      !isHeld &&
      (id === 'slack' || code !== 'upstream' || name.includes('error') || name.includes('restarted')),
  );
  it.each(faults.map((fault) => [fault.name, fault] as const))('survives a service that %s', async (_name, fault) => {
    const { ctx } = await open(id, () => ({}));
    const service = await startTestService(() => fault.answer(() => ({ body: 'ok' })));
    onTestFinished(() => service.close());
    const connector = plugin.connectors.find((one) => one.id === id)!;
    const wrong = openTestConnection(connector, { values: { webhook_url: URLS[id] }, baseUrl: service.url });
    expect(ctx.config).toEqual(wrong.config);
    expect((await refusalOf(codeOf(id).notify!.send(wrong, message))).code).toBe(fault.code);
  });

  it.each(['', 'http://hooks.slack.com/services/T/B/X', 'https://user@hooks.slack.com/x', 'no address'])(
    'calls nothing at the address %j',
    async (url) => {
      const { ctx, service } = await open(id, () => ({ body: 'ok' }), url);
      const error = await refusalOf(codeOf(id).notify!.send(ctx, message));
      expect(error).toBeInstanceOf(ConnectorError);
      expect(error.code).toBe('config');
      expect(service.requests).toHaveLength(0);
    },
  );
});

/** Every text of a message with the type that it stands under. */
const textsOf = (value: Json, type = ''): { type: string; text: string }[] => {
  if (typeof value === 'string') return [{ type, text: value }];
  if (typeof value !== 'object' || value === null) return [];
  if ('map' in value && Array.isArray(value)) return value.flatMap((one) => textsOf(one, type));
  const own = 'type' in value ? String(value['type']) : type;
  return Object.entries(value).flatMap(([name, one]) => (name === 'type' ? [] : textsOf(one, own)));
};

const HOSTILE = [
  '<!channel> look',
  '<!here|here>',
  '<!everyone>',
  '<@U012AB3CD>',
  '<!subteam^S012>',
  '@channel',
  '@everyone',
  '<https://evil.example|Reset your password>',
  '[Reset your password](https://evil.example)',
  'https://evil.example',
  '*bold* _italic_ ~gone~ `code` ```block```',
  '# Heading\n- list\n> quote',
  '<at>Everybody</at>',
  '{{DATE(2020-01-01T00:00:00Z,SHORT)}}',
  '&lt;!channel&gt;',
  ':rotating_light:',
  '"},{"type":"section"',
  '</script><script>alert(1)</script>',
  'a'.repeat(5000),
  '\u{1F600}'.repeat(300),
];

describe('hostile texts', () => {
  it.each(HOSTILE)('are text in Slack: %#', (hostile) => {
    const sent = slackMessage({ ...message, title: hostile, text: hostile, link: message.link });
    const { blocks, ...outer } = JSON.parse(JSON.stringify(sent));
    const own = [
      'Critical finding · Critical',
      '<https://breakwater.example/findings/all?repository=1&amp;x=2|Open in Breakwater>',
    ];
    for (const { type, text } of textsOf(blocks)) {
      if (!own.includes(text)) expect(type, text).toBe('plain_text');
      expect(text.length).toBeLessThanOrEqual(3000 * 2);
    }
    expect([...blocks[0].text.text].length).toBeLessThanOrEqual(150);
    // the fallback is the only text of a stranger that Slack reads for marks
    expect(outer.text).not.toMatch(/[<>]/);
    expect(outer.text.replaceAll(/&(amp|lt|gt);/g, '')).not.toContain('&');
    expect(outer).toMatchObject({ mrkdwn: false, unfurl_links: false, unfurl_media: false });
  });

  it.each(HOSTILE)('are runs of text in Teams: %#', (hostile) => {
    const sent = teamsMessage({ ...message, title: hostile, text: hostile });
    const card = JSON.parse(JSON.stringify(sent)).attachments[0].content;
    expect(card.msteams).toEqual({ width: 'Full' });
    for (const { type, text } of textsOf(card.body)) {
      if (/evil|channel|DATE|bold|Heading|script|<at>/.test(text)) expect(type).toBe('TextRun');
      expect(text).not.toContain('{{');
    }
    expect(card.actions).toEqual([{ type: 'Action.OpenUrl', title: 'Open in Breakwater', url: message.link?.url }]);
    expect(JSON.stringify(sent).length).toBeLessThan(28_000);
  });

  it('have no link where there is no public address', () => {
    expect(JSON.stringify(slackMessage({ ...message, link: null }))).not.toContain('http');
    expect(JSON.stringify(teamsMessage({ ...message, link: null }))).not.toContain('OpenUrl');
  });

  it('cannot end the link of ours', () => {
    const url = 'https://breakwater.example/findings?q=a|b>c<d';
    const sent = JSON.stringify(slackMessage({ ...message, link: { label: 'Open|it>', url } }));
    expect(sent).toContain('<https://breakwater.example/findings?q=a%7Cb%3Ec%3Cd|Open it&gt;>');
  });
});
