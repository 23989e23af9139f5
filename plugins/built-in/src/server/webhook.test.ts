import { createHmac } from 'node:crypto';
import { TICKET_VALUES } from '@breakwater/sdk';
import { checkPlugin, openTestConnection, refusalOf, startTestService, type TestAnswer } from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { filledTicket, issueOfMapping, templatesOf } from './mapping.ts';

const now = new Date('2026-11-21T10:00:00Z');
const mapping = { summary: '{{finding.title}}', description: '{{remediation.description}}', project: 'SEC' };
const check = server.connectors['webhook']!.check!;

async function open(
  path: string,
  answer: () => TestAnswer,
  fields: Record<string, string> = mapping,
  more: object = {},
) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const connector = plugin.connectors.find(({ id }) => id === 'webhook')!;
  const values = { url: `https://tickets.example.com${path}`, mapping: fields, ...more };
  return { service, ctx: openTestConnection(connector, { values, baseUrl: service.url, now }) };
}

it('passes the conformance kit', () => {
  expect(checkPlugin(plugin, { server })).toEqual([]);
});

describe('the ticket webhook', () => {
  it('posts one event that nobody takes for a ticket', async () => {
    const { ctx, service } = await open('/hooks/in', () => ({ status: 202 }));
    expect(await check(ctx)).toEqual({ identity: 'tickets.example.com' });
    expect(service.requests).toHaveLength(1);
    const [request] = service.requests;
    expect(request).toMatchObject({ method: 'POST', path: '/hooks/in' });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'x-breakwater-event': 'webhook.test',
    });
    expect(JSON.parse(request!.body)).toEqual({
      event: 'webhook.test',
      test: true,
      message: expect.stringContaining('no ticket'),
      sent_at: now.toISOString(),
      ticket: { summary: 'Test by Breakwater', description: expect.stringContaining('test'), project: 'SEC' },
    });
  });

  it.each(['/hooks/in', '/hooks/in/', '/hooks/in?sig=a%2Bb&api-version=1', '/in?a=1&a=2', '/', ''])(
    'asks the address as it was entered: %s',
    async (path) => {
      const { ctx, service } = await open(path, () => ({}));
      await check(ctx);
      const entered = new URL(`https://tickets.example.com${path}`);
      expect(service.requests[0]?.path).toBe(entered.pathname);
      expect([...service.requests[0]!.query]).toEqual([...entered.searchParams]);
    },
  );

  it.each([
    [404, 'config'],
    [405, 'config'],
    [401, 'auth'],
    [403, 'scope'],
    [429, 'rate_limited'],
    [500, 'upstream'],
  ])('reports what %i means', async (status, code) => {
    const { ctx } = await open('/in', () => ({ status }));
    expect(await refusalOf(check(ctx))).toMatchObject({ code });
  });

  it('does not show the path, which may be all that keeps it secret', async () => {
    const { ctx } = await open('/services/T000/B000/XXXX', () => ({}));
    expect((await check(ctx)).identity).not.toContain('XXXX');
  });

  it('sends nothing with a mapping that makes no ticket', async () => {
    const { ctx, service } = await open('/in', () => ({}), { summary: ' ' });
    expect(await refusalOf(check(ctx))).toMatchObject({ code: 'config', message: expect.stringContaining('summary') });
    expect(service.requests).toHaveLength(0);
  });
});

describe('tickets of the webhook', () => {
  const { createTicket, draft } = server.connectors['webhook']!.tickets!;
  const ticket = { draft: draft({ mapping }, TICKET_VALUES), idempotencyKey: 'key-1' };

  it('are posted as they were shown, with the key as their id and signed where there is a secret', async () => {
    const signing_secret = 'secret-for-tests-only';
    const { ctx, service } = await open('/in?a=1', () => ({ status: 201, json: { key: 'SEC-1' } }), mapping, {
      signing_secret,
    });
    expect(await createTicket(ctx, ticket)).toEqual({
      isTaken: true,
      ticket: null,
      answer: { status: 201, body: '{"key":"SEC-1"}' },
    });
    const [request] = service.requests;
    expect(JSON.parse(request!.body)).toEqual({
      summary: TICKET_VALUES['finding.title'],
      description: TICKET_VALUES['remediation.description'],
      project: 'SEC',
    });
    const hmac = (content: string) => createHmac('sha256', signing_secret).update(content);
    const seconds = now.getTime() / 1000;
    expect(request?.headers).toMatchObject({
      'webhook-id': 'key-1',
      'webhook-timestamp': `${seconds}`,
      'webhook-signature': `v1,${hmac(`key-1.${seconds}.${request!.body}`).digest('base64')}`,
      'x-breakwater-event': 'remediation.ticket',
      'x-breakwater-signature': `sha256=${hmac(request!.body).digest('hex')}`,
    });
  });

  it('are not signed without a secret', async () => {
    const { ctx, service } = await open('/in', () => ({ status: 200 }));
    await createTicket(ctx, ticket);
    expect(service.requests[0]?.headers).not.toHaveProperty('webhook-signature');
  });

  it.each([301, 401, 404, 429, 500])('tell what was answered with %i', async (status) => {
    const { ctx } = await open('/in', () => ({ status, body: 'No.' }));
    expect(await createTicket(ctx, ticket)).toEqual({ isTaken: false, ticket: null, answer: { status, body: 'No.' } });
  });
});

describe('the mapping', () => {
  it.each([
    [{}, undefined],
    [{ summary: 'title' }, undefined],
    [{ '': 'title' }, 'no name'],
    [{ ['x'.repeat(101)]: 'title' }, 'more than 100'],
    [{ summary: '' }, 'filled with nothing'],
  ])('%j', (fields, issue) => {
    if (issue === undefined) expect(issueOfMapping(fields)).toBeUndefined();
    else expect(issueOfMapping(fields)).toContain(issue);
  });

  it('fills in values and keeps fixed texts, whatever they are called', () => {
    const fields = JSON.parse('{"__proto__":"{{finding.title}}","constructor":"constructor"}');
    const ticket = filledTicket(fields, TICKET_VALUES);
    expect(Object.getOwnPropertyDescriptor(ticket, '__proto__')?.value).toBe('Test by Breakwater');
    expect(ticket['constructor']).toBe('constructor');
  });

  it('takes names of fields that version 0.1 stored along', () => {
    const stored = { url: 'https://a.example', mapping: { summary: 'title', project: 'SEC', note: 'a {{b}} c' } };
    expect(templatesOf(stored)).toEqual({
      url: 'https://a.example',
      mapping: { summary: '{{remediation.title}}', project: 'SEC', note: 'a { {b} } c' },
    });
  });
});
