import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { ANSWER_FAULTS, slowBy } from '../answer-faults.ts';
import { createFakeOAuth, type FakeOAuthOptions } from './fake-oauth.ts';
import { lazyRepository, repositoryWithBranches, startFakeProvider } from './fake-provider.ts';
import { tryGit } from './run-git.ts';

const VERIFIER = 'v'.repeat(43);
const CHALLENGE = createHash('sha256').update(VERIFIER).digest('base64url');
const BACK = 'https://breakwater.example/oauth/callback?keep=1';
const APP = { clientId: 'app', clientSecret: 'shh', by: 'body or basic' } as const;

async function start(differs: Partial<FakeOAuthOptions> = {}) {
  const oauth = createFakeOAuth({
    token: 'first',
    refresh: 'again',
    rotates: true,
    paths: { authorize: '/authorize', token: '/token', revoke: '/revoke' },
    app: APP,
    answer: ({ access, refresh }) => ({ access, refresh }),
    refuse: (fault) => ({ status: fault === 'client' ? 401 : 400, json: { error: fault } }),
    ...differs,
  });
  const repository = { server: 'https://elsewhere.example', ...lazyRepository(() => repositoryWithBranches(3)) };
  const fake = await startFakeProvider({
    tokens: oauth.tokens,
    repositories: [repository],
    git: {
      folderOf: async (path) => (path === 'acme/one' ? (await repository.git()).folder : null),
      allows: (user) => user?.password === oauth.tokens.access,
    },
    answer: (request) => oauth.answer(request) ?? { json: { path: request.path } },
    close: () => repository.remove(),
  });
  onTestFinished(() => fake.close());
  return { fake, oauth, repository };
}

function authorizeUrl(at: URL, more: Readonly<Record<string, string>> = {}): URL {
  const page = new URL('/authorize', at);
  const asked = { client_id: 'app', redirect_uri: BACK, state: 's', code_challenge: CHALLENGE, ...more };
  page.search = new URLSearchParams(asked).toString();
  return page;
}

async function ask(at: URL, path: string, fields: Readonly<Record<string, string>>) {
  const body = new URLSearchParams({ client_id: 'app', client_secret: 'shh', ...fields });
  const answer = await fetch(new URL(path, at), { method: 'POST', body });
  const json: unknown = await answer.json();
  return [answer.status, json];
}

async function codeOf(at: URL): Promise<string> {
  const answer = await fetch(authorizeUrl(at), { redirect: 'manual' });
  return new URL(answer.headers.get('location')!).searchParams.get('code')!;
}

it('gives a code to whoever began, which is good for tokens once', async () => {
  const { fake } = await start();
  const answer = await fetch(authorizeUrl(fake.url), { redirect: 'manual' });
  const { origin, searchParams } = new URL(answer.headers.get('location')!);
  expect([origin, searchParams.get('keep'), searchParams.get('state')]).toEqual([
    'https://breakwater.example',
    '1',
    's',
  ]);
  const fields = { grant_type: 'authorization_code', code: searchParams.get('code')!, redirect_uri: BACK };
  expect(await ask(fake.url, '/token', { ...fields, code_verifier: 'w' })).toEqual([400, { error: 'proof' }]);
  const proven = { ...fields, code_verifier: VERIFIER };
  const elsewhere = { ...proven, redirect_uri: 'https://elsewhere.example' };
  expect(await ask(fake.url, '/token', elsewhere)).toEqual([400, { error: 'code' }]);
  expect(await ask(fake.url, '/token', { ...proven, client_secret: 'x' })).toEqual([401, { error: 'client' }]);
  expect(await ask(fake.url, '/token', proven)).toEqual([200, { access: 'first', refresh: 'again' }]);
  expect(await ask(fake.url, '/token', proven)).toEqual([400, { error: 'code' }]);
  expect(await codeOf(fake.url)).not.toBe(fields.code);
  const stranger = await fetch(authorizeUrl(fake.url, { client_id: 'another' }), { redirect: 'manual' });
  expect(stranger.status).toBe(400);
});

it('takes client and secret by basic authorization alone where the provider does so', async () => {
  const { fake } = await start({ app: { ...APP, by: 'basic' } });
  expect(await ask(fake.url, '/revoke', {})).toEqual([401, { error: 'client' }]);
  const authorization = `Basic ${Buffer.from('app:shh').toString('base64')}`;
  const answer = await fetch(new URL('/revoke', fake.url), { method: 'POST', headers: { authorization } });
  expect(answer.status).toBe(200);
});

it('asks the person on a page, and says what they decided', async () => {
  const { fake } = await start({ asksConsent: true });
  const page = await (await fetch(authorizeUrl(fake.url, { state: '"><script>' }))).text();
  expect(page).not.toContain('<script>');
  const links = [...page.matchAll(/href="(\/authorize[^"]+)"/g)].map(([, link]) => link!.replaceAll('&amp;', '&'));
  const decided = await Promise.all(
    links.map(async (link) => {
      const answer = await fetch(new URL(link, fake.url), { redirect: 'manual' });
      const { searchParams } = new URL(answer.headers.get('location')!);
      return [searchParams.has('code'), searchParams.get('error'), searchParams.get('state')];
    }),
  );
  expect(decided).toEqual([
    [true, null, '"><script>'],
    [false, 'access_denied', '"><script>'],
  ]);
});

it('renews a token that has ended, for the refresh token of the last time', async () => {
  const { fake, oauth } = await start();
  oauth.tokens.expire();
  const renew = (refresh_token: string) => ask(fake.url, '/token', { grant_type: 'refresh_token', refresh_token });
  expect(await renew('again')).toEqual([200, { access: 'first-1', refresh: 'again-1' }]);
  expect(await renew('again')).toEqual([400, { error: 'refresh' }]);
  expect(await renew('again-1')).toEqual([200, { access: 'first-1', refresh: 'again-2' }]);
  expect(oauth.tokens.renewals).toBe(2);
});

it('is cloned from its own address, with the token that is good now', async () => {
  const { fake, oauth, repository } = await start();
  expect(repository.server).toBe(fake.url.origin);
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-clone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clone = (password: string, to: string) => {
    const address = new URL('/acme/one.git', fake.url);
    Object.assign(address, { username: 'x', password });
    return tryGit({ args: ['clone', '--quiet', '--branch', 'branch-1', address.href, join(folder, to)] });
  };
  expect(await clone('first', 'one')).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'one', 'README.md'), 'utf8')).toBe('# Repository\n');
  oauth.tokens.expire();
  expect((await clone('first', 'two')).code).not.toBe(0);
  expect(await clone('first-1', 'three')).toMatchObject({ code: 0 });
});

it('does wrong what a test orders, as often as it says, and right again', async () => {
  const { fake } = await start();
  const get = async (path: string) => (await fetch(new URL(path, fake.url))).status;
  const refusal = ANSWER_FAULTS.find(({ name }) => name === 'refuses the credentials')!;
  const met = fake.faults.add({ fault: refusal, times: 1, when: ({ query }) => query.get('page') === '2' });
  expect([await get('/list?page=1'), await get('/list?page=2'), await get('/list?page=2')]).toEqual([200, 401, 200]);
  expect(met.map(({ path }) => path)).toEqual(['/list']);
  fake.faults.add({ fault: { answer: () => ({ status: 503 }) } });
  expect([await get('/a'), await get('/b')]).toEqual([503, 503]);
  fake.faults.clear();
  fake.faults.add({ fault: slowBy(1), times: 1 });
  expect([await get('/a'), await get('/b')]).toEqual([200, 200]);
});
