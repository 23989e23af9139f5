import { checkPlugin, openTestConnection, refusalOf, startTestService, type TestAnswer } from '@breakwater/sdk/testing';
import { describe, expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { issueOfMapping, sampleTicket, templatesOf } from './mapping.ts';

const now = new Date('2026-11-21T10:00:00Z');
const mapping = { summary: '{{finding.title}}', description: '{{remediation.description}}', project: 'SEC' };
const check = server.connectors['webhook']!.check!;

async function open(path: string, answer: () => TestAnswer, fields: Record<string, string> = mapping) {
  const service = await startTestService(answer);
  onTestFinished(() => service.close());
  const connector = plugin.connectors.find(({ id }) => id === 'webhook')!;
  const values = { url: `https://tickets.example.com${path}`, mapping: fields };
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
    const ticket = sampleTicket(fields);
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
