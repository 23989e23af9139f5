import { createHash } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { AppError } from '@breakwater/core/platform/model/app-error.ts';
import { createEgressGate } from '@breakwater/sdk/host';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { fetchPackage, isIntact } from './npm-package.ts';

const gate = createEgressGate({ allowPrivateHosts: false });
const BYTES = Buffer.from('an archive');
const integrityOf = (bytes: Uint8Array, hash = 'sha512') =>
  `${hash}-${createHash(hash).update(bytes).digest('base64')}`;

let registry: Server;
let address: URL;
let asked: string[];
let about: (base: string) => unknown;

beforeAll(async () => {
  registry = createServer((request, response) => {
    asked.push(request.url ?? '');
    if (request.url?.endsWith('.tgz')) return void response.end(BYTES);
    const body = about(address.href);
    response.writeHead(body === undefined ? 404 : 200, { 'content-type': 'application/json' });
    response.end(JSON.stringify(body ?? {}));
  });
  await new Promise<void>((resolve) => registry.listen(0, '127.0.0.1', resolve));
  address = new URL(`http://127.0.0.1:${(registry.address() as AddressInfo).port}/npm/`);
});
beforeEach(() => {
  asked = [];
  about = (base) => ({ version: '1.2.0', dist: { tarball: `${base}scan-1.2.0.tgz`, integrity: integrityOf(BYTES) } });
});
afterAll(async () => {
  registry.closeAllConnections();
  registry.close();
  await gate.close();
});

const fetched = (version?: string) =>
  fetchPackage({ gate, address }, { package: '@acme/scan', version }, new AbortController().signal);

test('a package is fetched from the registry that the operator names, under the version that it has', async () => {
  expect(await fetched()).toEqual({ archive: new Uint8Array(BYTES), source: 'npm:@acme/scan@1.2.0' });
  expect(asked).toEqual(['/npm/@acme%2fscan/latest', '/npm/scan-1.2.0.tgz']);
  await fetched('1.2.0');
  expect(asked[2]).toBe('/npm/@acme%2fscan/1.2.0');
});

test.each<[string, () => void, RegExp]>([
  [
    'is not there',
    () => {
      about = () => undefined;
    },
    /none of that name and version/,
  ],
  [
    'is something else',
    () => {
      about = () => ['hello'];
    },
    /something else than a package/,
  ],
  [
    'has no hash',
    () => {
      about = (base) => ({ version: '1.2.0', dist: { tarball: `${base}a.tgz` } });
    },
    /something else than a package/,
  ],
  [
    'has a weak hash alone',
    () => {
      about = (base) => ({
        version: '1.2.0',
        dist: { tarball: `${base}a.tgz`, integrity: integrityOf(BYTES, 'sha1') },
      });
    },
    /not what the registry states/,
  ],
  [
    'was changed',
    () => {
      about = (base) => ({
        version: '1.2.0',
        dist: { tarball: `${base}a.tgz`, integrity: integrityOf(Buffer.from('other')) },
      });
    },
    /not what the registry states/,
  ],
  [
    'lies at another host',
    () => {
      about = () => ({
        version: '1.2.0',
        dist: { tarball: 'http://169.254.169.254/a.tgz', integrity: integrityOf(BYTES) },
      });
    },
    /lies elsewhere/,
  ],
  [
    'lies in a file',
    () => {
      about = () => ({ version: '1.2.0', dist: { tarball: 'file:///etc/passwd', integrity: integrityOf(BYTES) } });
    },
    /lies elsewhere/,
  ],
])('a package that %s is refused with the reason', async (_, prepare, reason) => {
  prepare();
  const fetching = fetched();
  await expect(fetching).rejects.toThrow(AppError);
  await expect(fetching).rejects.toThrow(reason);
});

test('a registry that cannot be reached is said', async () => {
  const closed = new URL('http://127.0.0.1:9/');
  const fetching = fetchPackage({ gate, address: closed }, { package: 'scan' }, new AbortController().signal);
  await expect(fetching).rejects.toThrow(/gave no scan/);
});

test('the strongest hash decides, and one of several of its kind is enough', () => {
  const [right, wrong] = [integrityOf(BYTES), integrityOf(Buffer.from('other'))];
  expect(isIntact(BYTES, `${wrong} ${right}`)).toBe(true);
  expect(isIntact(BYTES, `${wrong} ${integrityOf(BYTES, 'sha256')}`)).toBe(false);
  expect(isIntact(BYTES, `${right}?foo`)).toBe(true);
  expect(isIntact(BYTES, 'sha512-')).toBe(false);
  expect(isIntact(BYTES, '')).toBe(false);
});
