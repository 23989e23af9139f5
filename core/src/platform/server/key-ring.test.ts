import { createHmac, randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { createDocumentSigner, createKeyRing } from './key-ring.ts';

const older = randomBytes(32);
const newer = randomBytes(32);
const before = createDocumentSigner(createKeyRing([older]));
const after = createDocumentSigner(createKeyRing([newer, older]));
const cleaned = createDocumentSigner(createKeyRing([newer]));

const partsOf = (jws: string) =>
  jws
    .split('.')
    .slice(0, 2)
    .map((part) => JSON.parse(Buffer.from(part, 'base64url').toString()));

test('the payload can be read by anyone and is verified by its signer', async () => {
  const jws = await before.sign({ name: 'Härbor', list: [1] });
  expect(partsOf(jws)).toEqual([
    { alg: 'HS256', typ: 'JWT', kid: expect.stringMatching(/^[0-9a-f]{12}$/) },
    { name: 'Härbor', list: [1], iat: expect.any(Number) },
  ]);
  expect(await before.verify(jws)).toMatchObject({ name: 'Härbor' });
});

test('after a rotation older documents still verify, new ones are signed with the new key', async () => {
  const old = await before.sign({ of: 'before' });
  expect(await after.verify(old)).toMatchObject({ of: 'before' });
  const young = await after.sign({ of: 'after' });
  expect(await before.verify(young)).toBeUndefined();
  expect(await cleaned.verify(young)).toMatchObject({ of: 'after' });
  expect(await cleaned.verify(old)).toBeUndefined();
});

test('what was changed, or signed otherwise, is refused', async () => {
  const [header = '', payload = '', signature = ''] = (await before.sign({ role: 'developer' })).split('.');
  const forged = Buffer.from(JSON.stringify({ role: 'admin' })).toString('base64url');
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', kid: partsOf(`${header}.${payload}.x`)[0].kid })).toString(
    'base64url',
  );
  // the key of the vault itself must not sign
  const withRingKey = createHmac('sha256', older).update(`${header}.${payload}`).digest('base64url');
  for (const jws of [
    `${header}.${forged}.${signature}`,
    `${unsigned}.${payload}.`,
    `${unsigned}.${forged}.${signature}`,
    `${header}.${payload}.${withRingKey}`,
    `${header}.${payload}`,
    'nonsense',
    '',
  ]) {
    expect(await before.verify(jws), jws).toBeUndefined();
  }
});
