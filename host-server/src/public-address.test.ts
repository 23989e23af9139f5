import { createServer } from 'node:net';
import { expect, test } from 'vitest';
import { publicAddress, withChosenPort } from './public-address.ts';

const config = { publicUrl: undefined, host: '127.0.0.1', port: 8080 };

test.each([
  [{}, 'http://127.0.0.1:8080'],
  [{ host: '0.0.0.0' }, 'http://localhost:8080'],
  [{ host: '::' }, 'http://localhost:8080'],
  [{ host: '::1', port: 80 }, 'http://[::1]:80'],
  [{ host: '192.0.2.7' }, 'http://192.0.2.7:8080'],
  [{ publicUrl: new URL('https://breakwater.example') }, 'https://breakwater.example'],
])('links lead to where people reach the server: %j', (change, expected) => {
  expect(publicAddress({ ...config, ...change })).toBe(expected);
});

test('any free port is chosen before the server listens, so that links do not lead to port 0', async () => {
  const { port } = await withChosenPort({ ...config, port: 0 });
  expect(port).toBeGreaterThan(0);
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, config.host, resolve);
  });
  await new Promise<void>((resolve) => server.close(() => resolve()));
  expect(await withChosenPort(config)).toBe(config);
});
