import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ScmWrite } from '@breakwater/sdk';
import { isProven } from '@breakwater/sdk/host';
import { collect, openTestConnection, tryGit } from '@breakwater/sdk/testing';
import { expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { pushDeliveries } from './testing/deliveries.ts';
import { startFakeGithub } from './testing/fake-github.ts';

const TOKEN = 'made-for-tests-only-0123';
const values = { oauth_token: TOKEN, installation_id: '42' };
const { scm, webhook } = server.connectors['github']!;

async function start() {
  const fake = await startFakeGithub({ token: TOKEN });
  onTestFinished(() => fake.close());
  return { fake, ctx: openTestConnection(plugin.connectors[0], { values, baseUrl: fake.url }) };
}

it('is cloned from the address that it lists, by who has the token', async () => {
  const { ctx } = await start();
  const [repository] = await collect(scm!.listRepositories(ctx));
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-clone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const address = new URL(repository!.cloneUrl!);
  const clone = (to: string) => tryGit({ args: ['clone', '--quiet', '--depth', '1', address.href, join(folder, to)] });
  expect((await clone('refused')).code).not.toBe(0);
  Object.assign(address, { username: 'x-access-token', password: TOKEN });
  expect(await clone('taken')).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'taken', 'README.md'), 'utf8')).toBe('# Repository\n');
});

it('signs in by a code that is used once and by who began', async () => {
  const { fake } = await start();
  const verifier = 'a'.repeat(64);
  const code_challenge = createHash('sha256').update(verifier).digest('base64url');
  const page = new URL('/login/oauth/authorize', fake.url);
  const redirect_uri = 'https://breakwater.example/oauth/callback?keep=1';
  const asked = { client_id: 'c', state: 's', redirect_uri, code_challenge, code_challenge_method: 'S256' };
  page.search = new URLSearchParams(asked).toString();
  const answer = await fetch(page, { redirect: 'manual' });
  const target = new URL(answer.headers.get('location')!);
  expect([target.origin, target.searchParams.get('keep'), target.searchParams.get('state')]).toEqual([
    'https://breakwater.example',
    '1',
    's',
  ]);
  const exchange = async (code_verifier: string) => {
    const form = {
      grant_type: 'authorization_code',
      client_id: 'c',
      code: target.searchParams.get('code')!,
      code_verifier,
    };
    const response = await fetch(new URL('/login/oauth/access_token', fake.url), {
      method: 'POST',
      body: new URLSearchParams(form),
      headers: { accept: 'application/json' },
    });
    return response.json();
  };
  expect(await exchange('wrong')).toHaveProperty('error');
  expect(await exchange(verifier)).toMatchObject({ access_token: TOKEN, token_type: 'bearer' });
  expect(await exchange(verifier)).toHaveProperty('error');
});

it('sends deliveries that the host takes for proven, and that mean a push', async () => {
  const { fake, ctx } = await start();
  const write = scm!.write as Required<ScmWrite>;
  const url = 'https://b.example/hooks/1';
  await write.createWebhook(ctx, { repository: '1', url, secret: 's3cret', events: ['push'], idempotencyKey: 'k' });
  const one = fake.repositories[0]!;
  const [delivery, ...others] = await pushDeliveries(one, 'main');
  expect([delivery?.url, others]).toEqual([url, []]);
  const { headers, body } = delivery!;
  expect(isProven(webhook!.proof, 's3cret', { headers, raw: Buffer.from(body) })).toBe(true);
  expect(isProven(webhook!.proof, 'another', { headers, raw: Buffer.from(body) })).toBe(false);
  expect(await webhook!.on(ctx, { event: headers['x-github-event'], id: '1', body: JSON.parse(body) })).toEqual([
    { kind: 'push', repository: '1', branch: 'main', commit: await (await one.git()).resolve('main') },
  ]);
});
