import { expect, test } from 'vitest';
import { createLogger } from './logger.ts';

test('whatever is named like a secret is cut out of the log', () => {
  const lines: string[] = [];
  const log = createLogger('info', { write: (line: string) => void lines.push(line) });
  log.info(
    { password: 'canary-1', body: { password: 'canary-2', confirm_password: 'canary-3', email: 'a@example.test' } },
    'x',
  );
  log.info({ req: { headers: { authorization: 'canary-4', cookie: 'canary-5' } } }, 'x');
  log.info({ connector: { client_secret: 'canary-6', api_key: 'canary-7', token: 'canary-8' } }, 'x');
  log.error({ err: Object.assign(new Error('failed'), { connectionString: 'postgresql://u:canary-9@h/d' }) }, 'x');
  const text = lines.join('\n');
  expect(text).not.toContain('canary');
  expect(text).toContain('a@example.test');
});
