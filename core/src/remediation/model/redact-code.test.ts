import fc from 'fast-check';
import { expect, test } from 'vitest';
import { propertyRuns } from '../../testing/property-runs.ts';
import { placeholdersIn, redactCode, redactText, restoreSecrets } from './redact-code.ts';

const redact = (content: string, path = 'a.ts', secretLines: number[] = []) =>
  redactCode(content, { path, secretLines: new Set(secretLines), mark: 'f00' });

const KEY = '-----BEGIN RSA PRIVATE KEY-----\\r\\nMIICXAIBAAKBgQDNwqLEe9wg\\r\\n-----END RSA PRIVATE KEY-----';

test.each([
  ['a.ts', `const privateKey = '${KEY}'`, 'MIICXAIBAAKBgQDNwqLEe9wg'],
  ['a.ts', "const password: string = 'admin123'", 'admin123'],
  ['a.ts', "const key = process.env.JWT_SECRET || 'dev-only'", 'dev-only'],
  ['a.ts', "crypto.createHmac('sha256', 'pa4qacea4VK9t9nGv7yZtwmj')", 'pa4qacea4VK9t9nGv7yZtwmj'],
  ['a.ts', "if (user.password === 'letmein1')", 'letmein1'],
  ['a.py', 'settings.set("db.password", "s3cr3t!")', 's3cr3t!'],
  ['a.go', 'apiToken := "abcdef"', 'abcdef'],
  ['a.ts', 'fetch("https://admin:hunter2@db.example")', 'hunter2'],
  ['a.js', 'const a = "ghp_0123456789abcdefghijABCDEFGHIJ012345"', 'ghp_0123456789abcdefghijABCDEFGHIJ012345'],
  ['.env', 'DB_PASSWORD=hunter2\nPORT=80', 'hunter2'],
  ['deploy/app.yml', 'db:\n  password: hunter2\n  host: db', 'hunter2'],
  ['Dockerfile', 'ENV API_TOKEN=abcdef0123', 'abcdef0123'],
  ['web.config', '<password>hunter2</password>', 'hunter2'],
])('%s: %s holds no secret afterwards, and comes back whole', (path, content, secret) => {
  const redacted = redact(content, path);
  expect(redacted.text).not.toContain(secret);
  expect(redacted.text).toMatch(/SECRET_f00_\d+_/);
  expect(redacted.text.split('\n')).toHaveLength(content.split('\n').length);
  expect(restoreSecrets(redacted.text, redacted)).toBe(content);
});

test.each([
  ['a.ts', 'const token = readToken(request.headers)'],
  ['a.ts', `const sessions = await db.query(\`SELECT * FROM sessions WHERE id = \${id}\`)`],
  ['a.ts', "import { readFile } from 'node:fs/promises'"],
  ['a.ts', "res.sendFile(path.resolve('ftp/', file))"],
  ['.github/workflows/ci.yml', `env:\n  TOKEN: \${{ secrets.TOKEN }}`],
])('%s: %s stays as it is', (path, content) => {
  expect(redact(content, path).text).toBe(content);
});

test('what a scanner named goes whatever it looks like, and the same value elsewhere with it', () => {
  const content = 'const a = "plain words"\nfirst\nPLAIN0001x\nconst b = [ PLAIN0001x ]';
  const redacted = redact(content, 'a.ts', [1, 3]);
  expect(redacted.text).toMatch(/^const a = "SECRET_f00_\d_"\nfirst\n(SECRET_f00_\d_)\nconst b = \[ \1 \]$/);
  expect(restoreSecrets(redacted.text, redacted)).toBe(content);
  expect(redactText('Found PLAIN0001x and AKIAIOSFODNN7EXAMPLE', redacted)).toMatch(/^Found SECRET_f00_\d_ and \*{8}$/);
  expect(placeholdersIn(redacted.text, redacted)).toHaveLength(2);
});

test('a key over several lines keeps them, also with carriage returns', () => {
  const content = `a\r\n-----BEGIN PRIVATE KEY-----\r\nMIIB\r\n-----END PRIVATE KEY-----\r\nb`;
  const redacted = redact(content, 'key.pem');
  expect(redacted.text).toMatch(/^a\r\nSECRET_f00_1_\r\nSECRET_f00_2_\r\nSECRET_f00_3_\r\nb$/);
  expect(restoreSecrets(redacted.text, redacted)).toBe(content);
});

test('whatever a file holds, its lines are as many as before and it comes back whole', () => {
  const part = fc.constantFrom(
    ...[
      'password',
      ' = ',
      ': ',
      '"',
      "'",
      '`',
      'hunter22',
      '\n',
      '\r\n',
      '-----BEGIN PRIVATE KEY-----',
      '\\',
      ' ',
      '$&',
    ],
    ...[
      '-----END PRIVATE KEY-----',
      'token',
      '{',
      '}',
      '(',
      ',',
      'AKIAIOSFODNN7EXAMPLE',
      '<secret>',
      '</secret>',
      '://u:p4ss@h',
    ],
  );
  const file = fc.array(part, { maxLength: 40 }).map((parts) => parts.join(''));
  const path = fc.constantFrom('a.ts', 'a.yml', 'a.xml', '.env');
  fc.assert(
    fc.property(file, path, fc.array(fc.integer({ min: 1, max: 5 })), (content, name, lines) => {
      const redacted = redact(content, name, lines);
      expect(redacted.text.split('\n')).toHaveLength(content.split('\n').length);
      expect(restoreSecrets(redacted.text, redacted)).toBe(content);
    }),
    { numRuns: propertyRuns(300) },
  );
});
