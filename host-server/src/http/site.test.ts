import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import express from 'express';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type SecurityOptions, securityHeaders } from './security.ts';
import { loadSite, type Site } from './site.ts';

const SCRIPT = "document.documentElement.dataset.theme = 'dark';";
const HTML = `<!doctype html><script>${SCRIPT}</script><script type="module" src="/static/main-abc.js"></script>`;
let folder: string;
let site: Site;
let server: Server;
let base: string;

beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'site-'));
  await mkdir(path.join(folder, 'static'));
  await writeFile(path.join(folder, 'index.html'), HTML);
  await writeFile(path.join(folder, 'static/main-abc.js'), 'console.log(1)');
  await writeFile(path.join(folder, 'static/main-abc.js.br'), brotliCompressSync('console.log(1)'));
  await writeFile(path.join(folder, '.sources'), 'not for readers');
  await writeFile(path.join(folder, '../outside.txt'), 'secret');
  site = await loadSite(folder);
  const app = express();
  app.use(securityHeaders({ scriptHashes: site.scriptHashes, isHttps: false }));
  app.use(site.handler);
  server = createServer(app);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(path.join(folder, '../outside.txt'));
  await rm(folder, { recursive: true });
});

test('the inline script is allowed by its hash, and by nothing wider', async () => {
  const policy = (await fetch(base)).headers.get('content-security-policy') ?? '';
  const hash = createHash('sha256').update(SCRIPT).digest('base64');
  expect(/script-src ([^;]*)/.exec(policy)?.[1]).toBe(`'self' 'sha256-${hash}'`);
});

const headersFor = async (
  services: Pick<SecurityOptions, 'googleIssuer' | 'cannyOrigin'>,
): Promise<Map<string, string>> => {
  const headers = new Map<string, string>();
  const response = {
    setHeader: (name: string, value: string) => void headers.set(name, value),
    removeHeader: () => {},
  };
  await new Promise<void>((resolve) => {
    const run = securityHeaders({ scriptHashes: [], isHttps: true, ...services });
    run({} as express.Request, response as unknown as express.Response, () => resolve());
  });
  return headers;
};

test('Google is opened where it is configured, to its own folder alone', async () => {
  const closed = await headersFor({});
  expect(closed.get('Content-Security-Policy')).not.toMatch(/google/);
  // views of connectors
  expect(closed.get('Content-Security-Policy')).toMatch(/;frame-src 'self';/);
  expect(closed.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
  const open = await headersFor({ googleIssuer: 'https://accounts.google.com' });
  const policy = open.get('Content-Security-Policy')?.split(';') ?? [];
  expect(policy.filter((directive) => directive.includes('google'))).toEqual([
    "script-src 'self' https://accounts.google.com/gsi/client",
    "style-src 'self' 'unsafe-inline' https://accounts.google.com/gsi/style",
    "connect-src 'self' https://accounts.google.com/gsi/",
    "frame-src 'self' https://accounts.google.com/gsi/",
  ]);
  expect(open.get('Cross-Origin-Opener-Policy')).toBe('same-origin-allow-popups');
});

test('Canny is opened where it is configured: its script, and frames of its boards', async () => {
  const headers = await headersFor({ cannyOrigin: 'https://canny.io' });
  const policy = headers.get('Content-Security-Policy')?.split(';') ?? [];
  expect(policy.filter((directive) => directive.includes('canny'))).toEqual([
    "script-src 'self' https://canny.io/sdk.js",
    "frame-src 'self' https://canny.io https://*.canny.io",
  ]);
  expect(headers.get('Cross-Origin-Opener-Policy')).toBe('same-origin');
});

test.each([
  ['/', 200],
  ['/findings', 200],
  ['/sbom-findings/detail/1', 404],
  ['/no/such/page', 404],
])('%s is the application with status %i, never stored without asking', async (page, status) => {
  const answer = await fetch(`${base}${page}`);
  expect(answer.status).toBe(status);
  expect(answer.headers.get('cache-control')).toBe('no-cache');
  expect(await answer.text()).toBe(HTML);
});

test('hashed files are kept for good, and sent compressed', async () => {
  const answer = await fetch(`${base}/static/main-abc.js`, { headers: { 'accept-encoding': 'br' } });
  expect(answer.headers.get('cache-control')).toContain('immutable');
  expect(answer.headers.get('content-encoding')).toBe('br');
  expect(await answer.text()).toBe('console.log(1)');
  const plain = await fetch(`${base}/static/main-abc.js`, { headers: { 'accept-encoding': 'identity' } });
  expect(plain.headers.get('content-encoding')).toBeNull();
});

test('an unchanged file is not sent again', async () => {
  const etag = (await fetch(base)).headers.get('etag') ?? '';
  expect((await fetch(base, { headers: { 'if-none-match': etag } })).status).toBe(304);
});

test('a hashed file that is gone is 404, not a page', async () => {
  const answer = await fetch(`${base}/static/old-123.js`);
  expect(answer.status).toBe(404);
  expect(await answer.text()).not.toContain('<script');
});

test.each([
  '/../outside.txt',
  '/%2e%2e/outside.txt',
  '/..%2foutside.txt',
  '/static/../../outside.txt',
  '/.sources',
  '//outside.txt',
])('%s does not leave the site', async (attempt) => {
  const answer = await fetch(`${base}${attempt}`);
  expect(await answer.text()).not.toMatch(/secret|not for readers/);
});

test.each(['//evil.example', '/\\evil.example', '/%5cevil.example', '/login?next=//evil.example'])(
  '%s redirects nowhere',
  async (attempt) => {
    const answer = await fetch(`${base}${attempt}`, { redirect: 'manual' });
    expect(answer.headers.get('location')).toBeNull();
  },
);

test('a folder without index.html is said', async () => {
  await expect(loadSite(path.join(folder, 'static'))).rejects.toThrow('has not been built');
});
