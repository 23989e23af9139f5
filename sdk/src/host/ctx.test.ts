import { expect, test } from 'vitest';
import { createCtx } from './ctx.ts';
import { createEgressGate } from './egress/egress-gate.ts';
import { connectionWith, connectorWith, type TestConnectionOptions, TOKEN } from './testing/host-connection.ts';

const signal = new AbortController().signal;
const gate = createEgressGate({ allowPrivateHosts: false });
const ctxOf = (options: TestConnectionOptions) => createCtx(gate, connectionWith(options), { signal });

test('config holds the public fields of the form with their defaults, frozen, by value', () => {
  const connector = connectorWith({
    credentials: {
      type: 'object',
      properties: {
        host: { type: 'string' },
        port: { type: 'integer', default: 443 },
        teams: { type: 'array', items: { type: 'string' } },
        none: { type: 'string' },
        api_token: { type: 'string', writeOnly: true },
      },
    },
  });
  const config = { host: 'a.test', teams: ['x'], api_token: TOKEN, unknown: 1 };
  const ctx = ctxOf({ connector, config });
  expect(ctx.config).toEqual({ host: 'a.test', port: 443, teams: ['x'] });
  config.teams.push('y');
  expect(ctx.config['teams']).toEqual(['x']);
  expect(() => Object.assign(ctx.config, { host: 'b' })).toThrow(TypeError);
  expect(() => (ctx.config['teams'] as string[]).push('z')).toThrow(TypeError);
  expect(() => Object.assign(ctx, { http: null })).toThrow(TypeError);
  expect(JSON.stringify(ctx)).not.toContain(TOKEN);
});

test('reveal reads only what the manifest names, and is written down before', async () => {
  const audited: string[] = [];
  const connector = connectorWith({ permissions: { egress: [], reveal: ['api_token'] } });
  const audit = (field: string): void => {
    audited.push(field);
  };
  await expect(ctxOf({ connector, audit }).reveal('api_token')).resolves.toBe(TOKEN);
  expect(audited).toEqual(['api_token']);
  await expect(ctxOf({ audit }).reveal('api_token')).rejects.toBeInstanceOf(TypeError);
  await expect(ctxOf({ connector, secrets: {} }).reveal('api_token')).rejects.toMatchObject({
    code: 'config',
    message: 'The field "API token" is empty.',
  });
  expect(audited).toHaveLength(1);
  const closed = ctxOf({ connector, audit: () => Promise.reject(new Error('audit closed')) });
  await expect(closed.reveal('api_token')).rejects.toThrow('audit closed');
});

test('now is the host’s clock', () => {
  const now = new Date('2026-11-21T10:00:00Z');
  const ctx = createCtx(gate, connectionWith(), { signal, now: () => now });
  expect(ctx.now()).toBe(now);
});
