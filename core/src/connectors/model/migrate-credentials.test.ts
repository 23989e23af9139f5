import type { CredentialMigration } from '@breakwater/sdk';
import { expect, test } from 'vitest';
import { isOlder, migrateCredentials } from './credential-values.ts';

const steps: CredentialMigration[] = [
  { from: '2.1.0', config: (old) => ({ ...old, region: 'eu' }) },
  { from: '1.0.0', rename: { host: 'url', key: 'token' } },
  {
    from: '1.5.0',
    rename: { token: 'access_token' },
    config: ({ url, ...rest }) => ({ ...rest, base_url: url ?? null }),
  },
];

test('steps run in the order of their versions, from the one that stored the fields', async () => {
  const first = await migrateCredentials({ version: '1.0.0', config: { host: 'h' }, secrets: ['key', 'other'] }, steps);
  expect(first.config).toEqual({ base_url: 'h', region: 'eu' });
  expect([...first.secrets]).toEqual([
    ['key', 'access_token'],
    ['other', 'other'],
  ]);
  const later = await migrateCredentials(
    { version: '2.0.0', config: { base_url: 'h' }, secrets: ['access_token'] },
    steps,
  );
  expect(later.config).toEqual({ base_url: 'h', region: 'eu' });
  const latest = await migrateCredentials({ version: '2.2.0', config: { base_url: 'h' }, secrets: [] }, steps);
  expect(latest.config).toEqual({ base_url: 'h' });
});

test('two names may change places', async () => {
  const swap = [{ from: '1.0.0', rename: { a: 'b', b: 'a' } }];
  const moved = await migrateCredentials({ version: '1.0.0', config: { a: 1, b: 2 }, secrets: ['a', 'b'] }, swap);
  expect(moved.config).toEqual({ b: 1, a: 2 });
  expect([...moved.secrets]).toEqual([
    ['a', 'b'],
    ['b', 'a'],
  ]);
});

test.each<[string | null, string, boolean]>([
  ['1.9.0', '1.10.0', true],
  ['1.10.0', '1.9.0', false],
  ['1.0.0', '1.0.0', false],
  [null, '1.0.0', false],
  ['nonsense', '1.0.0', false],
])('%s before %s: %s', (stored, loaded, expected) => {
  expect(isOlder(stored, loaded)).toBe(expected);
});
