import { expect, test } from 'vitest';
import { createSecretMask } from './mask-secrets.ts';

test('a secret is masked in every form in which it may come back, words that look alike are not', () => {
  const mask = createSecretMask();
  const secret = 'p@ss "word"/+1';
  mask.add(secret);
  mask.add('p@ss');
  mask.add('ab');
  const forms = [
    secret,
    encodeURIComponent(secret),
    JSON.stringify(secret),
    Buffer.from(secret).toString('base64'),
    Buffer.from(secret).toString('base64url'),
    'p@ss',
  ];
  for (const form of forms) expect(mask.apply(`<${form}>`).replaceAll('"', '')).toBe('<[secret]>');
  expect(mask.apply('about nothing')).toBe('about nothing');
});
