import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { isProven } from './deliveries.ts';

const raw = Buffer.from('{"a": 1}');
const signature = createHmac('sha256', 'secret').update(raw).digest('hex');
const hmac = { type: 'hmac-sha256', header: 'X-Signature', secret: 'field' } as const;
const token = { type: 'token', header: 'X-Token', secret: 'field' } as const;

test.each<[string, Record<string, string | string[]>, boolean]>([
  ['the signature', { 'x-signature': signature }, true],
  ['with its prefix', { 'x-signature': `sha256=${signature}` }, true],
  ['in capitals', { 'x-signature': signature.toUpperCase() }, true],
  ['cut short', { 'x-signature': signature.slice(0, 32) }, false],
  ['twice', { 'x-signature': [signature, signature] }, false],
  ['none', {}, false],
])('hmac, %s: %s', (_, headers, expected) => {
  expect(isProven(hmac, 'secret', { headers, raw })).toBe(expected);
  expect(isProven(hmac, 'other', { headers, raw })).toBe(false);
  expect(isProven(hmac, 'secret', { headers, raw: Buffer.from('{"a": 2}') })).toBe(false);
});

test('a token must be the whole secret, and an empty secret proves nothing', () => {
  const given = (value: string) => ({ headers: { 'x-token': value }, raw });
  expect(isProven(token, 'secret', given('secret'))).toBe(true);
  expect(isProven(token, 'secret', given('secre'))).toBe(false);
  expect(isProven(token, '', given(''))).toBe(false);
  const empty = createHmac('sha256', '').update(raw).digest('hex');
  expect(isProven(hmac, '', { headers: { 'x-signature': empty }, raw })).toBe(false);
});
