import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { collect, openTestConnection, tryGit } from '@breakwater/sdk/testing';
import { expect, it, onTestFinished } from 'vitest';
import { plugin } from '../plugin.ts';
import { server } from './index.ts';
import { startFakeGitlab } from './testing/fake-gitlab.ts';
import { values } from './testing/open-fake.ts';

const { scm } = server.connectors['gitlab']!;

async function start() {
  const fake = await startFakeGitlab({ token: values.oauth_token, scopes: ['api'], projects: 250 });
  onTestFinished(() => fake.close());
  return { fake, ctx: openTestConnection(plugin.connectors[0], { values: { ...values }, baseUrl: fake.url }) };
}

it('lists 250 repositories on three pages, each once', async () => {
  const { fake, ctx } = await start();
  const names = (await collect(scm!.listRepositories(ctx))).map(({ name }) => name);
  expect(new Set(names).size).toBe(250);
  expect(fake.requests).toHaveLength(3);
});

it('is cloned from the address that it lists, by who has the token', async () => {
  const { fake, ctx } = await start();
  const listed = await collect(scm!.listRepositories(ctx));
  const repository = listed.find(({ isPrivate, defaultBranch }) => isPrivate === true && defaultBranch === 'main')!;
  const address = new URL(repository.cloneUrl!);
  expect([address.origin, address.username]).toEqual([fake.url.origin, '']);
  const folder = await mkdtemp(join(tmpdir(), 'breakwater-clone-'));
  onTestFinished(() => rm(folder, { recursive: true, force: true }));
  const clone = (to: string) => tryGit({ args: ['clone', '--quiet', '--depth', '1', address.href, join(folder, to)] });
  expect((await clone('refused')).code).not.toBe(0);
  Object.assign(address, { username: scm!.cloneUser, password: values.oauth_token });
  expect(await clone('taken')).toMatchObject({ code: 0 });
  expect(await readFile(join(folder, 'taken', 'README.md'), 'utf8')).toContain(repository.name);
});
