import { describe, expect, it } from 'vitest';
import { ConnectorError, defineConnector, monogram } from '../../../index.ts';
import { fillForm, findLeaks, textOf } from './canary.ts';

const connector = defineConnector({
  id: 'demo',
  title: 'Demo',
  category: 'sast',
  image: monogram('De'),
  description: 'Finds insecure code.',
  credentials: {
    type: 'object',
    properties: {
      token: { type: 'string', writeOnly: true },
      pin: { type: 'string', writeOnly: true, maxLength: 8 },
      region: { type: 'string', default: 'eu' },
      host: { type: 'string' },
    },
  },
});

describe('fillForm', () => {
  it('gives each secret a canary of its own, another one each time, no longer than the field allows', () => {
    const first = fillForm(connector, { credentials: { token: '{{canary}}', host: 'a.example' } });
    const second = fillForm(connector, {});
    expect(first.config).toEqual({ region: 'eu', host: 'a.example' });
    expect(second.config).toEqual({ region: 'eu' });
    expect(first.secrets['token']).not.toBe(second.secrets['token']);
    expect(first.secrets['pin']).toHaveLength(8);
  });

  it('takes a secret that must have a shape as it is written', () => {
    expect(fillForm(connector, { credentials: { token: 'AKIA1234' } }).secrets['token']).toBe('AKIA1234');
  });
});

describe('findLeaks', () => {
  const secret = 's3cr3t/with "quotes" and\nlines';
  it.each([
    ['as it is', secret],
    ['as JSON', JSON.stringify(secret)],
    ['URL-encoded', encodeURIComponent(secret)],
    ['in base64', Buffer.from(secret).toString('base64')],
    ['in base64url', Buffer.from(secret).toString('base64url')],
    ['in hex', Buffer.from(secret).toString('hex')],
  ])('finds a secret %s', (form, text) => {
    expect(findLeaks({ token: secret }, `before ${text} after`)).toEqual([
      { field: 'token', form: expect.any(String) },
    ]);
    expect(form).toBeTruthy();
  });

  it('finds one line of a key, but not the public words around it', () => {
    const line = 'MIIEvQIBADANBgkqhkiG9w0BAQEFAASC';
    const key = JSON.stringify({
      client_email: 'robot@project.example',
      private_key: `-----BEGIN PRIVATE KEY-----\n${line}\n-----END PRIVATE KEY-----\n`,
    });
    expect(findLeaks({ key }, `it said ${line}`)).toEqual([{ field: 'key', form: 'as it is' }]);
    expect(findLeaks({ key }, 'Hello robot@project.example')).toEqual([]);
  });
});

describe('textOf', () => {
  it('reads causes, hidden fields, bytes and circles', () => {
    const inner: { self?: unknown; bytes: Uint8Array } = { bytes: new TextEncoder().encode('in bytes') };
    inner.self = inner;
    const error = new ConnectorError('upstream', 'outside', { cause: new Error('inside', { cause: inner }) });
    const text = textOf([error, new Map()]);
    for (const part of ['outside', 'inside', 'in bytes']) expect(text).toContain(part);
  });
});
